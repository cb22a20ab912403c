// The keys of every page of a tournament: / or Ctrl+K finds, g and a letter goes to a page, ? lists
// the keys. None of them changes anything. A key without Ctrl is left alone while somebody types,
// in a dialog, with Ctrl, Alt or Meta, when it is held down, and where the page has it for itself
// (result entry, check-in); it can be switched off. The link "Keyboard shortcuts" in the footer
// says which pages there are; without it there is no tournament, and only the focus is set.

import { make } from "./common.js";
import { watchHits } from "./hits.js";
import { letSingleKeysWork, singleKeysWork } from "./key_setting.js";

const link = document.getElementById("keys-link");
const hint = document.getElementById("keys-hint");
const places = link ? JSON.parse(link.dataset.places) : {};
const onMac = /Mac|iPhone|iPad/.test(navigator.platform);

// The focus of a page just opened ----------------------------------------------------------------
//
// A template marks one place with data-focus: the form that the page is for, whose first field gets
// the focus, or the next step, if pressing Enter by mistake does no harm that cannot be undone. A
// publication is never marked, nor the first pairing, after which pairing numbers and settings
// stay. The focus stays where it is on a phone, when the address names a place on the page or
// something else has the focus, and when it would be outside the screen.

function focusFirst() {
  const marked = document.querySelector("main [data-focus]");
  if (!marked || location.hash || !matchMedia("(hover: hover)").matches) return;
  if (document.querySelector("[autofocus]") || document.activeElement !== document.body) return;
  const fields = "input:not([type=hidden], [type=file]), select, textarea";
  const place = marked.matches("form") ? marked.querySelector(fields) : marked;
  const box = place?.getBoundingClientRect();
  if (box?.height && box.top >= 0 && box.bottom <= innerHeight) place.focus({ preventScroll: true });
}

// Going ------------------------------------------------------------------------------------------

let going = false; // g was pressed, and its letter was not yet

function beginToGo() {
  going = true;
  const lines = Object.entries(places).map(([letter, [, label]]) => make("span", {}, make("kbd", {}, letter), ` ${label} `));
  hint.replaceChildren(`${link.dataset.hint} `, ...lines);
}

function stopGoing() {
  going = false;
  hint?.replaceChildren();
}

function goTo(event) {
  stopGoing();
  const place = places[event.key.toLowerCase()];
  if (event.key.length === 1 || event.key === "Escape") event.preventDefault();
  if (place) location.assign(place[0]);
}

// The finder -------------------------------------------------------------------------------------
//
// A dialog over the page. Without this file the link "Find" opens the same as a page.

const finder = document.getElementById("finder");

function openFinder() {
  if (finder.open) return;
  const field = finder.querySelector("input");
  finder.showModal();
  field.select();
  htmx.trigger(field, "begin");
}

// The list of keys -------------------------------------------------------------------------------

// Fetched once. If it does not come, app.js says why.
async function openList() {
  const list = document.getElementById("key-list");
  if (list.open) return;
  stopGoing();
  if (!list.hasChildNodes()) await htmx.ajax("GET", link.href, { target: list, swap: "innerHTML" }).catch(() => {});
  if (!list.hasChildNodes()) return;
  showSetting();
  list.showModal();
}

function showSetting() {
  for (const box of document.querySelectorAll("#single-keys")) box.checked = singleKeysWork();
}

document.addEventListener("change", (event) => {
  if (event.target.id === "single-keys") letSingleKeysWork(event.target.checked);
});

// Hearing keys -----------------------------------------------------------------------------------

const typed = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";

const keys = { "/": openFinder, "?": openList, g: beginToGo, G: beginToGo };

function hear(event) {
  if (event.defaultPrevented || event.isComposing || event.repeat || ["Shift", "CapsLock"].includes(event.key)) return;
  if (document.querySelector("dialog[open]")) return;
  const withCtrl = onMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (withCtrl && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    stopGoing();
    openFinder();
    return;
  }
  // Not event.target: a letter on result entry has just moved the focus into the search for a name.
  const busy = event.ctrlKey || event.metaKey || event.altKey || document.activeElement.matches(typed);
  if (busy || !singleKeysWork()) return stopGoing();
  if (going) return goTo(event);
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

// The letter after g belongs to nobody else: not to a card, nor to a draft. It is heard before
// them.
function hearLetter(event) {
  if (!going || document.activeElement.matches(typed)) return;
  hear(event);
  if (event.defaultPrevented) event.stopPropagation();
}

if (link) {
  document.addEventListener("keydown", hearLetter, { capture: true });
  document.addEventListener("keydown", hear);
  document.addEventListener("pointerdown", stopGoing);
  window.addEventListener("pageshow", stopGoing);
  // A link within this page, such as to a board, leaves the finder where it is. It is closed before
  // the listeners of the document move the focus, which nothing behind an open dialog can have.
  finder.addEventListener("click", (event) => {
    if (event.target.closest("a, button")) finder.close();
  });
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-keys]");
    if (!pressed || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (pressed.dataset.keys === "find") openFinder();
    else openList();
  });
}
for (const field of document.querySelectorAll("[data-hits]")) watchHits(field);
showSetting();
focusFirst();
