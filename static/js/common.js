// What many scripts use: what the browser keeps, requests that end, elements, times. In one file,
// because each file is a request of a phone.

// A browser whose storage is full or switched off keeps nothing, and nothing fails.

// area: "sessionStorage" for what a tab keeps until it is closed.
export function kept(name, area = "localStorage") {
  try {
    return globalThis[area].getItem(name);
  } catch {
    return null;
  }
}

// The same as an object; null for anything that is none.
export function keptObject(name, area) {
  try {
    return JSON.parse(kept(name, area));
  } catch {
    return null;
  }
}

// Keep *text*, or forget it if it is null; whether that worked.
export function keep(name, text, area = "localStorage") {
  try {
    if (text === null) globalThis[area].removeItem(name);
    else globalThis[area].setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

// Whether a choice is kept until the page is opened again: not where the storage is switched off.
export const keepsChoices = () => keep("chosen:?", "") && keep("chosen:?", null);

// A wifi that is connected but dead takes a request and never answers.
const LIMIT = 5_000; // ms until the answer begins; a long list may need more time on a slow network

export async function get(address, options = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), LIMIT);
  try {
    return await fetch(address, { ...options, signal: stop.signal });
  } finally {
    clearTimeout(timer);
  }
}

// Ask again and again while somebody looks at the page, and at once when it is shown again or the
// network is back. *ask* returns the ms until the next time; each phone waits a bit less, so that
// they do not ask in step.
export function keepAsking(ask, first) {
  let timer;
  let isAsking = false;
  function plan(pause) {
    if (!document.hidden) timer = setTimeout(askNow, pause * (0.7 + 0.3 * Math.random()));
  }
  async function askNow() {
    clearTimeout(timer);
    if (document.hidden || isAsking) return;
    isAsking = true;
    plan(await ask().finally(() => (isAsking = false)));
  }
  document.addEventListener("visibilitychange", askNow);
  // The Back button shows the page as it was left.
  addEventListener("pageshow", ({ persisted }) => persisted && askNow());
  addEventListener("online", askNow);
  plan(first);
}

// Ask the server for the live part of a page: the worker (offline_worker.js) answers with what it
// keeps for pages only.
export const FRESH = { cache: "no-cache", headers: { "HX-Request": "true" } };

// The page in *text*.
export const parsed = (text) => new DOMParser().parseFromString(text, "text/html");

// The page at *address*; null without a good answer, or without an address.
export async function pageAt(address, options) {
  try {
    const answer = address && (await get(address, options));
    return answer?.ok ? parsed(await answer.text()) : null;
  } catch {
    return null;
  }
}

// Whether the worker has answered with a *page* that it keeps.
export const isKept = (page) => "kept" in page.documentElement.dataset;

// Whether htmx is there. On a public page it comes after the page (app.js), and not at all if the
// network is lost before.
export function htmxArrived() {
  return new Promise((answer) => {
    if (window.htmx) return answer(true);
    document.addEventListener("htmx:load", () => answer(true), { once: true });
    setTimeout(answer, LIMIT, false);
  });
}

// *properties*: of the element, or attributes that are none, such as "aria-label". *content*:
// elements and texts in it.
export function make(tag, properties = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...content);
  return made;
}

export function makeButton(textContent, onclick, properties = {}) {
  return make("button", { type: "button", textContent, onclick, ...properties });
}

// Whether nothing in particular has the focus: the page, or the place before the buttons of a
// round.
export function isAtRest(element) {
  return !element || element === document.body || element.id === "round-actions";
}

// Only what is new is read aloud again.
export function say(line, text) {
  if (line.textContent !== text) line.textContent = text;
}

// The page of an event: what its parts say is published in each section, and where.
export function publishedSections() {
  const links = [...document.querySelectorAll("#live [data-published]")];
  return new Map(links.map(({ dataset, href }) => [dataset.published.replace(/\s+/g, " "), href]));
}

// A time as the pages have it: in the time zone of the site, which may not be that of the phone.
export function siteTime(time, language, format) {
  const words = language === "en" ? "en-GB" : language;
  try {
    const zone = document.body.dataset.zone;
    return new Intl.DateTimeFormat(words, { ...format, timeZone: zone }).format(time);
  } catch {
    // A zone that this browser does not know.
    return new Intl.DateTimeFormat(words, format).format(time);
  }
}
