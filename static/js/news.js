// Public pages that stay open: ask for the small news file only, and fetch the page when it has a newer version. The bar
// says what is new. Without this file the page has a link to reload.

import { chosen } from "./chosen.js";

const FAST = 2_000; // ms: while somebody uses the page, and around an announced time
const FIRST = 5_000; // then longer and longer …
const SLOW = 20_000;
const SLOWEST = 60_000; // … on a page that nobody has touched for half an hour
const IN_USE = 60_000;
const FORGOTTEN = 30 * 60_000;
const BEFORE = 2 * 60_000; // an announced time: from so long before it
const AFTER = 15 * 60_000; // until so long after it, because publications are late and not early

const bar = document.getElementById("news");
const known = { key: bar.dataset.key, pairings: Number(bar.dataset.pairings), results: Number(bar.dataset.results) };
let announced = 0; // time of the next publication
let used = Date.now(); // when somebody last did something here
let quiet = 0; // answers without news
let failures = 0;
let took = 0; // ms that the last answer took
let timer;
let isAsking = false;

// The longest time until the next question. Each phone waits a bit less, so that they do not ask in step.
// A server that is slow to answer is asked less.
function longest() {
  if (failures) return Math.min(FIRST * 2 ** failures, SLOWEST);
  return Math.max(wanted(), Math.min(4 * took, SLOW));
}

function wanted() {
  const now = Date.now();
  if (now - used < IN_USE || (announced && now > announced - BEFORE && now < announced + AFTER)) return FAST;
  if (now - used > FORGOTTEN) return SLOWEST;
  return Math.min(FIRST * 1.15 ** quiet, SLOW);
}

function plan() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(ask, longest() * (0.7 + 0.3 * Math.random()));
}

async function ask() {
  clearTimeout(timer);
  if (document.hidden || isAsking) return;
  isAsking = true;
  try {
    // The ETag is sent with it, and no cookie.
    const begun = Date.now();
    const answer = await fetch(bar.dataset.news, { cache: "no-cache", credentials: "omit" });
    if (answer.status === 404) return; // the tournament is gone: nothing more to ask
    if (!answer.ok) throw new Error(answer.status);
    const news = await answer.json();
    failures = 0;
    took = Date.now() - begun;
    announced = news.next * 1000;
    quiet += 1;
    const isCurrent = news.key === known.key || (await update(news));
    // static/js/offline.js: when the page was last known to be current.
    document.dispatchEvent(new CustomEvent("news:answer", { detail: { news, isCurrent } }));
  } catch {
    failures = Math.min(failures + 1, 8);
    document.dispatchEvent(new Event("news:lost"));
  } finally {
    isAsking = false;
  }
  plan();
}

// Whether the page shows the newest version now.
async function update(news) {
  const live = document.getElementById("live");
  const part = live?.getAttribute("hx-get") ? await replace(live) : await replaceTabs();
  await announce(news, part);
  // A proxy may still have had the page before this one: then the next answer is newer than the page again.
  if (part.key && part.key !== news.key && part.key === known.key) return false;
  known.key = news.key;
  quiet = 0;
  return part.isNew;
}

async function replace(live) {
  const restore = keepPlace(live);
  await htmx.ajax("GET", live.getAttribute("hx-get"), { source: live, target: live, swap: "outerHTML" });
  restore();
  return { key: document.getElementById("live")?.dataset.key, isNew: true };
}

// A page that is not replaced while somebody reads it: its tabs are, and the bar has a link to reload.
async function replaceTabs() {
  const answer = await fetch(location.href, { cache: "no-cache" });
  if (!answer.ok) throw new Error(answer.status);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const tabs = page.getElementById("event-tabs");
  const mine = document.getElementById("event-tabs");
  const areOwn = "keysWork" in document.body.dataset; // the tabs of an arbiter, from own_part.js
  if (tabs && mine && !areOwn && !mine.contains(document.activeElement)) mine.replaceChildren(...tabs.childNodes);
  return { key: page.getElementById("news")?.dataset.key, isNew: false };
}

// What is on top of the screen stays there, when lines above it come or go.
function keepPlace(live) {
  const y = scrollY;
  const lines = (part) => [...part.querySelectorAll("tr, h2, section, p")];
  const top = y > 0 && lines(live).find((line) => line.getBoundingClientRect().top >= 0);
  const name = top && nameOf(top);
  const at = top && top.getBoundingClientRect().top;
  return () => {
    const fresh = document.getElementById("live");
    const same = top && fresh && lines(fresh).find((line) => nameOf(line) === name);
    if (same) scrollBy({ top: same.getBoundingClientRect().top - at, behavior: "instant" });
    else scrollTo({ top: y, behavior: "instant" });
  };
}

function nameOf(line) {
  return `${line.tagName} ${line.id || line.querySelector("a")?.getAttribute("href") || line.textContent.trim().slice(0, 60)}`;
}

async function announce(news, part) {
  const { dataset } = bar;
  const mine = await ownBoard(news);
  const isRound = news.pairings > known.pairings;
  const isResults = news.results > known.results;
  Object.assign(known, { pairings: news.pairings, results: news.results });
  if (mine && isRound) say(mine, `${dataset.tournament}me/`);
  else if (isRound) say(dataset.pairingsText.replace("#", news.pairings), dataset.pairingsUrl.replace("/0/", `/${news.pairings}/`));
  else if (isResults) say(dataset.resultsText.replace("#", news.results), dataset.resultsUrl.replace("/0/", `/${news.results}/`));
  else if (!part.isNew && !document.getElementById("me-search")) say(dataset.changed, location.href);
}

// Board and colour of the player whom the reader has chosen, in the words of that player's page; "" without one.
async function ownBoard(news) {
  const player = chosen(bar.dataset.tournament);
  if (!player || news.pairings <= known.pairings) return "";
  const here = document.querySelector(`#live [data-said][data-entry="${Number(player.entry)}"]`);
  if (here) return here.dataset.said.trim();
  try {
    const answer = await fetch(`${bar.dataset.tournament}player/${Number(player.entry)}/`, {
      cache: "no-cache",
      headers: { "HX-Request": "true" },
    });
    if (!answer.ok) return "";
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector("[data-said]")?.dataset.said.trim() ?? "";
  } catch {
    return "";
  }
}

function say(text, address) {
  const line = document.createElement("p");
  const link = document.createElement("a");
  link.href = address;
  link.textContent = text;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "small";
  close.textContent = bar.dataset.close;
  close.addEventListener("click", () => {
    bar.replaceChildren();
    document.body.classList.remove("has-news");
    document.getElementById("content").focus({ preventScroll: true });
  });
  line.append(link);
  bar.replaceChildren(line, close);
  document.body.classList.add("has-news");
}

function isUsed() {
  used = Date.now();
  quiet = 0;
}

for (const name of ["pointerdown", "keydown"]) {
  document.addEventListener(name, () => {
    const wasSlow = longest() > FAST;
    isUsed();
    if (wasSlow && !failures) plan();
  });
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return clearTimeout(timer);
  isUsed();
  ask();
});
// The Back button shows the page as it was left.
addEventListener("pageshow", (event) => event.persisted && ask());
addEventListener("online", ask);
plan();
