// Small behaviours of the lab's pages, found by data attributes. No inline script anywhere: see the policy in guards.py.
"use strict";

// data-close: the button that closes a message.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-close]");
  if (button) button.parentElement.remove();
});

// data-copy="#id": the button that copies the text or value of an element.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  if (!source) return;
  await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
  const before = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = before; }, 1500);
});

// What asks how far a computation is (hx-trigger="…, again") asks again when the server was not reached.
document.addEventListener("htmx:sendError", (event) => {
  const asking = event.detail.elt;
  if (/\bagain\b/.test(asking.getAttribute?.("hx-trigger") ?? "")) {
    setTimeout(() => { if (asking.isConnected) htmx.trigger(asking, "again"); }, 1000);
  }
});
