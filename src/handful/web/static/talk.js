// Beside the cards of a table: what is said, notes on cards, clocks, a rematch; and the page of spectators.
"use strict";

(() => {
  // Clocks run on between two looks at the server, which alone says when the time is up.
  const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  setInterval(() => {
    const clock = document.querySelector("[data-running]");
    if (!clock) return;
    clock.dataset.until ??= String(Date.now() + 1000 * Number(clock.dataset.seconds));
    const left = Math.max(0, Math.ceil((Number(clock.dataset.until) - Date.now()) / 1000));
    clock.textContent = clockText(left);
    clock.classList.toggle("bad", left <= 10);
  }, 250);

  // What is said. An event says how much it is by now; the lines are asked for then.
  const said = document.querySelector("#said");
  const toTheEnd = () => { if (said) said.scrollTop = said.scrollHeight; };
  // Whoever does not see the chat is told that there is something new, until it is on the screen.
  const unread = document.querySelector("#unread");
  let isSeen = true;
  if (said && unread) {
    new IntersectionObserver(([each]) => { isSeen = each.isIntersecting; if (isSeen) unread.hidden = true; }).observe(said);
  }
  const listen = async (base, number) => {
    if (!said || Number(number) <= Number(said.dataset.number)) return;
    said.dataset.number = number;
    await htmx.ajax("GET", `${base}/said`, { target: "#said", swap: "innerHTML" });
    toTheEnd();
    if (unread && !isSeen) unread.hidden = false;
  };
  toTheEnd();

  // Spectators: the page is drawn anew when something has changed.
  const watch = document.querySelector("#watch");
  if (watch) {
    const { base } = watch.dataset;
    const offline = document.querySelector("#offline");
    let source = null;
    let shown = watch.querySelector("#watched").dataset.version;
    const follow = () => {
      if (source) return;
      source = new EventSource(`${base}/events`);
      source.addEventListener("table", async (event) => {
        offline.hidden = true;
        if (event.data === shown) return;
        shown = event.data;
        await htmx.ajax("GET", `${base}/table`, { target: "#watched", swap: "outerHTML" });
      });
      source.addEventListener("talk", (event) => listen(base, event.data));
      source.addEventListener("error", () => {
        offline.hidden = false;
        if (source.readyState === EventSource.CLOSED) { source = null; setTimeout(follow, 2000); }
      });
    };
    const leave = () => { source?.close(); source = null; };
    document.addEventListener("visibilitychange", () => { if (document.hidden) leave(); else follow(); });
    window.addEventListener("pagehide", leave);
    window.addEventListener("pageshow", follow);
    follow();
    return;
  }

  const beside = document.querySelector("[data-beside]");
  if (!beside) return;
  const base = beside.dataset.beside;
  document.addEventListener("table:talk", (event) => listen(base, event.detail)); // from the stream of play.js
  beside.querySelector(".chat form").addEventListener("htmx:afterRequest", (event) => {
    if (!event.detail.successful) return;
    event.target.reset?.();
    said.dataset.number = String(Number(said.dataset.number) + 1);
    toTheEnd();
  });

  // Notes: kept by card, so they move with it. Who picks a card at the table, notes on that one.
  const form = beside.querySelector("[data-notes]");
  if (form) {
    const notes = JSON.parse(form.dataset.notes);
    const select = form.elements.card;
    const list = beside.querySelector("[data-noted]");
    const held = () => JSON.parse(document.querySelector("#held")?.dataset.held || "[]");
    const cardsShown = (order) => document.querySelectorAll(`#table [data-order="${order}"], #table #card-${order}`);
    const draw = () => {
      const chosen = select.value;
      const players = held();
      select.replaceChildren(...players.map(([name, cards], place) => {
        const group = document.createElement("optgroup");
        group.label = place ? name : "Your cards";
        group.append(...cards.map(([order, letter]) => new Option(notes[order] ? `${letter} ✎` : letter, order)));
        return group;
      }));
      if ([...select.options].some((option) => option.value === chosen)) select.value = chosen;
      list.replaceChildren(...players.flatMap(([name, cards], place) => cards.filter(([order]) => notes[order]).map(([order, letter]) => {
        const item = document.createElement("li");
        const card = document.createElement("b");
        card.textContent = `${place ? `${name}, ` : ""}${letter}: `;
        item.append(card, notes[order]);
        return item;
      })));
      for (const order of Object.keys(notes)) {
        for (const each of cardsShown(order)) {
          const holder = each.closest(".holder") ?? each;
          holder.title = notes[order];
          holder.classList.toggle("noted", Boolean(notes[order]));
        }
      }
    };
    const fill = () => { form.elements.text.value = notes[select.value] ?? ""; };
    select.addEventListener("change", fill);
    document.addEventListener("change", (event) => {
      if (!event.target.matches?.("#table .pick") || document.activeElement === form.elements.text) return;
      select.value = event.target.value;
      fill();
    });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const card = select.value;
      const text = form.elements.text.value.trim();
      const answer = await fetch(form.action, {
        method: "POST", headers: { "HX-Request": "true" }, body: new URLSearchParams({ card, text }),
      }).catch(() => null);
      if (!answer?.ok) {
        document.querySelector("#message").innerHTML = answer ? await answer.text() : ""; // escaped by the server
        return;
      }
      notes[card] = text;
      draw();
      fill();
    });
    document.addEventListener("htmx:afterSwap", (event) => { if (event.detail.target.id === "table") draw(); });
    draw();
    fill();
  }

  // The game is over while this page was open: everybody's notes are shown by a page that is loaded anew. A rematch
  // that somebody has set leads there, unless one stays.
  const SECONDS = 8;
  let left = SECONDS;
  let leading = null;
  const stayShown = () => document.querySelector("[data-lead] [data-stay]");
  // The table may be drawn anew meanwhile (who has gone is away): the button is looked up each time.
  const count = () => {
    const stay = stayShown();
    if (stay) { stay.hidden = leading === "stayed"; stay.textContent = `Stay here (${left})`; }
  };
  const lead = () => {
    const invitation = document.querySelector("[data-lead]");
    if (!invitation || document.hidden) return;
    if (leading === null) {
      leading = setInterval(() => {
        left -= 1;
        if (left > 0) { count(); return; }
        clearInterval(leading);
        location.assign(invitation.dataset.lead);
      }, 1000);
    }
    count();
  };
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-stay]")) return;
    clearInterval(leading);
    leading = "stayed";
    count();
  });
  // Who comes back to a game that was over, came to look at it: only those who were there are led on.
  const wasOver = Boolean(document.querySelector("[data-lead]"));
  document.addEventListener("htmx:afterSwap", () => { if (!wasOver) lead(); });
})();
