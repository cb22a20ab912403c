// A page of a mirror: check the signature of the manifest and the content of this page, go on to
// the newest version, and look for a new one. docs/developer/mirror.md has the rules.

import {
  get as limited, keep, keepAsking, keptObject, make, publishedSections, say, siteTime,
} from "./common.js";

const EVERY = 10_000; // ms
const SLOWEST = 120_000;
const TIME = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

const state = document.getElementById("mirror");
const entrance = document.getElementById("entrance");
const bar = document.getElementById("news");
const root = new URL(state ? "../../" : "./", location.href);
const moved = "mirror moved"; // in sessionStorage: what the page before this one showed
let manifest; // the newest one whose signature is right
let counter; // of the manifest that was read last
let failures = 0;

class Doubt extends Error {} // its message is the name of the words

const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

async function sha256(content) {
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return Array.from(found, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function get(path, cache = "no-cache") {
  const answer = await limited(new URL(path, root), { cache, credentials: "omit" });
  if (!answer.ok) throw new Error(answer.status);
  document.dispatchEvent(new Event("mirror:answer")); // for static/js/me.js
  return answer;
}

// The manifest. Its *doubt* names the words why it was not checked; a wrong one is not read at all.
async function fetchManifest() {
  const file = await (await get("manifest.json")).json();
  const found = { ...JSON.parse(file.signed), key: file.key };
  if (!globalThis.crypto?.subtle) return { ...found, doubt: "noHttps" };
  let key;
  try {
    key = await crypto.subtle.importKey("raw", bytes(file.key), { name: "Ed25519" }, false, ["verify"]);
  } catch {
    return { ...found, doubt: "cannot" };
  }
  const signed = new TextEncoder().encode(file.signed);
  const isRight = await crypto.subtle.verify("Ed25519", key, bytes(file.signature), signed);
  const isOurs = !state || found.tournament === state.dataset.tournament;
  if (!isRight || !isOurs || found.format !== "swiss-arbiter-mirror-1") throw new Doubt("wrong");
  return found;
}

// What this device knows of the mirror: its key, and the newest version.
function compareWithMemory(found) {
  const name = `mirror ${found.tournament}`;
  const known = keptObject(name);
  if (known && known.key !== found.key) throw new Doubt("otherKey");
  if (known && known.counter > found.counter) throw new Doubt("older");
  return keep(name, JSON.stringify({ key: found.key, counter: found.counter })) && !known;
}

// The SHA-256 of a page: in the manifest, or for the page of a player in a list that has its own
// there.
async function hashOf(page, found) {
  const number = page.match(/\/player-(\d+)\.html$/)?.[1];
  if (!number) return found.files[page];
  const list = `${page.split("/")[0]}/hashes-${number % 32}.json`;
  if (!(list in found.files)) return undefined;
  const content = await (await get(`${found.folder}/${list}`)).arrayBuffer();
  if ((await sha256(content)) !== found.files[list]) throw new Doubt("otherPage");
  return JSON.parse(new TextDecoder().decode(content))[page];
}

// Go to the same page in the folder that visitors read. Return whether the page is left.
async function goOn(found) {
  const { page, language } = state.dataset;
  const [folder] = location.pathname.slice(root.pathname.length).split("/");
  if (folder === found.folder) return false;
  const isThere = !globalThis.crypto?.subtle || (await hashOf(page, found));
  const target = isThere ? page : `${language}/index.html`;
  const { pairings, results } = bar?.dataset ?? {};
  remember({ y: scrollY, pairings: Number(pairings), results: Number(results), sections: [...publishedSections().keys()] });
  location.replace(new URL(`${found.folder}/${target}${location.search}${location.hash}`, root));
  return true;
}

// Where nothing is kept, the page begins at its top.
const remember = (what) => keep(moved, JSON.stringify(what), "sessionStorage");

function remembered() {
  const found = keptObject(moved, "sessionStorage");
  keep(moved, null, "sessionStorage");
  return found;
}

// Whether this page is the one in the manifest; a browser may have kept an older one.
async function checkPage(found) {
  const wanted = await hashOf(state.dataset.page, found);
  for (const cache of ["no-cache", "reload"]) {
    const content = await (await get(location.href, cache)).arrayBuffer();
    if ((await sha256(content)) === wanted) return cache === "reload";
  }
  throw new Doubt("otherPage");
}

// Without a check the newest version is shown all the same, and the page says that it was not
// checked.
async function check() {
  try {
    const found = await fetchManifest();
    counter = found.counter;
    const isNew = !found.doubt && compareWithMemory(found);
    if (!found.doubt) manifest = found;
    if (!state) return enter(found);
    if (await goOn(found)) return;
    if (found.doubt) return show(found.doubt, manifest);
    const wasOld = await checkPage(found);
    const seen = remembered();
    if (wasOld && !seen?.again) {
      remember({ again: true });
      location.reload();
      return;
    }
    show("checked", found, isNew);
    if (seen) goneOn(seen);
  } catch (error) {
    if (state) show(error instanceof Doubt ? error.message : "lost", manifest);
  }
}

function enter(found) {
  const wanted = navigator.languages.map((language) => language.split("-")[0]);
  const links = [...entrance.querySelectorAll("a")];
  const link = wanted.map((code) => links.find((each) => each.hreflang === code)).find(Boolean) ?? links[0];
  const page = `${link.hreflang}/${entrance.dataset.page}`;
  location.replace(new URL(`${found.folder}/${page}${location.hash}`, root));
}

function show(name, found, isNew) {
  const { dataset } = state;
  const at = found ? new Date(found.at * 1000) : new Date(document.lastModified);
  const values = { "#k": (found?.key ?? "").slice(0, 16).replace(/(.{4})(?=.)/g, "$1 "), "#v": found?.version, "#t": siteTime(at, state.dataset.language, TIME) };
  const words = dataset[name] + (isNew ? ` ${dataset.newKey}` : "");
  say(state, words.replace(/#[kvt]/g, (place) => values[place] ?? ""));
  const isGood = name === "checked";
  state.dataset.state = name;
  state.classList.toggle("notice", !isGood);
  const main = document.getElementById("content");
  if (isGood) main.append(state);
  else main.prepend(state);
}

// After a page has gone on by itself: where the reader was, and what is new.
function goneOn(seen) {
  if (seen.y) scrollTo({ top: seen.y, behavior: "instant" });
  const { dataset } = bar ?? {};
  if (!dataset || seen.pairings === undefined) return;
  const fresh = [...publishedSections()].filter(([words]) => !seen.sections.includes(words));
  if (fresh.length) showNews(fresh.map(([words]) => words).join(" · "), fresh[0][1]);
  const pairings = Number(dataset.pairings);
  const results = Number(dataset.results);
  if (pairings > seen.pairings) showNews(dataset.pairingsText.replace("#", pairings), dataset.pairingsUrl.replace("-0.", `-${pairings}.`));
  else if (results > seen.results) showNews(dataset.resultsText.replace("#", results), dataset.resultsUrl.replace("-0.", `-${results}.`));
}

function showNews(words, address) {
  bar.replaceChildren(make("p", {}, make("a", { href: address, textContent: words })));
  document.documentElement.classList.add("has-news");
}

async function ask() {
  try {
    const news = await (await get("news.json")).json();
    failures = 0;
    if (news.n !== counter) await check();
    counter = news.n;
  } catch {
    failures = Math.min(failures + 1, 5);
    if (failures > 2) show("lost", manifest);
  }
  return Math.min(EVERY * 2 ** failures, SLOWEST);
}

await check();
if (state) keepAsking(ask, EVERY);
