// Public pages that stay open: ask for the small news file only, and fetch the page when it has a
// newer version. The bar says what is new. Without this file the page has a link to reload.

import {
  FRESH, get, htmxArrived, keepAsking, make, makeButton, pageAt, parsed, publishedSections,
} from "./common.js";
import { chosen, followedAddress } from "./follow.js";

const AGAIN = 5_000; // ms: after a failure, then longer and longer
const SLOW = 20_000;
const SLOWEST = 60_000;
const OTHERS_EVERY = 10_000;
const MOST_NAMED = 3; // players in the bar: it never covers the page of a reader who follows a club

const bar = document.getElementById("news");
const known = { key: bar.dataset.key, pairings: Number(bar.dataset.pairings), results: Number(bar.dataset.results) };
let pace = 1_500; // ms: what the server asks for (tournaments/web/pace.py)
// How often the pairings of the newest round were changed, and the newest standings corrected;
// unknown before the first answer.
let changes;
let corrected;
let isFinal; // whether the standings are final
let doubted = ""; // the version of an answer that knows less than this page
let announcedKey = ""; // the version that the bar has announced, also if the page could not be fetched
let isGone = false; // there is no tournament at this address
const said = new Set(); // the boards of followed players that the reader has seen or heard of
let eventKey; // of the news of the event, which are those of the other sections too
let askedOthers = 0; // ms: when they were asked for last
let failures = 0;
let took = 0; // ms that the last answer took

// The longest time until the next question. A server that is slow to answer is asked less.
function longest() {
  if (failures) return Math.min(AGAIN * 2 ** failures, SLOWEST);
  return Math.max(pace, Math.min(4 * took, SLOW));
}

async function ask() {
  try {
    // No cookie is sent with it. After a 304 the server ends the connection; over https another one
    // costs more than the 59 bytes of the whole file, so it is asked for whole.
    const begun = Date.now();
    const cache = location.protocol === "https:" ? "no-store" : "no-cache";
    const answer = await get(bar.dataset.news, { cache, credentials: "omit" });
    if (answer.status === 404) sayGone();
    if (!answer.ok) throw new Error(answer.status);
    const news = await answer.json();
    failures = 0;
    took = Date.now() - begun;
    pace = 1_000 * Number(answer.headers.get("X-Ask-Again"));
    if (isGone) hush();
    isGone = false;
    if (!isDoubtful(news)) await follow(news, Date.parse(answer.headers.get("Date")) || Date.now());
    await askOthers();
  } catch {
    failures = Math.min(failures + 1, 8);
    document.dispatchEvent(new Event("news:lost"));
  }
  return longest();
}

// Bring the page up to *news*, which the server sent *at* this time.
async function follow(news, at) {
  const isCurrent = news.key === known.key || (await update(news));
  changes = news.changes ?? 0;
  corrected = news.corrected ?? 0;
  isFinal = Boolean(news.final);
  // static/js/offline.js: when the page was last known to be current.
  document.dispatchEvent(new CustomEvent("news:answer", { detail: { news, isCurrent, at } }));
}

// A followed player may play in another section, whose news this page does not ask for: the event's
// say that it has some.
async function askOthers() {
  const { people, tournament } = bar.dataset;
  if (!tournament || people === tournament || !followedAddress()) return;
  if (Date.now() - askedOthers < OTHERS_EVERY) return;
  askedOthers = Date.now();
  const options = { cache: "no-cache", credentials: "omit" };
  const answer = await get(`${people}news.json`, options).catch(() => null);
  const key = answer?.ok ? (await answer.json()).key : eventKey;
  if (key === eventKey) return;
  const isFirst = !eventKey;
  eventKey = key;
  const fresh = (await theirBoards()).filter((text) => !said.has(text));
  for (const text of fresh) said.add(text);
  if (isFirst) return;
  if (fresh.length) say(first(fresh).join(" · "), `${tournament}me/`);
  document.dispatchEvent(new Event("news:followed")); // me.js
}

// Whether less is published than this page knows: a proxy had an older answer, or a restored copy
// took something back. The second answer in a row is believed.
function isDoubtful(news) {
  const isFirst = isEarlier(news) && doubted !== news.key;
  doubted = isFirst ? news.key : "";
  return isFirst;
}

function isEarlier(news) {
  if (!bar.dataset.tournament || news.pairings > known.pairings || news.results > known.results) return false;
  const hasFewerRounds = news.pairings < known.pairings || news.results < known.results;
  return hasFewerRounds || (news.changes ?? 0) < (changes ?? 0);
}

// Whether the page shows the newest version now.
async function update(news) {
  const live = document.getElementById("live");
  const before = publishedSections();
  // The reader hears of it before the page itself has come.
  const announced = bar.dataset.tournament ? announce(news) : undefined;
  const part = live?.getAttribute("hx-get") ? await replace(live) : await replaceTabs();
  if (!bar.dataset.tournament) announceSections(before);
  else {
    await announced;
    const isAnnounced = announcedKey === news.key || part.isNew || document.getElementById("me-search");
    if (!isAnnounced) say(bar.dataset.changed, location.href);
  }
  // A proxy may still have had the page before this one: then the next answer is newer than the
  // page again.
  if (part.key && part.key !== news.key && part.key === known.key) return false;
  known.key = news.key;
  return part.isNew;
}

async function replace(live) {
  if (!(await htmxArrived())) throw new Error("htmx has not arrived");
  const restore = keepPlace(live);
  const heading = live.querySelector("h1")?.textContent.trim();
  let status = 0;
  live.addEventListener("htmx:afterRequest", ({ detail }) => (status = detail.xhr.status), { once: true });
  await htmx.ajax("GET", live.getAttribute("hx-get"), { source: live, target: live, swap: "outerHTML" });
  if (status === 404) showGone(live);
  else if (status >= 400) throw new Error(status);
  const fresh = document.getElementById("live");
  retitle(heading, fresh?.querySelector("h1"));
  restore();
  return { key: fresh?.dataset.key, isNew: true };
}

// The title begins with the heading, such as a name that is shown with initials now.
function retitle(before, heading) {
  const [was, is] = [before, heading?.textContent.trim()];
  if (was && is && document.title.startsWith(was)) document.title = is + document.title.slice(was.length);
}

// What the page shows is not there any more, such as a player whose entry was removed, or a round
// that a restored copy does not have. My board lets the reader choose again (me.js). Any other page
// says so, and shows it when it comes back.
function showGone(live) {
  if (document.getElementById("me-search")) return document.dispatchEvent(new Event("news:gone"));
  const hadFocus = live.contains(document.activeElement);
  live.replaceChildren(make("p", { className: "notice", textContent: bar.dataset.gone }));
  // It no longer shows a version, so the next answer is a page and not that nothing has changed.
  const address = new URL(live.getAttribute("hx-get"), location);
  address.searchParams.delete("v");
  live.setAttribute("hx-get", address.pathname + address.search);
  if (hadFocus) document.getElementById("content").focus({ preventScroll: true });
}

// A page that is not replaced while somebody reads it: its tabs are, and the bar has a link to
// reload.
async function replaceTabs() {
  const answer = await get(location.href, { cache: "no-cache" });
  if (answer.status === 404) {
    say(bar.dataset.gone, bar.dataset.tournament || location.href);
    return { isNew: true };
  }
  if (!answer.ok) throw new Error(answer.status);
  const page = parsed(await answer.text());
  const tabs = page.getElementById("event-tabs");
  const mine = document.getElementById("event-tabs");
  const areOwn = "keysWork" in document.body.dataset; // the tabs of an arbiter, from session_fragment.js
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

async function announce(news) {
  const [text, address] = newest(news);
  const isPaired = news.pairings > known.pairings;
  const [mine, theirs] = isPaired ? await Promise.all([ownBoard(), theirBoards()]) : ["", []];
  for (const each of theirs) said.add(each);
  Object.assign(known, { pairings: news.pairings, results: news.results });
  const all = [mine || text, ...first(theirs)].filter(Boolean).join(" · ");
  if (!all) return;
  announcedKey = news.key;
  say(all, mine || theirs.length ? `${bar.dataset.tournament}me/` : address);
}

// The text and the address of what is new. The counts of the first answer are not new.
function newest(news) {
  const { dataset } = bar;
  const pairings = dataset.pairingsUrl.replace("/0/", `/${news.pairings}/`);
  const results = dataset.resultsUrl.replace("/0/", `/${news.results}/`);
  const { pairingsText, resultsText, standingsFinal, standingsReopened } = dataset;
  if (news.pairings > known.pairings) return [pairingsText.replace("#", news.pairings), pairings];
  if (news.results > known.results) return [resultsText.replace("#", news.results), results];
  if (isEarlier(news)) return [dataset.takenBack, dataset.tournament];
  if (isFinal === undefined) return [];
  const end = news.final ? standingsFinal : standingsReopened;
  if (Boolean(news.final) !== isFinal) return [end, results];
  if ((news.changes ?? 0) > changes) return [changed(news), pairings];
  return (news.corrected ?? 0) > corrected ? [correction(news), results] : [];
}

function announceSections(before) {
  const fresh = [...publishedSections()].filter(([text]) => !before.has(text));
  if (fresh.length) say(fresh.map(([text]) => text).join(" · "), fresh[0][1]);
}

// Which published pairings were changed: the boards, if the file names all that this page does not
// know yet.
function changed(news) {
  const { dataset } = bar;
  const boards = news.changes === changes + 1 ? (news.boards ?? []) : [];
  const text = boards.length > 1 ? dataset.boardsChanged : boards.length ? dataset.boardChanged : dataset.pairingsChanged;
  const list = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(boards.map(String));
  return text.replace("#", news.pairings).replace("*", list);
}

// What was corrected: a result, if the file names it, or the standings. The end of an adjourned
// game corrects nothing.
function correction(news) {
  const { dataset } = bar;
  const [round, board] = news.ended ?? news.board ?? [];
  if (!round) return dataset.standingsCorrected.replace("#", news.results);
  return (news.ended ? dataset.gameEnded : dataset.resultCorrected).replace("#", round).replace("*", board);
}

// Board and colour of the player whom the reader has chosen, in the words of that player's page; ""
// without one.
async function ownBoard() {
  const { tournament } = bar.dataset;
  const player = chosen(tournament);
  if (!player) return "";
  const page = await pageAt(`${tournament}player/${Number(player.entry)}/`, FRESH);
  return page?.querySelector("[data-announcement]")?.dataset.announcement.trim() ?? "";
}

// The first of *boards*, and how many more there are.
function first(boards) {
  const more = boards.length - MOST_NAMED;
  return more > 0 ? [...boards.slice(0, MOST_NAMED), bar.dataset.more.replace("#", more)] : boards;
}

// The boards of the players whom the reader follows, in the words of their cards.
async function theirBoards() {
  const page = await pageAt(followedAddress(), FRESH);
  const cards = page?.getElementById("followed");
  if (!cards) return [];
  const published = [...cards.querySelectorAll("[data-published]")];
  document.dispatchEvent(new CustomEvent("news:cards", { detail: cards })); // me.js
  return published.map((card) => card.dataset.published.replace(/\s+/g, " "));
}

function say(text, address) {
  const link = make("a", { href: address, textContent: text });
  const line = make("p", {}, link);
  const quiet = () => {
    hush();
    document.getElementById("content").focus({ preventScroll: true });
  };
  const close = makeButton("×", quiet, { className: "close", title: bar.dataset.close, "aria-label": bar.dataset.close });
  // A page that is not replaced, such as the crosstable, still shows what was there before.
  const isOld = bar.dataset.tournament && !document.getElementById("live") && !document.getElementById("me-search");
  if (isOld && address !== location.href) {
    line.append(" · ", make("a", { href: location.href, textContent: bar.dataset.reload }));
  }
  const hadFocus = bar.contains(document.activeElement);
  bar.replaceChildren(line, close);
  if (hadFocus) link.focus({ preventScroll: true });
  document.documentElement.classList.add("has-news");
}

function hush() {
  bar.replaceChildren();
  document.documentElement.classList.remove("has-news");
}

// The tournament is not at this address any more. It is asked for now and then: a restored copy may
// bring it back.
function sayGone() {
  if (!isGone) say(bar.dataset.gone, location.href);
  isGone = true;
  failures = 8;
}

keepAsking(ask, pace);
