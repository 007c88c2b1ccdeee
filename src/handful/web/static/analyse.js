// The page of a game: arrow keys anywhere, turns that are clicked, and which turn of the list is next.
"use strict";

(() => {
  const slider = () => document.getElementById("slider");

  // The slider asks for positions one after the other, the last one at the end: so keys can be held.
  const go = (turn) => {
    const place = slider();
    if (!place) return;
    const wanted = Math.max(Number(place.min), Math.min(Number(place.max), turn));
    if (wanted === Number(place.value)) return;
    place.value = wanted;
    place.dispatchEvent(new Event("input", { bubbles: true }));
  };

  document.addEventListener("keydown", (event) => {
    const place = slider();
    if (!place || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target === place || event.target.closest("input, textarea, select, [contenteditable]")) return;
    const turn = Number(place.value);
    const wanted = { ArrowLeft: turn - 1, ArrowRight: turn + 1, Home: 0, End: Number(place.max) }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    go(wanted);
  });

  // data-goto="N": a link to a position of this game, which needs no new page.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-goto]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(Number(link.dataset.goto));
  });

  // The turn to come is marked in the list, which is scrolled to it, but not the page.
  const follow = () => {
    const where = document.getElementById("where");
    const moves = document.querySelector("[data-moves]");
    if (!where || !moves) return;
    for (const link of moves.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
    const next = moves.querySelector(`[data-goto="${where.dataset.turn}"]`);
    if (!next) return;
    next.setAttribute("aria-current", "true");
    const top = next.offsetTop - moves.offsetTop;
    if (top < moves.scrollTop || top + next.offsetHeight > moves.scrollTop + moves.clientHeight) {
      moves.scrollTop = top - moves.clientHeight / 2;
    }
  };

  // What is drawn anew stays where it was scrolled to.
  let scrolled = 0;
  document.addEventListener("htmx:beforeSwap", () => {
    scrolled = document.querySelector("[data-moves]")?.scrollTop ?? scrolled;
  });
  document.addEventListener("htmx:afterSwap", () => {
    const moves = document.querySelector("[data-moves]");
    if (moves) moves.scrollTop = scrolled;
    follow();
  });
  document.addEventListener("DOMContentLoaded", follow);
})();
