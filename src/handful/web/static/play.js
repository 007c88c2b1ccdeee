// A seat at a table: follow the game, keep the choice of a card over a refresh, remember the tables of this device.
"use strict";

(() => {
  const REMEMBERED = "handful.tables";
  const MOST = 100;

  // Tables of this device: links only, never a card.
  const remembered = () => {
    try { return JSON.parse(localStorage.getItem(REMEMBERED)) || []; } catch { return []; }
  };
  const remember = (table) => {
    const others = remembered().filter((each) => each.seat !== table.seat);
    try { localStorage.setItem(REMEMBERED, JSON.stringify([table, ...others].slice(0, MOST))); } catch { /* private mode */ }
  };

  // A variant that is clicked is put into the field, which asks what is special about it.
  document.addEventListener("click", (event) => {
    const name = event.target.closest?.("[data-variant]")?.dataset.variant;
    const field = document.querySelector("#variant");
    if (!name || !field) return;
    field.value = name;
    htmx.trigger(field, "picked");
    field.focus();
  });

  const live = document.querySelector("#live");
  if (!live) return;
  const { base, seat, label, variant } = live.dataset;
  remember({ base, seat, label, variant });
  const offline = document.querySelector("#offline");
  const table = () => document.querySelector("#table");

  // Keep what was chosen, and where the focus was, as far as it is still there. (Browsers drop the focus with the element
  // that had it; htmx gives it back to an element with an id, but not to a button that is hidden until its card is chosen.)
  let chosen = null;
  let focused = null;
  const nameOf = (element) => {
    if (!element || !table()?.contains(element)) return null;
    if (element.id) return `#${CSS.escape(element.id)}`;
    return element.name ? `[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]` : null;
  };
  document.addEventListener("htmx:beforeSwap", (event) => {
    // An answer that comes late, after a newer one, is not shown.
    const version = /data-version="([\d.]+)"/.exec(event.detail.serverResponse ?? "")?.[1];
    const isLate = version && event.detail.target === table() && isNewer(table().dataset.version, version);
    if (isLate) event.detail.shouldSwap = false;
    chosen = document.querySelector(".pick:checked")?.id ?? null;
    focused = nameOf(document.activeElement);
  });
  document.addEventListener("htmx:afterSwap", () => {
    const again = chosen && document.getElementById(chosen);
    if (again) again.checked = true;
    if (focused && !nameOf(document.activeElement)) table()?.querySelector(focused)?.focus({ preventScroll: true });
  });
  // A second click on a chosen card, or Escape, lets go of it.
  let before = null;
  document.addEventListener("pointerdown", (event) => {
    const pick = event.target.closest?.(".holder")?.querySelector(".pick");
    before = pick && pick.checked ? pick : null;
  });
  document.addEventListener("click", (event) => {
    if (event.target.matches?.(".pick") && event.target === before) event.target.checked = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.querySelectorAll(".pick:checked").forEach((pick) => { pick.checked = false; });
  });

  // Follow the game. An event says only that something has changed; the table is then asked for: once at a time, and
  // not for what is shown already. A version is turns.changes, both counted upwards.
  const isNewer = (version, than) => {
    const [a, b] = [version, than].map((each) => each.split(".").map(Number));
    return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);
  };
  let newest = table().dataset.version;
  let isAsking = false;
  const refresh = async () => {
    const shown = table();
    if (isAsking || !shown || "past" in shown.dataset || !isNewer(newest, shown.dataset.version)) return;
    isAsking = true;
    try {
      await htmx.ajax("GET", `${base}/${seat}/table`, { target: "#table", swap: "outerHTML" });
    } finally {
      isAsking = false;
    }
    if (table().dataset.version !== shown.dataset.version) refresh();
  };
  let source = null;
  const follow = () => {
    if (source) return;
    source = new EventSource(`${base}/${seat}/events`);
    source.addEventListener("table", (event) => {
      offline.hidden = true;
      newest = event.data;
      refresh();
    });
    source.addEventListener("talk", (event) => document.dispatchEvent(new CustomEvent("table:talk", { detail: event.data })));
    source.addEventListener("error", () => {
      offline.hidden = false;
      // Browsers give up after some refusals: begin anew.
      if (source.readyState === EventSource.CLOSED) { source = null; setTimeout(follow, 2000); }
    });
  };
  // Browsers allow six connections to a server: pages in the background let go of theirs, and ask from time to time.
  let polling = null;
  const poll = async () => {
    try {
      const answer = await fetch(`${base}/${seat}/version`);
      if (answer.ok) { newest = (await answer.json()).version; refresh(); }
    } catch { /* the server is away: it will be asked again */ }
  };
  const leave = () => { source?.close(); source = null; };
  document.addEventListener("visibilitychange", () => {
    clearInterval(polling);
    if (document.hidden) { leave(); polling = setInterval(poll, 5000); } else follow();
  });
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", () => { if (!document.hidden) follow(); });

  // Whose turn it is: in the title, for whoever is at another page, and for screen readers.
  const title = document.title;
  const announce = document.querySelector("#announce");
  const tell = () => {
    const isMine = table().classList.contains("my-turn");
    document.title = isMine ? `● Your turn · ${title}` : title;
    const last = table().querySelector(".result-panel h1, .log :is(button, .event)")?.textContent ?? "";
    const words = `${last}. ${isMine ? "Your turn." : ""}`;
    if (announce.textContent !== words) announce.textContent = words;
  };
  document.addEventListener("htmx:afterSwap", tell);
  tell();
})();
