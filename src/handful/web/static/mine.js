// The games of this device: their links are kept here, and sent as a list to be told how they stand.
"use strict";

(() => {
  const places = document.querySelectorAll("[data-my-games], [data-my-tables]");
  if (!places.length) return;
  const HANABI = "/play/seats";
  const remembered = () => {
    try { return JSON.parse(localStorage.getItem("handful.tables")) || []; } catch { return []; }
  };
  const seatsOf = (base) => remembered().filter((each) => (each.base ?? HANABI) === base).map(({ seat }) => seat).join(" ");
  const show = async (place) => {
    const base = place.dataset.myTables;
    const asked = new URLSearchParams({ shown: base ? "list" : "table" });
    if (base !== "/gin/seats") asked.set("seats", seatsOf(HANABI));
    if (base !== HANABI) asked.set("gin_seats", seatsOf("/gin/seats"));
    if (base && !asked.get(base === HANABI ? "seats" : "gin_seats")) return;
    const answer = await fetch("/play/mine", { method: "POST", body: asked });
    if (!answer.ok) return;
    place.innerHTML = await answer.text(); // made by the server, every name escaped
    if (base) place.parentElement.hidden = !place.children.length;
  };
  const showAll = () => places.forEach((place) => { show(place).catch(() => {}); });
  showAll();
  window.addEventListener("pageshow", (event) => { if (event.persisted) showAll(); });
})();
