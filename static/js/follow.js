// The players whom the reader of this phone follows and the one whom the reader has chosen. On each
// public page: stars that follow and unfollow, and the rows of these players marked. The server
// only learns the followed ones in the question for their boards.

import { keep, keepsChoices, keptObject, make } from "./common.js";

const MOST_LINKS = 8;
const isKeeping = keepsChoices(); // else the stars stay links to the cards of their players

// The chosen player, for each tournament: { entry, name }.

const placeOf = (tournament) => `chosen:${tournament}`;

export const chosen = (tournament) => keptObject(placeOf(tournament));
export const choose = (tournament, player) => change(placeOf(tournament), player);
export const forget = (tournament) => change(placeOf(tournament), null);

function change(place, value) {
  keep(place, value && JSON.stringify(value));
  document.dispatchEvent(new Event("players:changed")); // static/js/push.js
}

// Call *act* when another page of this phone chooses or forgets a player.
export function whenChosenElsewhere(tournament, act) {
  addEventListener("storage", ({ key }) => key === placeOf(tournament) && act());
}

// The followed players, for each event: their entry ids.

const { tournament, people, theirRows } = document.getElementById("news")?.dataset ?? {};
const place = `followed:${people}`;
export const followedIds = () => keptObject(place) ?? [];

// The address of the page with a card for each of them; "" if there is nobody.
export const followedAddress = () => (tournament && followedIds().length ? `${tournament}follow/?p=${followedIds().join(".")}` : "");

function show() {
  const ids = followedIds();
  for (const star of isKeeping ? document.querySelectorAll("[data-follow]") : []) {
    star.setAttribute("role", "button");
    star.setAttribute("aria-pressed", star.dataset.follow.split(".").every((id) => ids.includes(id)));
  }
  mark(new Set([String(chosen(tournament)?.entry), ...ids]));
}

// The rows of these players, and a link to each of them.
function mark(ids) {
  document.querySelector(".their-rows")?.remove();
  for (const row of document.querySelectorAll("tr.theirs")) row.classList.remove("theirs");
  const isTheirs = ({ pathname }) => ids.has(pathname.match(/\/player\/(\d+)\/$/)?.[1]);
  const all = [...document.querySelectorAll("tr .to-player")].filter(isTheirs);
  for (const link of all) link.closest("tr").classList.add("theirs");
  const links = all.filter((link) => link.closest("#live tr[id]"));
  if (!links.length) return;
  const shown = links.slice(0, MOST_LINKS).map((link) =>
    make("a", { className: "button small", href: `#${link.closest("tr").id}`, textContent: link.textContent.trim() }),
  );
  document.getElementById("live").prepend(make("nav", { className: "their-rows only-screen", "aria-label": theirRows }, ...shown));
}

document.addEventListener("click", (event) => {
  const star = event.target.closest("[data-follow]");
  if (!isKeeping || !star || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const ids = star.dataset.follow.split(".");
  const others = followedIds().filter((id) => !ids.includes(id));
  const isOn = star.getAttribute("aria-pressed") === "true";
  change(place, isOn ? others : [...others, ...ids]);
  show();
  const isNotified = keptObject(`push:${people}`) && !document.getElementById("push");
  if (isNotified) import("./push_sync.js").then(({ renew }) => renew(tournament, people)).catch(() => {});
});
addEventListener("storage", ({ key }) => key === place && show());
for (const name of ["htmx:afterSwap", "followed"]) document.addEventListener(name, show);
show();
// A list that this phone follows is not offered to it, so that no tap ends all of them by mistake.
for (const list of document.querySelectorAll("[data-follow-list]")) {
  list.hidden = list.getAttribute("aria-pressed") === "true";
}
