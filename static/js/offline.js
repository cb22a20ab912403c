// "As of 14:32, offline": says when a page may be out of date, and lets the service worker keep the
// pages of the tournament where the browser has one (https or localhost). docs/developer/offline.md
// has the rules.

import {
  get, isKept, keep, keepAsking, keepsChoices, kept as keptHere, parsed, say, siteTime,
} from "./common.js";
import { chosen, followedAddress } from "./follow.js";

const SOON = 500; // ms
const SPREAD = 60_000; // ms: so that the phones of a hall do not fetch a new version in step
const OFF = "offline:off";
const PULSE = 60_000; // ms between two questions of a page without news, such as the home page
const AGAIN = 5_000; // ms: after a failure, then longer and longer

const bar = document.getElementById("as-of");
const { dataset } = bar;
const kept = Number(document.documentElement.dataset.kept); // set by the worker: when the page was last confirmed
const state = { key: dataset.version, pairings: Number(dataset.pairings), confirmed: kept || Date.now(), isLost: Boolean(kept) };
let timer;
let savedAt = "";

// The status bar

function show() {
  const isOffline = state.isLost && (kept > 0 || !navigator.onLine);
  const words = isOffline ? dataset.offline : dataset.asOf;
  say(bar, state.isLost ? words.replace("#", moment(state.confirmed)) : "");
}

function moment(time) {
  const day = (each) => siteTime(each, dataset.language, { dateStyle: "short" });
  const date = day(time) === day(Date.now()) ? {} : { day: "numeric", month: "short" };
  return siteTime(time, dataset.language, { ...date, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

document.addEventListener("news:lost", lose);
function lose() {
  state.isLost = true;
  show();
}

document.addEventListener("news:answer", ({ detail: { news, isCurrent, at } }) => {
  // A page that is not replaced while somebody reads it stays old until it is loaded again.
  state.isOld ||= !isCurrent;
  if (!state.isOld) Object.assign(state, { isLost: false, confirmed: at });
  show();
  Object.assign(state, { key: news.key, pairings: news.pairings });
  // Where a page is not kept, the one that says so stands in for it.
  if (kept && dataset.reader !== location.pathname && document.getElementById("reader")) location.reload();
  plan();
});

// A page without news asks for itself: now and then, or soon after a failure.
let pulses = kept ? AGAIN : PULSE;
async function askPage() {
  try {
    const answer = await get(location.href, { cache: "no-cache" });
    const page = parsed(await answer.text());
    if (!answer.ok || isKept(page)) throw new Error(answer.status); // the worker has answered
    if (page.getElementById("as-of")?.dataset.version !== dataset.version) return renew();
    pulses = PULSE;
    Object.assign(state, { isLost: false, confirmed: Date.parse(answer.headers.get("Date")) || Date.now() });
    show();
    plan();
  } catch {
    pulses = Math.min(state.isLost ? 2 * pulses : AGAIN, PULSE);
    lose();
  }
  return pulses;
}

// Another version: nothing that is being typed is lost.
function renew() {
  const field = document.querySelector("main input[type=search]");
  if (!field || field.value === field.defaultValue) location.reload();
  return PULSE;
}

if (!document.getElementById("news")) keepAsking(askPage, pulses);
for (const name of ["online", "offline"]) addEventListener(name, show);
// Filled after the page is shown: otherwise a screen reader would not read it aloud.
setTimeout(show, 100);

// The worker

const isSignedIn = document.cookie.split("; ").includes("signed_in=1");

const isOff = () => keptHere(OFF) === "1";

async function forget() {
  const { href } = new URL(dataset.scope, location);
  const registered = await navigator.serviceWorker.getRegistrations();
  await registered.find(({ scope }) => scope === href)?.unregister();
  const names = await caches.keys();
  const isOurs = (name) => /^offline-\d+ /.test(name) && name.split(" ")[1] === dataset.scope;
  await Promise.all(names.filter(isOurs).map((name) => caches.delete(name)));
}

async function register() {
  await navigator.serviceWorker.register(dataset.worker, { scope: dataset.scope, updateViaCache: "all" });
  plan();
}

// Ask the worker to keep this version: soon if the page was opened with it, some time later if it
// came to the open page.
function plan() {
  if (savedAt === minute() || timer || !canKeep) return;
  const later = state.key === dataset.version ? 0 : SPREAD * Math.random();
  timer = setTimeout(() => save().catch(() => {}).finally(() => (timer = undefined)), SOON + later);
}

const minute = () => `${state.key} ${Math.floor(Date.now() / 60_000)}`;

async function save() {
  const registration = await navigator.serviceWorker.getRegistration(dataset.scope);
  if (!registration || isSignedIn || isOff() || state.isLost) return;
  savedAt = minute();
  const { active } = await navigator.serviceWorker.ready;
  const channel = new MessageChannel();
  channel.port1.onmessage = ({ data }) => {
    bar.dataset.set = data; // for tests, and for a look with the tools of the browser; what failed is asked for again in a minute
  };
  active.postMessage({ keep: wish() }, [channel.port2]);
}

function wish() {
  const { root, language, build, reader } = dataset;
  const common = { root, key: state.key, language, build, lone: dataset.lone.split(" ") };
  if (!reader) return common;
  const player = chosen(root);
  const pages = dataset.pages.split(" ").filter((address) => state.pairings || !address.includes("/pairings/"));
  const own = player ? [`${root}player/${Number(player.entry)}/`] : [];
  return {
    ...common,
    reader,
    pages: pages.map((address) => address.replace("/pairings/0/", `/pairings/${state.pairings}/`)),
    opened: [...own, ...[followedAddress()].filter(Boolean), location.pathname + location.search],
  };
}

// The page without network says what this phone does, and has the buttons to change it.
function showKeeping() {
  const statusLine = document.getElementById("keeping");
  if (!statusLine) return;
  const button = document.getElementById("keep");
  statusLine.textContent = statusLine.dataset[!canKeep ? "cannot" : isOff() ? "off" : "on"];
  button.hidden = !canKeep;
  button.textContent = button.dataset[isOff() ? "on" : "off"];
  button.onclick = async () => {
    keep(OFF, isOff() ? null : "1");
    await (isOff() ? forget().catch(() => {}) : register().catch(refused));
    showKeeping();
  };
}

// Where the browser keeps no choice, nobody could stop it for good.
let canKeep = dataset.worker && !isSignedIn && "serviceWorker" in navigator && "caches" in window && keepsChoices();
showKeeping();
if ("serviceWorker" in navigator && "caches" in window) {
  // A page for visitors that was kept before somebody logged in is not theirs.
  if (!canKeep || isOff()) forget().then(() => kept && isSignedIn && location.reload(), () => {});
  else register().catch(refused);
}

// A browser in which the reader has blocked it says so here.
function refused({ name }) {
  if (name !== "SecurityError") return;
  canKeep = false;
  showKeeping();
}
