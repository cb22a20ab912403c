// The button for notifications on *Me* and on the page of followed players. The browser asks for
// permission only after a tap.

import { say } from "./common.js";
import "./page_alerts.js";
import { Unreached, count, isOn, players, renew, scope, switchOff, sync } from "./push_sync.js";

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
