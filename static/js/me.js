// My board: the reader chooses a name once. The search runs on this phone, in an index that is
// fetched once per version; the choice stays on the phone. What is shown is the page of the player,
// so nothing is made for one visitor.

import {
  FRESH, get, isKept, keepsChoices, make, makeButton, pageAt, parsed, say,
} from "./common.js";
import { choose, chosen, followedAddress, forget, whenChosenElsewhere } from "./follow.js";
import { findLines, namesNotFound, renewIndex, wordsOf } from "./names.js";

const MOST = 8; // names shown
const RESULT_EVERY = 20_000; // ms
const REPORT_EVERY = 300_000; // ms: only a report that the arbiters settle changes then

const page = document.getElementById("me");
const { tournament } = page.dataset;
const search = document.getElementById("me-search");
const shown = document.getElementById("me-shown");
const place = document.getElementById("me-player");
const field = document.getElementById("q");
const found = document.getElementById("me-found");
const result = document.getElementById("me-result");
const cardsPlace = document.getElementById("me-followed");
const statusLine = document.getElementById("me-status");
const isMirror = !document.getElementById("as-of"); // without a server
// Whether the chosen player could not be shown, or only as this phone keeps the page: then again
// when the server answers.
let isLost = false;
let areKept = false; // the same for the cards
let requests = 0; // an answer for a name that the reader has left meanwhile is not shown
let resultTimer;
let shownKey = document.getElementById("news")?.dataset.key; // the version of the cards
let index; // { address, players: [[entry id, number, name, folded words, what tells equal names apart], …] }, once it is fetched

// "/t/open/player/0/", or "player-0.html" at a mirror: the last 0 is the place of the number.
const addressOf = (entry) => page.dataset.player.replace(/0(?=[^0]*$)/, Number(entry));

async function fetchIndex() {
  const address = page.dataset.names;
  const answer = await get(address);
  if (!answer.ok) throw new Error(answer.status);
  const rows = await answer.json();
  const players = rows.map(([entry, number, name, more]) => [entry, number, name, [...wordsOf(name), String(number)], more]);
  return { address, players };
}

async function find() {
  try {
    if (index?.address !== page.dataset.names) index = await fetchIndex();
  } catch {
    say(statusLine, page.dataset.lost);
    return [];
  }
  const typed = field.value.trim();
  const { players } = index;
  const wordsOfPlayer = ([, , , own]) => own;
  const fitting = typed ? findLines(players, typed, wordsOfPlayer) : [];
  const missing = namesNotFound(fitting, typed, wordsOfPlayer).join(", ");
  found.replaceChildren(...fitting.slice(0, MOST).map(row));
  const words = typed || !players.length ? wordsFor(fitting.length, players.length) : "";
  say(statusLine, missing ? `${words} · ${page.dataset.missing} ${missing}` : words);
  return fitting;
}

// How many of *all* players fit, also for those who do not see the list.
function wordsFor(count, all) {
  const { empty, none, one, many, more } = page.dataset;
  if (!all) return empty;
  if (count > MOST) return more.replace("#", MOST).replace("*", count);
  return count > 1 ? many.replace("#", count) : count ? one : none;
}

function row([entry, number, name, , more]) {
  const button = makeButton("", () => take(entry, name));
  button.append(make("span", { className: "tpn", textContent: number }), ` ${name}`);
  if (more) {
    const [rating, ...others] = more;
    const apart = [rating && page.dataset.rated.replace("#", rating), ...others].filter(Boolean).join(" · ");
    button.append(" ", make("span", { className: "muted small", textContent: apart }));
  }
  return make("li", {}, button);
}

async function take(entry, name = "") {
  choose(tournament, { entry, name });
  if (await show(entry)) shown.focus({ preventScroll: true });
}

// The live part of the player's page; from then on it is replaced like every live part. The whole
// page is asked for: the worker of offline.js has it at once where the network does not answer.
async function show(entry, options = { cache: "no-cache" }) {
  const mine = ++requests;
  let answer;
  try {
    answer = await get(addressOf(entry), options);
  } catch {
    // Without network, or a server that is busy: the choice is kept for the next time.
  }
  if (mine !== requests) return false;
  if (answer?.status === 404) {
    choiceIsGone();
    return false;
  }
  isLost = !answer?.ok;
  if (isLost && options === FRESH && !shown.hidden) return false; // what is shown stays
  if (isLost) {
    search.hidden = false;
    say(statusLine, page.dataset.waits);
    return false;
  }
  const whole = parsed(await answer.text());
  if (mine !== requests) return false;
  isLost = isKept(whole);
  const part = whole.getElementById("live");
  place.replaceChildren(part);
  window.htmx?.process(part); // not at a mirror
  document.getElementById("me-page").href = addressOf(entry);
  document.getElementById("me-shared").href = addressOf(entry); // what the browser shares is the page of the player
  search.hidden = true;
  shown.hidden = false;
  showResult();
  return true;
}

// What an arbiter has entered for the own game, while its round runs, and a report that a result is
// wrong: also after the publication, when it takes the place of the link to the form. It is not
// public, so the page of the player does not have it, nor has a mirror.
async function showResult() {
  clearTimeout(resultTimer);
  resultTimer = undefined;
  const mine = chosen(tournament);
  const board = mine && !isMirror && place.querySelector("[data-plays], [data-mistake]");
  if ((board || place).nextElementSibling !== result) (board || place).after(result);
  if (!board) {
    result.replaceChildren();
    return;
  }
  const isLink = "mistake" in board.dataset;
  const timer = setTimeout(showResult, isLink ? REPORT_EVERY : RESULT_EVERY);
  resultTimer = timer;
  if (document.hidden) return;
  const address = result.dataset.address.replace(/0(?=[^0]*$)/, Number(mine.entry));
  const fresh = (await pageAt(address))?.body;
  // Without an answer, what was shown has its time. A late one is of the game shown before.
  if (!fresh || timer !== resultTimer) return;
  if (fresh.textContent !== result.textContent) result.replaceChildren(...fresh.childNodes);
  if (isLink) board.hidden = Boolean(result.querySelector("[data-reported]"));
}

async function showFollowed(options = { cache: "no-cache" }) {
  if (!cardsPlace) return; // at a mirror
  const address = followedAddress();
  const whole = await pageAt(address, options);
  const cards = whole?.getElementById("followed");
  if (address && !cards) return;
  areKept = Boolean(cards) && isKept(whole);
  putCards(cards);
}

function putCards(cards) {
  cardsPlace.replaceChildren(...(cards ? cards.childNodes : []));
  document.getElementById("me-cards").hidden = !cards;
  if (cards) document.getElementById("me-list").href = followedAddress();
  document.dispatchEvent(new Event("followed")); // static/js/follow.js
}

function searchAgain() {
  requests += 1;
  place.replaceChildren();
  showResult();
  shown.hidden = true;
  search.hidden = false;
  field.value = "";
  found.replaceChildren();
  say(statusLine, "");
}

function choiceIsGone() {
  isLost = false;
  forget(tournament);
  searchAgain();
  say(statusLine, page.dataset.gone);
}

field.addEventListener("input", find);
search.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const fitting = await find();
  if (fitting.length === 1) take(fitting[0][0], fitting[0][2]);
});
document.getElementById("me-forget").addEventListener("click", () => {
  forget(tournament);
  searchAgain();
  field.focus();
});

function showMine() {
  const mine = chosen(tournament);
  if (!mine || !shown.hidden) return;
  search.hidden = true;
  show(mine.entry);
}
document.getElementById("me-kept").hidden = !keepsChoices();
document.getElementById("me-not-kept").classList.toggle("without-scripts", keepsChoices());
const [, linked] = location.hash.match(/^#(\d+)$/) ?? [];
if (linked) {
  choose(tournament, { entry: linked, name: "" }); // on the page of the event, or in an e-mail
  show(linked);
  history.replaceState(null, "", location.pathname); // so that the address, passed on, chooses nothing for others
} else showMine();
showFollowed();
if (field.value && !search.hidden) find(); // typed before this script was there
addEventListener("online", showMine);
whenChosenElsewhere(tournament, () => {
  const mine = chosen(tournament);
  if (mine) show(mine.entry);
  else searchAgain();
});

function showLost() {
  const mine = chosen(tournament);
  if (isLost && mine) show(mine.entry, FRESH);
}
for (const name of ["htmx:afterSwap", "visibilitychange"]) document.addEventListener(name, showResult);
// The part of a player brings the tabs of the player's own page.
document.addEventListener("htmx:oobAfterSwap", () => {
  for (const tab of document.querySelectorAll("#event-tabs a")) {
    if (tab.pathname === location.pathname) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  document.dispatchEvent(new Event("tabs")); // app.js shows the current one
});
document.addEventListener("news:followed", () => showFollowed(FRESH)); // from another section
// static/js/news.js has asked for them: they are not asked for again if they are of its version.
document.addEventListener("news:cards", ({ detail: cards }) => {
  areKept = false;
  shownKey = cards.closest("#live")?.dataset.key;
  putCards(cards);
});
document.addEventListener("news:gone", choiceIsGone); // static/js/news.js: the entry of the player was removed
// static/js/news.js
document.addEventListener("news:answer", ({ detail: { news } }) => {
  if (areKept || shownKey !== news.key) showFollowed(FRESH);
  shownKey = news.key;
  // A page that stays open finds late entries too.
  if (renewIndex(page.dataset, news.key) && field.value && !search.hidden) find();
});
for (const name of ["news:answer", "mirror:answer"]) document.addEventListener(name, showLost);
// Not at a mirror. Nobody waits for it, so it does not delay what the page shows first.
addEventListener("load", () => document.getElementById("push") && import("./push.js"));
