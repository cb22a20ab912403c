// What an open page does for news: a sound, a vibration, and the screen that stays on. The choices
// stay on this phone.

import { keep, keptObject } from "./common.js";

const PLACE = "alerts";
const HIGH = 880; // hertz
const LONG = 0.4; // seconds

const boxes = [...document.querySelectorAll("#page-alerts input")];
const choices = () => keptObject(PLACE) ?? {};
let sound;
let lock;
let shown; // the newest news

const can = {
  sound: "AudioContext" in window,
  vibration: "vibrate" in navigator,
  awake: "wakeLock" in navigator,
};

function ring() {
  const { currentTime, destination } = sound;
  const tone = sound.createOscillator();
  const loudness = sound.createGain();
  tone.frequency.value = HIGH;
  loudness.gain.setValueAtTime(0.3, currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, currentTime + LONG);
  tone.connect(loudness).connect(destination);
  tone.start();
  tone.stop(currentTime + LONG);
}

function alertReader() {
  const { sound: isLoud, vibration } = choices();
  if (isLoud && sound?.state === "running") ring();
  if (vibration) navigator.vibrate?.([200, 100, 200]);
}

// A browser lets a page make a sound only after a tap.
function prepare() {
  if (!choices().sound || !can.sound) return;
  sound ??= new AudioContext();
  sound.resume();
}

async function stayAwake() {
  const { awake } = choices();
  if (awake && can.awake && !document.hidden && (!lock || lock.released)) lock = await navigator.wakeLock.request("screen");
  else if (!awake && lock) await lock.release();
}

const tryToStayAwake = () => stayAwake().catch(() => {}); // the battery is low, for instance

for (const box of boxes) {
  box.checked = Boolean(choices()[box.value]);
  box.closest("label").hidden = !can[box.value];
  box.addEventListener("change", () => {
    keep(PLACE, JSON.stringify({ ...choices(), [box.value]: box.checked }));
    prepare();
    if (box.checked && box.value !== "awake") alertReader(); // how it will be
    tryToStayAwake();
  });
}
document.addEventListener("pointerdown", prepare);
document.addEventListener("visibilitychange", tryToStayAwake);
document.addEventListener("news:answer", ({ detail: { news } }) => {
  const { key, ...known } = news;
  const text = JSON.stringify(known);
  if (shown && text !== shown) alertReader();
  shown = text;
});
tryToStayAwake();
