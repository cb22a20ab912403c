// Public pages that stay open: ask for the small news file only, and fetch the page when it has a newer version. The bar
// says what is new. Without this file the page has a link to reload.

import { chosen } from "./chosen.js";

const FAST = 1_500; // ms: with the time of an answer, a publication is announced within two seconds
const AWAITED = 1_000; // around an announced time
const AGAIN = 5_000; // after a failure, then longer and longer
const SLOW = 20_000; // a page on which nothing has happened for a working day
const SLOWEST = 60_000;
const FORGOTTEN = 8 * 60 * 60_000;
const BEFORE = 2 * 60_000; // an announced time: from so long before it
const AFTER = 15 * 60_000; // until so long after it, because publications are late and not early

const bar = document.getElementById("news");
const known = { key: bar.dataset.key, pairings: Number(bar.dataset.pairings), results: Number(bar.dataset.results) };
let announced = 0; // time of the next publication
let used = Date.now(); // when somebody last did something here, or something was announced
let pace = 0; // ms: what the server asks for while very many pages are open
// How often the pairings of the newest round were changed, and the newest standings corrected; unknown before the first
// answer.
let changes;
let corrected;
let failures = 0;
let took = 0; // ms that the last answer took
let timer;
let isAsking = false;

// The longest time until the next question. Each phone waits a bit less, so that they do not ask in step.
// A server that is slow to answer is asked less.
function longest() {
  if (failures) return Math.min(AGAIN * 2 ** failures, SLOWEST);
  const now = Date.now();
  const isAwaited = announced && now > announced - BEFORE && now < announced + AFTER;
  const wanted = isAwaited ? AWAITED : now - used > FORGOTTEN ? SLOW : FAST;
  return Math.max(wanted, pace, Math.min(4 * took, SLOW));
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
    pace = 1000 * Number(answer.headers.get("X-Ask-Again"));
    announced = (news.next ?? 0) * 1000;
    const isCurrent = news.key === known.key || (await update(news));
    changes = news.changes ?? 0;
    corrected = news.corrected ?? 0;
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
  const before = sectionsSaid();
  // The reader hears of it before the page itself has come.
  const said = bar.dataset.tournament ? announce(news) : undefined;
  const part = live?.getAttribute("hx-get") ? await replace(live) : await replaceTabs();
  if (!bar.dataset.tournament) announceSections(before);
  else if (!(await said) && !part.isNew && !document.getElementById("me-search")) say(bar.dataset.changed, location.href);
  // A proxy may still have had the page before this one: then the next answer is newer than the page again.
  if (part.key && part.key !== news.key && part.key === known.key) return false;
  known.key = news.key;
  used = Date.now();
  return part.isNew;
}

async function replace(live) {
  const restore = keepPlace(live);
  let status = 0;
  live.addEventListener("htmx:afterRequest", ({ detail }) => (status = detail.xhr.status), { once: true });
  await htmx.ajax("GET", live.getAttribute("hx-get"), { source: live, target: live, swap: "outerHTML" });
  if (status === 404) showGone();
  else if (status >= 400) throw new Error(status);
  restore();
  return { key: document.getElementById("live")?.dataset.key, isNew: true };
}

// What the page shows is not there any more, such as a player whose entry was removed. My board lets the reader choose
// again (me.js); any other page shows what a reload shows.
function showGone() {
  if (document.getElementById("me-search")) document.dispatchEvent(new Event("news:gone"));
  else location.reload();
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

// Say what *news* is about; whether there was anything to say.
async function announce(news) {
  const { dataset } = bar;
  const isRound = news.pairings > known.pairings;
  const isResults = news.results > known.results;
  const isChange = !isRound && changes !== undefined && (news.changes ?? 0) > changes;
  const isCorrection = !isResults && corrected !== undefined && (news.corrected ?? 0) > corrected;
  Object.assign(known, { pairings: news.pairings, results: news.results });
  const mine = isRound ? await ownBoard() : "";
  if (mine) say(mine, `${dataset.tournament}me/`);
  else if (isRound) say(dataset.pairingsText.replace("#", news.pairings), dataset.pairingsUrl.replace("/0/", `/${news.pairings}/`));
  else if (isResults) say(dataset.resultsText.replace("#", news.results), dataset.resultsUrl.replace("/0/", `/${news.results}/`));
  else if (isChange) say(changed(news), dataset.pairingsUrl.replace("/0/", `/${news.pairings}/`));
  else if (isCorrection) say(correction(news), dataset.resultsUrl.replace("/0/", `/${news.results}/`));
  return isRound || isResults || isChange || isCorrection;
}

// The page of an event: its parts say what is published in each section.
function sectionsSaid() {
  return new Map([...document.querySelectorAll("#live [data-published]")].map((link) => [link.dataset.published, link.href]));
}

function announceSections(before) {
  const fresh = [...sectionsSaid()].filter(([text]) => !before.has(text));
  if (fresh.length) say(fresh.map(([text]) => text).join(" · "), fresh[0][1]);
}

// Which published pairings were changed: the boards, if the file names all that this page does not know yet.
function changed(news) {
  const { dataset } = bar;
  const boards = news.changes === changes + 1 ? (news.boards ?? []) : [];
  const text = boards.length > 1 ? dataset.boardsChanged : boards.length ? dataset.boardChanged : dataset.pairingsChanged;
  const list = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(boards.map(String));
  return text.replace("#", news.pairings).replace("*", list);
}

// What was corrected: a result, if the file names it, or the standings.
function correction(news) {
  const { dataset } = bar;
  if (!news.board) return dataset.standingsCorrected.replace("#", news.results);
  const [round, board] = news.board;
  return dataset.resultCorrected.replace("#", round).replace("*", board);
}

// Board and colour of the player whom the reader has chosen, in the words of that player's page; "" without one.
async function ownBoard() {
  const player = chosen(bar.dataset.tournament);
  if (!player) return "";
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
  close.className = "close";
  close.textContent = "×";
  close.title = bar.dataset.close;
  close.setAttribute("aria-label", bar.dataset.close);
  close.addEventListener("click", () => {
    bar.replaceChildren();
    document.body.classList.remove("has-news");
    document.getElementById("content").focus({ preventScroll: true });
  });
  line.append(link);
  // A page that is not replaced, such as the crosstable, still shows what was there before.
  const isOld = bar.dataset.tournament && !document.getElementById("live") && !document.getElementById("me-search");
  if (isOld && address !== location.href) {
    const again = document.createElement("a");
    again.href = location.href;
    again.textContent = bar.dataset.reload;
    line.append(" · ", again);
  }
  bar.replaceChildren(line, close);
  document.body.classList.add("has-news");
}

for (const name of ["pointerdown", "keydown"]) {
  document.addEventListener(name, () => {
    const before = longest();
    used = Date.now();
    if (longest() < before) plan();
  });
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return clearTimeout(timer);
  used = Date.now();
  ask();
});
// The Back button shows the page as it was left.
addEventListener("pageshow", (event) => event.persisted && ask());
addEventListener("online", ask);
plan();
