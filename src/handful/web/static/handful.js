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
