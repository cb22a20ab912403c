// A screen of the hall: turns its pages, and fetches them again when the news file has another key.
// It keeps one copy of the page and two timers, whatever the day brings. Without this file the
// browser loads page after page.

import { get, parsed, siteTime } from "./common.js";

const AGAIN = 3_000; // ms: after a failure

const language = document.documentElement.lang;
let screen = document.getElementById("screen");
let position = 0;
let turned = Date.now();
let ahead = 0; // ms: so far is the clock of the server ahead of ours
let answered = Date.now();

const now = () => Date.now() + ahead;
const slides = () => [...screen.querySelectorAll(".slide")];
const clock = (time) => siteTime(time, language, { hour: "2-digit", minute: "2-digit" });

function show(number) {
  const all = slides();
  position = all.length ? (number + all.length) % all.length : 0;
  all.forEach((slide, place) => slide.classList.toggle("current", place === position));
}

function turn(number) {
  show(number);
  turned = Date.now();
}

// The time until the next of the rounds on the page: 12:34, or 1:12:34; nothing from a day on.
function countDown(line) {
  const times = [...line.parentElement.querySelectorAll("time")];
  const starts = times.map((time) => Date.parse(time.dateTime));
  const seconds = Math.ceil((Math.min(...starts.filter((start) => start > now())) - now()) / 1_000);
  line.hidden = !(seconds < 86_400);
  const units = [seconds / 3_600, (seconds / 60) % 60, seconds % 60];
  const parts = units.map((unit) => String(Math.floor(unit)).padStart(2, "0"));
  const text = parts.slice(seconds < 3_600 ? 1 : 0).join(":");
  line.textContent = line.dataset.text.replace("#", text.replace(/^0/, ""));
}

function tick() {
  for (const time of screen.querySelectorAll(".time")) time.textContent = clock(now());
  screen.querySelectorAll(".countdown").forEach(countDown);
  const seconds = Number(screen.dataset.seconds);
  if (seconds && Date.now() - turned >= 1_000 * seconds) turn(position + 1);
}

function say(text) {
  const line = screen.querySelector(".lost");
  line.hidden = !text;
  line.textContent = text;
}

async function ask() {
  let pause = AGAIN;
  try {
    const answer = await get(screen.dataset.news, { cache: "no-cache", credentials: "omit" });
    if (answer.status === 404) end();
    if (!answer.ok) throw new Error(answer.status);
    ahead = (Date.parse(answer.headers.get("Date")) || now()) - Date.now();
    if ((await answer.json()).key !== screen.dataset.key) await replace();
    pause = 1_000 * Number(answer.headers.get("X-Ask-Again"));
    answered = now();
    say("");
  } catch {
    if (screen.dataset.key) say(screen.dataset.lost.replace("#", clock(answered)));
  }
  setTimeout(ask, pause * (0.7 + 0.3 * Math.random()));
}

// The screen was removed: nothing of it stays. If a restored copy brings it back, its pages come
// again.
function end() {
  slides().forEach((slide) => slide.remove());
  screen.dataset.key = "";
  say(screen.dataset.gone);
}

// A list that was not there before is shown at once; otherwise the page that was shown stays.
async function replace() {
  const answer = await get(location.href, { cache: "no-cache", credentials: "omit" });
  if (!answer.ok) throw new Error(answer.status);
  const page = parsed(await answer.text());
  // The program was upgraded: its styles and scripts too.
  const files = (of) => [...of.querySelectorAll("head [src], head [rel=stylesheet]")].map((each) => each.outerHTML).join();
  if (files(page) !== files(document)) return location.reload();
  const before = slides().map((slide) => slide.dataset.about);
  screen.replaceWith((screen = document.adoptNode(page.getElementById("screen"))));
  const fresh = slides().findIndex((slide) => !before.includes(slide.dataset.about));
  if (before.length && fresh >= 0) turn(fresh);
  else show(position < slides().length ? position : 0);
  tick();
}

addEventListener("click", ({ target }) => target.closest("a") || turn(position + 1));
addEventListener("keydown", ({ key }) => {
  if ([" ", "Enter", "ArrowRight", "PageDown"].includes(key)) turn(position + 1);
  if (["ArrowLeft", "PageUp"].includes(key)) turn(position - 1);
});
navigator.wakeLock?.request("screen").catch(() => {});
setInterval(tick, 1_000);
tick();
ask();
