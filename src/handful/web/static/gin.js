// A hand of Gin: sort it, drag its cards, play by keys, and lay out the hands of a knock step by step.
"use strict";

(() => {
  const table = () => document.querySelector("#table.gin");
  const cards = () => table()?.querySelector(".gin-cards");
  const holders = () => [...(cards()?.children ?? [])];
  const textOf = (holder) => holder.dataset.card;
  const visible = (element) => element && !element.disabled && element.getClientRects().length > 0;

  // The order in which the player keeps the cards: theirs alone, so it stays on this device. It lasts for a hand; a
  // card that comes lies last.
  const SUITS = "CDHS";
  const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
  const suitOf = (text) => SUITS.indexOf(text.slice(-1));
  const rankOf = (text) => RANKS.indexOf(text.slice(0, -1));
  const SORTS = {
    suits: (a, b) => suitOf(a) - suitOf(b) || rankOf(a) - rankOf(b),
    ranks: (a, b) => rankOf(a) - rankOf(b) || suitOf(a) - suitOf(b),
  };
  const key = () => `handful.gin.${document.querySelector("#live")?.dataset.seat}`;
  const kept = () => {
    try { return JSON.parse(sessionStorage.getItem(key())) ?? {}; } catch { return {}; }
  };
  const keep = (value) => { try { sessionStorage.setItem(key(), JSON.stringify(value)); } catch { /* private mode */ } };
  const lay = (order) => {
    const focused = document.activeElement;
    for (const text of order) cards().append(holders().find((holder) => textOf(holder) === text));
    if (focused !== document.activeElement && cards().contains(focused)) focused.focus({ preventScroll: true });
  };
  const arrange = () => {
    if (!cards()) return;
    const now = holders().map(textOf);
    const { sort, order, round } = kept();
    let wanted = now;
    if (sort in SORTS) {
      const drawn = holders().filter((holder) => holder.classList.contains("fresh")).map(textOf);
      wanted = [...now.filter((text) => !drawn.includes(text)).sort(SORTS[sort]), ...drawn];
    } else if (sort === "own" && round === cards().dataset.round) {
      const known = order.filter((text) => now.includes(text));
      wanted = [...known, ...now.filter((text) => !known.includes(text))];
    }
    if (wanted.join() !== now.join()) lay(wanted);
    table().querySelectorAll("[data-sort]").forEach((button) => {
      button.setAttribute("aria-pressed", String(button.dataset.sort === (sort ?? "melds")));
    });
  };
  const keepOrder = () => keep({ sort: "own", order: holders().map(textOf), round: cards().dataset.round });
  const sortBy = (sort) => {
    keep({ sort });
    // As the server lays them: places are in the names of the classes of the inputs.
    const slotOf = (holder) => Number(/\bk(\d+)\b/.exec(holder.querySelector(".pick").className)[1]);
    lay(holders().sort((a, b) => slotOf(a) - slotOf(b)).map(textOf));
    arrange();
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-sort]");
    if (button) sortBy(button.dataset.sort);
  });

  // Taking an action is pressing its button: what is not offered cannot be done.
  const press = (button) => { if (visible(button)) button.click(); return visible(button); };
  const chosen = () => cards()?.querySelector(".pick:checked");
  const choose = (holder) => {
    const pick = holder.querySelector(".pick");
    pick.checked = true;
    pick.focus({ preventScroll: true });
  };
  const shown = (selector) => [...table().querySelectorAll(selector)].find(visible);
  const throwIt = (holder) => { choose(holder); return press(shown(".throw")); };

  // Drag: within the hand to sort, to the pile to throw; from the stock or the pile to the hand to draw or take.
  const FAR = 8; // pixels, before which it is a click
  let drag = null;
  const isOver = (element, event, slack = 0) => {
    const box = element?.getBoundingClientRect();
    return box && event.clientX > box.left - slack && event.clientX < box.right + slack && event.clientY > box.top - slack && event.clientY < box.bottom + slack;
  };
  document.addEventListener("pointerdown", (event) => {
    const what = event.button === 0 && event.target.closest?.(".gin-cards .holder, .on-table[data-drag]:not(:disabled)");
    if (what) drag = { what, x: event.clientX, y: event.clientY, id: event.pointerId, isOn: false };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isOn && Math.hypot(dx, dy) < FAR) return;
    if (!drag.isOn) {
      drag.isOn = true;
      drag.what.classList.add("dragged");
      try { drag.what.setPointerCapture(event.pointerId); } catch { /* the pointer is gone */ }
    }
    const face = drag.what.querySelector(".gc");
    face.style.transform = `translate(${dx}px, ${dy}px)`;
    const pile = table()?.querySelector("#upcard");
    if (drag.what.matches(".holder")) pile?.classList.toggle("drop-here", isOver(pile, event, 24));
    else cards()?.classList.toggle("drop-here", isOver(cards(), event, 24));
  });
  const letGo = () => {
    if (!drag) return;
    drag.what.classList.remove("dragged");
    const face = drag.what.querySelector(".gc");
    if (face) face.style.transform = "";
    document.querySelectorAll(".drop-here").forEach((each) => each.classList.remove("drop-here"));
    drag = null;
  };
  let dropped = false;
  document.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { what, isOn } = drag;
    const onPile = isOver(table()?.querySelector("#upcard"), event, 24), onHand = isOver(cards(), event, 24);
    letGo();
    if (!isOn || !what.isConnected) return;
    dropped = true; // the click that follows is none
    setTimeout(() => { dropped = false; }, 0);
    if (what.matches(".on-table")) { if (onHand) setTimeout(() => press(what), 0); return; }
    if (onPile) { setTimeout(() => throwIt(what), 0); return; }
    if (!onHand) return;
    const others = holders().filter((holder) => holder !== what);
    const before = others.find((holder) => {
      const box = holder.getBoundingClientRect();
      const isSameRow = event.clientY < box.bottom;
      return isSameRow && (event.clientX < box.left + box.width / 2 || event.clientY < box.top);
    });
    const order = others.map(textOf);
    order.splice(before ? others.indexOf(before) : order.length, 0, textOf(what));
    lay(order);
    keepOrder();
    arrange();
  });
  document.addEventListener("pointercancel", letGo);
  document.addEventListener("click", (event) => {
    if (!dropped || !event.target.closest?.(".gin-cards, .on-table")) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("dblclick", (event) => {
    const holder = event.target.closest?.(".gin-cards .holder");
    if (holder) throwIt(holder);
  });

  // Keys
  const step = (by) => {
    const all = holders();
    if (!all.length) return;
    const at = all.indexOf(chosen()?.closest(".holder"));
    choose(all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length]);
  };
  const move = (by) => {
    const all = holders(), at = all.indexOf(chosen()?.closest(".holder"));
    if (at < 0 || at + by < 0 || at + by >= all.length) return;
    const order = all.map(textOf);
    order.splice(at + by, 0, ...order.splice(at, 1));
    lay(order);
    keepOrder();
    arrange();
  };
  const knock = () => {
    if (press(shown(".knock"))) return;
    // No card is chosen, or one with which it cannot be done: choose that which leaves least, and wait for the next K.
    const offers = [...table().querySelectorAll(".do .row")].filter((row) => row.querySelector(".knock"));
    const left = (row) => parseInt(row.querySelector(".then").textContent, 10);
    const best = offers.sort((a, b) => left(a) - left(b))[0];
    const slot = best && /\bd(\d+)\b/.exec(best.className)[1];
    if (slot) choose(cards().querySelector(`.k${slot}`).closest(".holder"));
  };
  const keys = {
    d: () => press(table().querySelector("#stock")),
    t: () => press(table().querySelector("button#upcard")),
    p: () => press(table().querySelector("#pass")),
    k: knock,
    h: () => press(table().querySelector("#hint")),
    n: () => press(table().querySelector("#next")),
    s: () => {
      const names = ["melds", "suits", "ranks"];
      if (cards()) sortBy(names[(names.indexOf(kept().sort ?? "melds") + 1) % names.length]);
    },
    Enter: () => press(shown(".throw")),
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
  };
  document.addEventListener("keydown", (event) => {
    const isField = event.target.matches?.("input:not(.pick), select, textarea, summary");
    if (!table() || isField || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && event.target.matches?.("a, button")) return; // it is pressed already
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!(name in keys)) return;
    event.preventDefault();
    if (event.shiftKey && name.startsWith("Arrow")) move(name === "ArrowLeft" ? -1 : 1);
    else keys[name]();
  });

  // A knock is laid out step by step, the first time; whoever comes back to it sees all at once.
  const SECONDS = 0.9;
  const seen = new Set();
  const unfold = () => {
    const list = document.querySelector("#table .laying");
    if (!list || seen.has(list.dataset.steps)) return;
    const steps = [...list.children];
    const isQuick = matchMedia("(prefers-reduced-motion: reduce)").matches || !wasPlaying;
    seen.add(list.dataset.steps);
    if (isQuick) return;
    steps.slice(1).forEach((item) => item.classList.add("to-come"));
    let next = 1;
    const timer = setInterval(() => {
      steps[next]?.classList.remove("to-come");
      next += 1;
      if (next >= steps.length) clearInterval(timer);
    }, SECONDS * 1000);
    list.addEventListener("click", () => { clearInterval(timer); steps.forEach((item) => item.classList.remove("to-come")); });
  };
  let wasPlaying = false;
  const drawn = () => {
    arrange();
    unfold();
    wasPlaying = Boolean(cards());
  };
  document.addEventListener("htmx:afterSwap", drawn);
  drawn();
})();
