// The keyboard at a table. What is chosen decides what a key means: a digit is an own card, or, once H has named whom to
// tell something, a value; a letter is then a suit. The sheet (?) lists all keys.
"use strict";

(() => {
  const table = () => document.querySelector("#table");
  if (!document.querySelector("#live")) return;
  const sheet = document.querySelector("#sheet");
  const WRITES = "input:not([type='radio'], [type='checkbox'], [type='button']), textarea, select, [contenteditable]";

  // The player who is to be told something: chosen by H, until Escape or until a card is chosen.
  let told = null;
  const tells = () => [...table().querySelectorAll(".tell")];
  const drawTold = () => {
    for (const tell of tells()) tell.classList.toggle("is-told", tell.dataset.seat === told);
    table().classList.toggle("telling", told !== null);
  };
  const letGo = () => {
    const picked = table().querySelector(".pick:checked");
    if (picked) picked.checked = false;
  };
  const tellNobody = () => { told = null; drawTold(); };
  const tellNext = () => {
    const seats = tells().map((tell) => tell.dataset.seat);
    if (!seats.length) return;
    letGo();
    told = seats[(seats.indexOf(told) + 1) % seats.length];
    drawTold();
    table().querySelector(".tell.is-told .hint")?.focus({ preventScroll: true });
  };
  const choose = (pick) => {
    tellNobody();
    if (!pick) return;
    pick.checked = true;
    pick.focus({ preventScroll: true });
  };
  const press = (button) => {
    if (!button || button.disabled || button.getAttribute("aria-disabled") === "true") return false;
    button.click();
    return true;
  };
  const hintFor = (key) => table().querySelector(`.tell.is-told .hint[data-hint="${CSS.escape(key)}"]`);
  const shownButton = (key) => [...table().querySelectorAll(`.do [data-key="${key}"]`)].find((each) => each.getClientRects().length);
  const openSheet = () => (sheet.open ? sheet.close() : sheet.showModal());

  const STEPS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "now" };
  const stepped = (key) => {
    if (!STEPS[key] || table().querySelector(".pick:checked")) return false;
    press(table().querySelector(`#step-${STEPS[key]}`));
    return true;  // also where there is no further turn: the arrow chooses no card instead
  };
  const letters = (key, isRepeated) => {
    if (told !== null && hintFor(key)) { hintFor(key).focus({ preventScroll: true }); return true; }
    if (/^[1-9]$/.test(key) && told === null) {
      const pick = table().querySelector(`.own .k${Number(key) - 1}`);
      choose(pick);
      return pick !== null;
    }
    if (key === "e") { document.dispatchEvent(new CustomEvent("handful:empathy", { detail: true })); return true; }
    if (isRepeated) return false;
    if (key === "h") { tellNext(); return true; }
    return (key === "p" || key === "d") && press(shownButton(key));
  };
  const escaped = () => {
    if (told !== null) {
      const seat = told;
      tellNobody();
      table().querySelector(`.hand-${seat} .pick`)?.focus({ preventScroll: true });
      return true;
    }
    return press(table().querySelector("#to-now"));
  };

  // Before the page's own keys: Escape lets go of one thing at a time.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.(WRITES) || sheet.open) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const isDone = key === "?" ? (openSheet(), true)
      : key === "Escape" ? !table().querySelector(".pick:checked") && escaped()
        : STEPS[key] ? stepped(key) : letters(key, event.repeat);
    if (isDone) event.preventDefault();
  }, true);
  document.addEventListener("keyup", (event) => {
    if (event.key.toLowerCase() === "e") document.dispatchEvent(new CustomEvent("handful:empathy", { detail: false }));
  });
  document.addEventListener("change", (event) => { if (event.target.matches?.(".pick")) tellNobody(); });
  document.addEventListener("htmx:afterSettle", () => {
    if (!tells().some((tell) => tell.dataset.seat === told) || !table().classList.contains("my-turn")) told = null;
    drawTold();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-opens-sheet]")) openSheet();
    if (event.target.closest?.("[data-closes-sheet]")) sheet.close();
  });
})();
