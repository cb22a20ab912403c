// "Is my venue ready?": what only the browser can tell: its clock, its time zone, its cookies and
// what it can do.

import { get, keepsChoices } from "./common.js";

const LOOKS = { good: "good", check: "draft", problem: "bad" };
const ORDER = ["good", "check", "problem"];
const page = document.querySelector(".venue");

function set(line, level, says, advice = "") {
  line.dataset.level = level;
  const badge = line.querySelector("[data-badge]");
  badge.className = `badge ${LOOKS[level]}`;
  badge.textContent = page.dataset[`word${level[0].toUpperCase()}${level.slice(1)}`];
  line.querySelector("[data-says]").textContent = says;
  const below = line.querySelector("[data-advice-line]");
  below.textContent = advice;
  below.hidden = !advice;
  count();
}

function count() {
  const levels = [...page.querySelectorAll("[data-level]")].map((line) => line.dataset.level);
  for (const field of page.querySelectorAll("[data-count]")) {
    field.textContent = levels.filter((level) => level === field.dataset.count).length;
  }
  const worst = ORDER.findLast((level) => levels.includes(level));
  page.querySelector("[data-summary]").className = `notice ${LOOKS[worst]}`;
}

// The quickest of some answers tells best what the server's clock said in the middle between
// question and answer.
async function difference(url) {
  let best = { took: Infinity };
  for (let n = 0; n < 4; n += 1) {
    const begin = Date.now();
    const { now } = await (await get(url, { cache: "no-store" })).json();
    const took = Date.now() - begin;
    if (took < best.took) best = { took, by: Date.now() - took / 2 - now };
  }
  return best;
}

async function compareClocks(line) {
  const { url, offset, same, differs, otherZone, advice } = line.dataset;
  const { by, took } = await difference(url);
  const seconds = Math.round(Math.abs(by) / 1000);
  const label = line.querySelector("[data-says]").textContent;
  const here = -new Date().getTimezoneOffset();
  if (seconds > 2 + took / 1000) {
    return set(line, seconds > 60 ? "problem" : "check", `${label} ${differs.replace("#", seconds)}`, advice);
  }
  if (here !== Number(offset)) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return set(line, "check", `${label} ${otherZone.replace("#", zone)}`, advice);
  }
  // On the computer itself this proves nothing: what the server found remains.
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  if (!isHere && line.dataset.level !== "problem") set(line, "good", `${label} ${same}`);
}

const browser = document.getElementById("browser");
const lacks = [!CSS.supports("selector(:has(a))") && ":has()", !keepsChoices() && "localStorage"].filter(Boolean);
if (!navigator.cookieEnabled) set(browser, "problem", browser.dataset.noCookies, browser.dataset.noCookiesAdvice);
else if (lacks.length) set(browser, "check", browser.dataset.missing.replace("#", lacks.join(", ")), browser.dataset.missingAdvice);
else set(browser, "good", browser.dataset.good);
compareClocks(document.getElementById("clock")).catch(() => {}); // without an answer, what the server said remains
