// What tells the reader of *Me* and of the page of followed players: notifications, also while the
// page is closed, and what the open page does.

import { keep, keptObject, say } from "./common.js";
import { Unreached, count, isOn, players, renew, scope, switchOff, sync } from "./push_sync.js";

// Notifications: the browser asks for permission only after a tap ---------------------------------

const { people } = document.getElementById("news").dataset;
const section = document.getElementById("push");
const { dataset } = section;
const { tournament, worker } = dataset;
const line = document.getElementById("push-status");
const button = document.getElementById("push-button");

// Why there can be no notifications here; "" if there can.
function obstacle() {
  if (!window.isSecureContext) return dataset.plain;
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return dataset.unknown;
  return Notification.permission === "denied" ? dataset.blocked : "";
}

async function registered() {
  const registration = await navigator.serviceWorker.register(worker, { scope });
  const starting = registration.installing ?? registration.waiting;
  if (!registration.active && starting) {
    await new Promise((resolve) => starting.addEventListener("statechange", () => starting.state === "activated" && resolve()));
  }
  return registration;
}

function show(text = "") {
  const isOnNow = isOn(people);
  const players = count(people);
  const state = players === 1 ? dataset.one : dataset.many.replace("#", players);
  say(line, text || obstacle() || (isOnNow ? state : ""));
  button.hidden = Boolean(obstacle()) && !isOnNow;
  button.textContent = button.dataset[isOnNow ? "off" : "on"];
}

async function switchOn() {
  if (!players(tournament)) return dataset.nobody;
  if ((await Notification.requestPermission()) !== "granted") return obstacle() || dataset.blocked;
  const { pushManager } = await registered();
  const answer = await sync(tournament, people, pushManager);
  return answer?.problem ?? "";
}

button.addEventListener("click", async () => {
  button.disabled = true;
  try {
    show(await (isOn(people) ? switchOff(tournament, people) : switchOn()));
  } catch (error) {
    show(error instanceof Unreached ? dataset.unreached : dataset.lost);
  } finally {
    button.disabled = false;
  }
});

async function renewHere() {
  if (!isOn(people) || obstacle()) return;
  await registered();
  const answer = await renew(tournament, people);
  show(answer?.problem);
}

if (worker) {
  show();
  const again = () => renewHere().catch(() => {}); // the next page tries again
  again();
  document.addEventListener("players:changed", again); // follow.js
}

// The open page: a sound, a vibration, and the screen that stays on -------------------------------
//
// The choices stay on this phone.

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
  const mayBegin = can.awake && !document.hidden && (!lock || lock.released);
  if (awake && mayBegin) lock = await navigator.wakeLock.request("screen");
  else if (!awake && lock) await lock.release();
}

const tryToStayAwake = () => stayAwake().catch(() => {}); // the battery is low, for instance

function choose({ value, checked }) {
  keep(PLACE, JSON.stringify({ ...choices(), [value]: checked }));
}

for (const box of boxes) {
  if (box.checked) choose(box); // before this script was there
  box.checked = Boolean(choices()[box.value]);
  box.closest("label").hidden = !can[box.value];
  box.addEventListener("change", () => {
    choose(box);
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
