// What the server knows of the notifications of this phone: its subscription and its players, sent
// when they change and once a day. This phone keeps what it has sent last; nothing means that
// notifications are off.

import { get, keep, keptObject } from "./common.js";
import { chosen, followedIds } from "./follow.js";

const AGAIN = 86_400_000; // ms

const place = (people) => `push:${people}`;

export const isOn = (people) => keptObject(place(people)) !== null;

// The players of this phone, as the server wants them; null without any.
export function players(tournament) {
  const own = Number(chosen(tournament)?.entry) || null;
  const followed = followedIds().map(Number).filter(Boolean);
  return own || followed.length ? { own, players: followed } : null;
}

// Send *values* to the server; its answer, which may have a problem.
async function send(tournament, token, values) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const body = JSON.stringify(values);
  const answer = await get(`${tournament}push/`, { method: "POST", headers, body });
  if (![200, 400, 409, 422].includes(answer.status)) throw new Error(answer.status);
  return answer.json();
}

// The key of the site, and the token with which values are sent.
const site = async (tournament) => (await get(`${tournament}push/`, { cache: "no-store" })).json();

// The push service of the browser could not be reached.
export class Unreached extends Error {}

// The subscription for the *key* of the site. One for another key gets nothing, so it is ended.
async function subscribed(pushManager, key) {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw new Unreached();
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  }
}

// Tell the server who the players of this phone are now; what it answers, or null if it knows.
export async function sync(tournament, people, pushManager) {
  const now = players(tournament) ?? { own: null, players: [] };
  const { lang } = document.documentElement;
  const written = ({ endpoint, keys }) => JSON.stringify([lang, { endpoint, ...keys, ...now }]);
  const last = keptObject(place(people));
  const mine = await pushManager.getSubscription();
  if (mine && last?.text === written(mine.toJSON()) && Date.now() - last.at < AGAIN) return null;
  const { key, token } = await site(tournament);
  const subscription = (await subscribed(pushManager, key)).toJSON();
  const text = written(subscription);
  const answer = await send(tournament, token, JSON.parse(text)[1]);
  keep(place(people), answer.problem ? null : JSON.stringify({ text, at: Date.now(), players: answer.players }));
  return answer;
}

// The folder of this script has no page: the worker is for messages alone, and offline_worker.js
// for pages.
export const scope = new URL("push/", import.meta.url).pathname;

async function managerHere() {
  return (await navigator.serviceWorker?.getRegistration(scope))?.pushManager;
}

export async function switchOff(tournament, people) {
  const mine = await (await managerHere())?.getSubscription();
  if (mine) {
    const { token } = await site(tournament);
    await send(tournament, token, { off: true, endpoint: mine.endpoint });
  }
  keep(place(people), null);
}

// The players of this phone may have changed, or the browser may have lost its subscription.
export async function renew(tournament, people) {
  const manager = isOn(people) && (await managerHere());
  if (!manager) return null;
  return players(tournament) ? sync(tournament, people, manager) : switchOff(tournament, people);
}

export const count = (people) => keptObject(place(people))?.players;
