// What every page shares: no form is sent twice, and a request that fails says so.
// Everything here is an addition: the pages work without it.

"use strict";

// A form that has been sent takes nothing more until the answer is there.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.hasAttribute("hx-post")) return;
  if (form.classList.contains("is-busy")) event.preventDefault();
  form.classList.add("is-busy"); // the look of its buttons
});

// Coming back with the browser's Back button shows the page as it was left: make it usable again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form.is-busy")) form.classList.remove("is-busy");
});

// On a narrow screen a row of tabs or rounds moves sideways: begin where the reader is.
function showCurrentTab() {
  for (const here of document.querySelectorAll(":is(.tabs, .side-list, .rounds) [aria-current]")) {
    const tabs = here.closest(".tabs, .side-list, .rounds");
    const [from, start] = [here, tabs].map((each) => each.getBoundingClientRect().left);
    const left = from - start + tabs.scrollLeft;
    // The first tab is the reader's own: it moves out of view only where there is no room for both.
    tabs.scrollLeft = left + here.offsetWidth > tabs.clientWidth ? left - 24 : 0;
  }
}
showCurrentTab();
document.addEventListener("htmx:oobAfterSwap", showCurrentTab);
document.addEventListener("tabs", showCurrentTab);

// The minutes that are left until a time the page names, in its words. An undo is offered for some
// minutes only: after that the server refuses it.
function countMinutes() {
  for (const left of document.querySelectorAll("[data-until]")) {
    const minutes = Math.ceil((Date.parse(left.dataset.until) - Date.now()) / 60_000);
    left.textContent = wordsFor(minutes, left.dataset);
    left.hidden = !left.textContent;
  }
  for (const form of document.querySelectorAll("[data-offered-until]")) {
    const isOver = Date.parse(form.dataset.offeredUntil) < Date.now();
    if (!form.contains(document.activeElement)) form.hidden = isOver;
  }
}
function wordsFor(minutes, { one, many, hours = "", over = "" }) {
  if (minutes < 1) return over;
  if (hours && minutes >= 60) return hours.replace("@", Math.floor(minutes / 60)).replace("#", minutes % 60);
  return minutes === 1 ? one : many.replace("#", minutes);
}
countMinutes();
setInterval(countMinutes, 5_000);
document.addEventListener("htmx:load", countMinutes);

// What moves sideways inside its frame is reached by the keyboard, and says what it is.
function reachWideTables() {
  for (const frame of document.querySelectorAll(".table-wrap:not([role])")) {
    if (frame.scrollWidth <= frame.clientWidth) continue;
    const name = frame.querySelector("caption") ?? frame.closest("section, main").querySelector("h1, h2");
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", name.textContent.trim());
  }
}
reachWideTables();
addEventListener("resize", reachWideTables);
document.addEventListener("htmx:load", reachWideTables);

// The bar of news (news.js, mirror.js) covers the lower edge: how high it is, for the styles, and
// what has the focus of the keyboard moves out from under it.
const newsBar = document.getElementById("news");
function makeRoomForNews() {
  const height = newsBar.offsetHeight;
  const { style } = document.documentElement;
  // Each change makes the browser go through all styles again.
  if (height || style.length) style.setProperty("--news-height", `${height}px`);
  const focused = document.querySelector(":focus-visible");
  if (!height || !focused || newsBar.contains(focused)) return;
  const { top, bottom } = focused.getBoundingClientRect();
  if (top < innerHeight && bottom > innerHeight - height) focused.scrollIntoView({ block: "nearest", behavior: "instant" });
}
if (newsBar) new ResizeObserver(makeRoomForNews).observe(newsBar, { box: "border-box" });

// A page that nobody looks at does not ask for news.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && event.target.matches("[data-quiet]")) event.preventDefault();
});

// A wifi that is connected but dead never answers, and a page would never ask again (common.js).
// What is sent may take longer: an import, a pairing.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.verb === "get") detail.timeout = 5_000; // ms
});

// The request of a part that another answer replaces is ended: its own answer would be older, and
// would look for places in a part that is gone. A request that saves something is never ended.
const reading = new WeakMap();
document.addEventListener("htmx:beforeSend", ({ detail: { elt, xhr, requestConfig } }) => {
  if (requestConfig.verb === "get") reading.set(elt, xhr);
});
document.addEventListener("htmx:beforeCleanupElement", ({ target }) => {
  const request = reading.get(target);
  if (request && request.readyState < XMLHttpRequest.DONE) request.abort();
});

// A page that asks for news by itself must not take away what somebody is typing, nor where the
// keyboard is: in the part itself or in those that come with it, such as the tabs.
document.addEventListener("htmx:beforeSwap", (event) => {
  const live = event.target;
  const active = document.activeElement;
  if (!live.matches("[data-quiet]:not([hidden])") || active === document.body) return;
  if (live.contains(active) && active.matches("input, select, textarea")) {
    event.detail.shouldSwap = false;
    return;
  }
  const name = nameOf(active);
  document.addEventListener(
    "htmx:afterSettle",
    () => {
      if (active.isConnected) return;
      const same = [...document.querySelectorAll(active.tagName)].find((other) => nameOf(other) === name);
      (same ?? document.getElementById("content")).focus({ preventScroll: true });
    },
    { once: true },
  );
});

function nameOf(element) {
  return [element.textContent.trim(), element.getAttribute("href"), element.form?.action].join("|");
}

// A part that arrives from the server keeps open what the reader has opened in the part before, and
// in a form what was entered while it was on its way.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, requestConfig } = event.detail;
  const open = [...target.querySelectorAll("details[id][open]")].map((each) => each.id);
  const entered = requestConfig.verb === "post" ? enteredSince(target, requestConfig.formData) : [];
  if (!open.length && !entered.length) return;
  const restore = () => {
    open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
    for (const { id, value, checked } of entered) {
      const field = document.getElementById(id);
      if (field) Object.assign(field, checked === undefined ? { value } : { checked });
    }
  };
  document.addEventListener("htmx:afterSwap", restore, { once: true });
});

function enteredSince(part, sent) {
  const fields = [...part.querySelectorAll("input[id]:not([type=hidden]), select[id], textarea[id]")];
  return fields.flatMap(({ id, name, value, type, checked }) => {
    if (type === "radio" || type === "checkbox") {
      return checked !== sent.getAll(name).includes(value) ? [{ id, checked }] : [];
    }
    return sent.has(name) && value !== sent.get(name) ? [{ id, value }] : [];
  });
}

// Escape closes an open question, and only that.
document.addEventListener(
  "keydown",
  (event) => {
    const open = event.key === "Escape" && !document.querySelector("dialog[open]") && document.querySelector("details.confirm[open]");
    if (!open) return;
    event.stopImmediatePropagation();
    open.open = false;
    open.querySelector("summary").focus();
  },
  true,
);

// A request that came to nothing: say so where messages stand.
for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, (event) => complain(document.body.dataset.lost, event));
}
document.addEventListener("htmx:responseError", (event) => {
  const { failed, unavailable } = document.body.dataset;
  const { xhr } = event.detail;
  const id = xhr.status >= 500 && xhr.getResponseHeader("X-Request-ID"); // leads to the line in the server's log
  complain((xhr.status === 503 ? unavailable : failed) + (id ? ` (${id})` : ""), event);
});

function complain(text, event) {
  // A page that asks for news by itself asks again: no need to frighten the reader.
  if (event.target.matches("[data-quiet]")) return;
  const line = document.createElement("p");
  line.className = "notice bad";
  line.textContent = text;
  // In a dialog, which covers the page, and where it can be seen: somebody waits for an answer.
  const place = document.querySelector("dialog[open] :is(#card-problem, [data-problem])");
  (place ?? document.getElementById("messages")).replaceChildren(line);
  line.scrollIntoView({ block: "nearest" });
}

// What a page does not need at first is loaded after its styles, because a phone loads both over
// the same slow connection. htmx cannot start between these two moments: it comes after the page.
function addScripts(attribute, type) {
  for (const template of document.querySelectorAll(`template[${attribute}]`)) {
    const script = document.createElement("script");
    document.head.append(Object.assign(script, { type, src: template.getAttribute(attribute) }));
  }
}
addScripts("data-src", "module");
addEventListener("load", () => addScripts("data-late-src", "text/javascript"));

// A public page does not know who reads it. Visitors load nothing more.
const isSignedIn = document.cookie.split("; ").includes("signed_in=1");
if (isSignedIn && document.querySelector("[data-own-part]")) import("./session_fragment.js");
