// The page of a round: cards of players and boards, and what others change while the page is open.
// Without this file the cards are pages of their own, and the page shows changes when it is opened
// again.

import { isAtRest } from "./common.js";
import { bareDigit, singleKeysWork } from "./key_setting.js";

const dialog = document.getElementById("card");
const body = document.getElementById("card-body");
const TEXT = "input:not([type=radio], [type=checkbox]), select, textarea";
const BUSY =
  ".has-changes, [data-player][aria-pressed=true], [aria-busy=true], details.confirm[open]";

// Good news stays at the edge of the window until the arbiter goes on: after that it would hide
// boards. Tab reaches its button, and a refusal stays.
function readGoodNews(event) {
  const messages = document.getElementById("messages");
  if (event.key === "Tab" || messages.contains(event.target)) return;
  messages.classList.toggle("is-read", [...messages.children].every((notice) => notice.matches(".good")));
}
for (const type of ["keydown", "pointerdown", "wheel", "touchmove"]) document.addEventListener(type, readGoodNews, { passive: true, capture: true });

// Cards ------------------------------------------------------------------------------------------

let early; // keys pressed while a card is on its way, for the card

async function openCard(address) {
  body.replaceChildren();
  dialog.classList.add("is-empty"); // a class: a selector with :has() would cost every key of the result entry
  early = [];
  if (!dialog.open) dialog.showModal(); // at once, so that no key reaches the boards behind it
  await htmx.ajax("GET", address, { target: body, swap: "innerHTML" }).catch(() => {});
  dialog.classList.remove("is-empty");
  const pressed = early;
  early = undefined;
  if (!dialog.open) return; // closed again meanwhile
  if (!body.childElementCount) return dialog.close(); // the page says what went wrong, or goes to the log-in
  document.getElementById("card-heading").focus();
  for (const event of pressed) keyInCard(event, body);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-card], a[data-to-row]");
  if (!link || !dialog || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.matches("[data-card]")) {
    event.preventDefault();
    openCard(link.href);
  } else if (goToRow(link.hash.slice(1))) {
    event.preventDefault();
  }
});

// The row of a board in the entry of results; of a match, the first game.
function goToRow(id) {
  const button = document.querySelector(`#${id} .value button, #${id}-1 .value button`);
  if (!button) return false;
  dialog.close();
  button.focus();
  return true;
}

// Keys -------------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  if (dialog?.open) return keyInCard(event, body);
  const card = document.querySelector("main > .card");
  if (card && singleKeysWork()) keyInCard(event, card);
  else if (dialog && !document.querySelector("dialog[open]")) keyAtBoards(event);
});

function keyInCard(event, card) {
  if (early) return early.push(event);
  const arrow = event.key.startsWith("Arrow");
  if (event.repeat || event.target.matches?.(TEXT) || (arrow && event.target.matches?.("[type=radio]"))) return;
  const isPressed = (key) => key === event.key || key === bareDigit(event);
  const all = [...card.querySelectorAll("[data-key]")];
  const wanted = all.find((each) => each.dataset.key.split(" ").some(isPressed));
  if (!wanted) return;
  event.preventDefault();
  use(wanted);
}

function use(wanted) {
  if (wanted.matches("[type=radio]")) {
    wanted.checked = true;
    wanted.form.querySelector("[data-reason]").focus();
  } else if (wanted.matches("summary")) {
    wanted.parentElement.open = true;
    wanted.parentElement.querySelector("form").querySelector("input:not([type=hidden]), select, button").focus();
  } else {
    wanted.click();
  }
}

// At the boards of a draft or of a past round: up and down to another board, left and right to the
// card of a player. While results are entered, results.js has these keys.
function keyAtBoards(event) {
  const player = event.target.closest?.("[data-player]");
  if (player && event.key === "i") return openCard(dialog.dataset.cardOf.replace(/\d+\/$/, `${player.dataset.player}/`));
  const links = [...document.querySelectorAll("#round-boards a.to-board")];
  const row = event.target.closest?.("#round-boards tr");
  const here = links.indexOf(row?.querySelector("a.to-board"));
  if (!links.length || (!row && !isAtRest(event.target)) || player) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    links[Math.min(Math.max(here + (event.key === "ArrowDown" ? 1 : -1), 0), links.length - 1)].focus();
  } else if (row && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    event.preventDefault();
    [...row.querySelectorAll("td.name a[data-card]")].at(event.key === "ArrowLeft" ? 0 : -1)?.click();
  }
}

// The finder leads to a board by the address. While results are entered, results.js goes there.
function goToBoardInAddress() {
  const row = /^#board-\d+$/.test(location.hash) && document.querySelector(`#round-boards ${location.hash}`);
  if (row) row.querySelector("a.to-board")?.focus();
}
goToBoardInAddress();
addEventListener("hashchange", goToBoardInAddress);

// The articles, which are behind an i: with Tab and with a finger too.
function reachArticles() {
  for (const article of document.querySelectorAll(".round-page .article:not([tabindex])")) article.tabIndex = 0;
}
reachArticles();
document.addEventListener("htmx:load", reachArticles);

// What others change -----------------------------------------------------------------------------
//
// htmx asks for it. Only parts that have changed are replaced, and never a part with the focus,
// with something typed or with unsaved changes: such a part waits until it is free.

const page = document.getElementById("round-page");
let isActing = false; // an action of this page is on its way: its answer says where to go
let isTouched = false; // somebody has begun to use the page: nothing moves from then on
const waiting = new Map(); // id of a part → its newest content from the server
const shown = new Map(); // id of a part → how it looked when it came from the server

function watchRound() {
  for (const name of ["keydown", "pointerdown"]) {
    document.addEventListener(name, () => (isTouched = true), { once: true });
  }
  for (const part of document.querySelectorAll("[data-part]")) shown.set(part.id, lookOf(part));
  setInterval(replaceParts, 500); // ms
  document.addEventListener("submit", (event) => (isActing ||= !event.defaultPrevented));
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!isNews(event)) isActing ||= event.detail.requestConfig.verb !== "get";
    else if (isActing) event.preventDefault();
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (isNews(event) && isActing) event.detail.shouldSwap = false;
  });
  document.addEventListener("htmx:afterSwap", (event) => isNews(event) && takeNews(event.target));
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.requestConfig.verb === "get") return;
    isActing = detail.xhr.getResponseHeader("HX-Redirect") !== null;
    // What came meanwhile was not shown.
    if (!isActing) document.dispatchEvent(new Event("round:news"));
  });
  window.addEventListener("pageshow", () => (isActing = false));
}

const isNews = ({ target }) => target.id === "round-news";

function takeNews(news) {
  if (news.dataset.state !== page.dataset.state) return showAgain();
  const { content } = news.firstElementChild;
  for (const part of content.querySelectorAll("[data-part]")) waiting.set(part.id, part);
  news.replaceChildren();
  replaceParts();
}

// The round is in another state: the whole page is another one. Nobody is moved away from what they
// are doing.
function showAgain() {
  const isOpen = document.querySelector("dialog[open]");
  const idle = !isTouched || (isAtRest(document.activeElement) && !isOpen);
  if (idle && !isTyped(page) && !page.querySelector(".has-changes")) location.reload();
  else document.getElementById("round-changed").hidden = false;
}

function replaceParts() {
  for (const [id, fresh] of waiting) {
    const part = document.getElementById(id);
    const look = lookOf(fresh);
    if (part && look === shown.get(id)) takeVersions(part, fresh);
    else if (part && isBusy(part)) continue;
    else if (part) replace(part, fresh, look);
    waiting.delete(id);
  }
}

function replace(part, fresh, look) {
  const details = () => [...part.querySelectorAll("details[id]")];
  const isOpen = new Map(details().map(({ id, open }) => [id, open]));
  // Only before anybody used the page: the next action has it.
  const hadFocus = part.contains(document.activeElement);
  part.replaceChildren(...fresh.childNodes);
  if (hadFocus) part.querySelector("[data-focus]")?.focus({ preventScroll: true });
  for (const each of details()) each.open = isOpen.get(each.id) ?? each.open;
  shown.set(part.id, look);
  part.classList.remove("just-changed");
  void part.offsetWidth; // begin the animation again
  part.classList.add("just-changed");
  htmx.process(part);
  htmx.trigger(part, "htmx:load");
}

// What is seen is the same, so the forms may send the newer versions.
function takeVersions(part, fresh) {
  const newer = [...fresh.querySelectorAll("input[type=hidden]")];
  const mine = [...part.querySelectorAll("input[type=hidden]")];
  if (newer.length !== mine.length) return;
  mine.forEach((input, place) => {
    if (input.name !== newer[place].name || input.name === "csrfmiddlewaretoken") return;
    input.value = newer[place].value;
    Object.assign(input.dataset, newer[place].dataset);
  });
}

function lookOf(part) {
  const copy = part.cloneNode(true);
  for (const input of copy.querySelectorAll("input[type=hidden]")) {
    input.removeAttribute("value");
    input.removeAttribute("data-pairings");
  }
  for (const each of copy.querySelectorAll("details[open]")) each.removeAttribute("open");
  return copy.innerHTML;
}

function isBusy(part) {
  const active = document.activeElement;
  if (isTouched && part.contains(active) && !isAtRest(active)) return true;
  return part.querySelector(BUSY) !== null || isTyped(part);
}

function isTyped(element) {
  const fields = [...element.querySelectorAll("input:not([type=hidden], [type=search]), textarea")];
  return fields.some((field) => {
    const isBox = field.matches("[type=checkbox], [type=radio]");
    return isBox ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  });
}

if (page) watchRound();
