// What tells of the own turn: a notification (asked for by a button only), and a sound made here, of two notes.
"use strict";

(() => {
  const notify = document.querySelector("#notify");
  const sound = document.querySelector("#sound");
  const says = document.querySelector("#notify-says");
  if (!notify || !sound) return;
  const KEPT = "handful.attention";
  const kept = () => {
    try { return JSON.parse(localStorage.getItem(KEPT)) || {}; } catch { return {}; }
  };
  const keep = (name, isOn) => {
    try { localStorage.setItem(KEPT, JSON.stringify({ ...kept(), [name]: isOn })); } catch { /* private mode */ }
  };
  const draw = (button, isOn) => button.setAttribute("aria-pressed", String(isOn));

  const canNotify = "Notification" in window;
  let isNotified = Boolean(kept().notify) && canNotify && Notification.permission === "granted";
  draw(notify, isNotified);
  notify.addEventListener("click", async () => {
    if (!canNotify) { says.textContent = "This browser has no notifications here: it wants https, or this machine itself."; return; }
    isNotified = !isNotified && (await Notification.requestPermission()) === "granted";
    says.textContent = isNotified ? "You are notified when it is your turn and you look at another page."
      : Notification.permission === "denied" ? "The browser does not allow it: its settings for this page can."
        : "No notifications.";
    keep("notify", isNotified);
    draw(notify, isNotified);
  });

  // Browsers let a page sound only after somebody has touched it: so the first touch wakes what was switched on before.
  let heard = null;
  let isHeard = Boolean(kept().sound);
  const wake = () => {
    heard ??= new AudioContext();
    if (heard.state === "suspended") heard.resume();
  };
  const NOTES = [[659.25, 0], [987.77, 0.14]];  // e and b: hertz, and after how many seconds
  const play = () => {
    if (!heard) return;
    for (const [pitch, after] of NOTES) {
      const [tone, volume, start] = [heard.createOscillator(), heard.createGain(), heard.currentTime + after];
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.0001, start);
      volume.gain.exponentialRampToValueAtTime(0.18, start + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.4);
      tone.connect(volume).connect(heard.destination);
      tone.start(start);
      tone.stop(start + 0.45);
    }
  };
  draw(sound, isHeard);
  sound.addEventListener("click", () => {
    isHeard = !isHeard;
    keep("sound", isHeard);
    draw(sound, isHeard);
    if (isHeard) { wake(); play(); }
  });
  for (const kind of ["pointerdown", "keydown"]) {
    document.addEventListener(kind, () => { if (isHeard) wake(); }, { once: true });
  }

  document.addEventListener("handful:turn", (event) => {
    const { isMine, label } = event.detail;
    if (!isMine) return;
    if (isHeard) play();
    if (!isNotified || !document.hidden) return;
    try {
      const shown = new Notification("Your turn", { body: label, tag: location.pathname });
      shown.addEventListener("click", () => { window.focus(); shown.close(); });
    } catch { /* some phones notify for installed pages only */ }
  });
})();
