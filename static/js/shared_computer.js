// On a shared computer: when nobody has touched the page for as long as the session lasts, load it
// again. The server has ended the session by then and asks for a log-in, so nothing of the
// arbiter's stays on the screen.

const LOOK_EVERY = 10_000; // ms
const MARGIN = 5_000;

const allowed = Number(document.body.dataset.idleMinutes) * 60_000 + MARGIN;
let used = Date.now();

for (const kind of ["keydown", "pointerdown", "touchstart"]) {
  addEventListener(kind, () => (used = Date.now()), { capture: true, passive: true });
}
// Timers stand still while a laptop sleeps, the clock does not.
setInterval(() => {
  if (Date.now() - used > allowed) location.reload();
}, LOOK_EVERY);
