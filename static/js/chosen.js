// The player that the reader of this phone has chosen, for each tournament: { entry, name }. Nothing is sent to the server.

import { keep, keptObject } from "./storage.js";

const place = (tournament) => `chosen:${tournament}`;

export const chosen = (tournament) => keptObject(place(tournament));
export const choose = (tournament, player) => change(tournament, JSON.stringify(player));
export const forget = (tournament) => change(tournament, null);

function change(tournament, text) {
  keep(place(tournament), text);
  document.dispatchEvent(new Event("players:changed")); // static/js/push.js
}

// Whether this browser keeps a choice until the page is opened again: not where its storage is switched off.
export const keepsChoices = () => keep(place("?"), "") && keep(place("?"), null);

// Call *act* when another page of this phone chooses or forgets a player.
export function whenChosenElsewhere(tournament, act) {
  addEventListener("storage", ({ key }) => key === place(tournament) && act());
}
