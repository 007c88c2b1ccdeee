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
  // What is gone leaves the focus where the person worked: in the same slot of the same hand, or else at the own cards.
  let chosen = null;
  let focused = null;
  let place = null;
  const nameOf = (element) => {
    if (!element || !table()?.contains(element)) return null;
    if (element.id) return `#${CSS.escape(element.id)}`;
    return element.name ? `[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]` : null;
  };
  const placeOf = (element) => (element?.dataset?.at ? `[data-at="${element.dataset.at}"]` : null);
  const canHoldFocus = (element) => element && !element.disabled && element.getClientRects().length > 0;
  const focusAgain = () => {
    const own = [".own .pick", "#table"];
    const found = [focused, place, ...own].map((each) => each && document.querySelector(each)).find(canHoldFocus);
    found?.focus({ preventScroll: true });
  };
  document.addEventListener("htmx:beforeSwap", (event) => {
    // An answer that comes late, after a newer one, is not shown.
    const version = /data-version="([\d.]+)"/.exec(event.detail.serverResponse ?? "")?.[1];
    const isLate = version && event.detail.target === table() && isNewer(table().dataset.version, version);
    if (isLate) event.detail.shouldSwap = false;
    const picked = document.querySelector(".pick:checked");
    const isDone = event.detail.requestConfig?.path?.endsWith("/act") && event.detail.xhr?.status === 200;
    chosen = isDone ? null : picked?.id ?? null;  // what was chosen for an action is done with it
    focused = nameOf(document.activeElement);
    place = placeOf(document.activeElement) ?? placeOf(picked);
  });
  document.addEventListener("htmx:afterSwap", () => {
    const again = chosen && document.getElementById(chosen);
    if (again) again.checked = true;
    if (focused && !nameOf(document.activeElement)) focusAgain();
  });
  // A second click on a chosen card, or Escape, lets go of it; the focus goes back to the card.
  const letGo = () => {
    const picked = table()?.querySelector(".pick:checked");
    if (!picked) return false;
    const isInside = table().contains(document.activeElement);
    picked.checked = false;
    if (isInside) picked.focus({ preventScroll: true });
    return true;
  };
  let before = null;
  document.addEventListener("pointerdown", (event) => {
    const pick = event.target.closest?.(".holder")?.querySelector(".pick");
    before = pick && pick.checked ? pick : null;
  });
  document.addEventListener("click", (event) => {
    if (event.target.matches?.(".pick") && event.target === before) event.target.checked = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]") && letGo()) event.preventDefault();
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
    if (isAsking || !shown || !isNewer(newest, shown.dataset.version)) return;
    if ("past" in shown.dataset) { sayGoneOn(); return; }
    isAsking = true;
    try {
      await htmx.ajax("GET", `${base}/${seat}/table`, { target: "#table", swap: "outerHTML" });
    } finally {
      isAsking = false;
    }
    if (table().dataset.version !== shown.dataset.version) refresh();
  };
  // Who looks at an old turn stays there, and is told that the game has gone on, and whether it waits for them.
  let isWaitedFor = false;
  const sayGoneOn = async () => {
    const shown = table();
    const answer = await fetch(`${base}/${seat}/version`).catch(() => null);
    if (!answer?.ok || table() !== shown) return;
    const { turns, waits_for_you: isMine } = await answer.json();
    const says = shown.querySelector("#gone-on");
    if (!says) return;
    const words = isMine ? "It is your move" : turns > Number(shown.dataset.turns) ? `The game has gone on: turn ${turns}` : "";
    if (says.textContent !== words) {
      const tag = document.createElement("b");
      tag.className = isMine ? "tag accent" : "muted small";
      tag.textContent = words;
      says.replaceChildren(tag);
    }
    say(isMine);
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

  // Whose turn it is: in the title, for whoever is at another page, and for screen readers. Said once what was drawn is
  // settled, so that it is true of what is shown.
  const title = document.title;
  const announce = document.querySelector("#announce");
  const say = (isMine) => {
    document.title = isMine ? `● Your turn · ${title}` : title;
    if (isMine !== isWaitedFor) document.dispatchEvent(new CustomEvent("handful:turn", { detail: { isMine, label } }));
    isWaitedFor = isMine;
  };
  const tell = () => {
    const isMine = "waitsForMe" in table().dataset || table().classList.contains("my-turn");
    const last = table().querySelector(".result-panel h1, .log :is(button, .event)")?.textContent ?? "";
    const words = `${last}. ${isMine ? "Your turn." : ""}`;
    if (announce.textContent !== words) announce.textContent = words;
    say(isMine);
  };
  document.addEventListener("htmx:afterSettle", tell);
  isWaitedFor = "waitsForMe" in table().dataset;
  tell();
})();
