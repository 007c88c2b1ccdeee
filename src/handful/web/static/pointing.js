// Pointing at things of a table: at a hint (who told whom what), at a card for long (what its owner knows).
"use strict";

(() => {
  const live = document.querySelector("#live, #watch");
  if (!live) return;
  const table = () => document.querySelector("#table, #watched");

  // A hint, in the history or among the buttons: its giver, its receiver and the cards that it touches are marked.
  const MARKS = ["giver", "receiver", "touched-by-it"];
  const unmark = () => {
    for (const mark of MARKS) table()?.querySelectorAll(`.${mark}`).forEach((each) => each.classList.remove(mark));
  };
  const point = (hint) => {
    unmark();
    if (!hint) return;
    const { giver, receiver, touches } = hint.dataset;
    table().querySelector(`.hand-${giver}`)?.classList.add("giver");
    table().querySelector(`.hand-${receiver}`)?.classList.add("receiver");
    for (const order of touches.split(" ").filter(Boolean)) {
      table().querySelector(`.holder[data-order="${order}"]`)?.classList.add("touched-by-it");
    }
  };
  const hintOf = (event) => event.target.closest?.("[data-touches]");
  for (const kind of ["mouseover", "focusin"]) {
    live.addEventListener(kind, (event) => { if (kind === "mouseover" || event.target.matches(":focus-visible")) point(hintOf(event)); });
  }
  live.addEventListener("mouseleave", unmark);
  live.addEventListener("focusout", unmark);

  // Empathy: what everybody knows of the cards in a hand, as long as E is held, or a finger on a card.
  const LONG_MS = 450;
  let isShown = false;
  const show = (isOn) => {
    isShown = isOn;
    table()?.classList.toggle("empathy", isOn);
  };
  document.addEventListener("htmx:afterSettle", () => show(isShown));
  document.addEventListener("handful:empathy", (event) => show(event.detail));
  let pressing = null;
  let isLong = false;
  const release = () => {
    clearTimeout(pressing);
    pressing = null;
    if (isLong) show(false);
  };
  live.addEventListener("pointerdown", (event) => {
    isLong = false;
    if (!event.target.closest?.(".holder")) return;
    pressing = setTimeout(() => { isLong = true; show(true); }, LONG_MS);
  });
  for (const kind of ["pointerup", "pointercancel", "pointerleave"]) live.addEventListener(kind, release);
  // A long press shows something; it does not choose the card, nor open the menu of the browser.
  live.addEventListener("click", (event) => {
    if (isLong && event.target.closest?.(".holder")) { event.preventDefault(); event.stopPropagation(); isLong = false; }
  }, true);
  live.addEventListener("contextmenu", (event) => { if (pressing && event.target.closest?.(".holder")) event.preventDefault(); });
  window.addEventListener("blur", () => { release(); show(false); });
})();
