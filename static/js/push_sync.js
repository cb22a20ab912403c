// What the server knows of the notifications of this phone: its subscription and its players, sent when they change and once
// a day. This phone keeps what it has sent last; nothing means that notifications are off.

import { chosen } from "./chosen.js";
import { followedIds } from "./follow.js";
import { get } from "./network.js";
import { keep, keptObject } from "./storage.js";

const AGAIN = 86_400_000; // ms

const place = (people) => `push:${people}`;

export const isOn = (people) => keptObject(place(people)) !== null;

// The players of this phone, as the server wants them; null without any.
export function players(tournament) {
  const own = Number(chosen(tournament)?.entry) || null;
  const followed = followedIds().map(Number).filter(Boolean);
  return own || followed.length ? { own, players: followed } : null;
}

// Send *values* to the address *push* of a tournament; its answer, which may have a problem.
async function send(push, values) {
  const { token } = await (await get(push, { cache: "no-store" })).json();
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const answer = await get(push, { method: "POST", headers, body: JSON.stringify(values) });
  if (![200, 400, 409, 422].includes(answer.status)) throw new Error(answer.status);
  return answer.json();
}

// Tell the server who the players of this phone are now; what it answers, or null if it knows.
export async function sync(tournament, people, subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const values = { endpoint, ...keys, ...(players(tournament) ?? { own: null, players: [] }) };
  const text = JSON.stringify([document.documentElement.lang, values]);
  const last = keptObject(place(people));
  if (last?.text === text && Date.now() - last.at < AGAIN) return null;
  const answer = await send(`${tournament}push/`, values);
  keep(place(people), answer.problem ? null : JSON.stringify({ text, at: Date.now(), players: answer.players }));
  return answer;
}

// The folder of this script has no page: the worker is for messages alone, and offline_worker.js for pages.
export const scope = new URL("push/", import.meta.url).pathname;

export async function subscriptionHere() {
  const registration = await navigator.serviceWorker?.getRegistration(scope);
  return registration?.pushManager.getSubscription();
}

export async function switchOff(tournament, people) {
  const mine = await subscriptionHere();
  if (mine) await send(`${tournament}push/`, { off: true, endpoint: mine.endpoint });
  forget(people);
}

// The players of this phone have changed. The page of the button asks again for a subscription that the browser has lost.
export async function renew(tournament, people) {
  const mine = isOn(people) && (await subscriptionHere());
  if (!mine) return null;
  return players(tournament) ? sync(tournament, people, mine) : switchOff(tournament, people);
}

export const count = (people) => keptObject(place(people))?.players;

const forget = (people) => keep(place(people), null);
