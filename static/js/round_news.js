// What others change on the page of a round: htmx asks for it. Only parts that have changed are
// replaced, and never a part with the focus, with something typed or with unsaved changes: such a
// part waits until it is free.

import { isAtRest } from "./common.js";

let page;
let isActing = false; // an action of this page is on its way: its answer says where to go
let isTouched = false; // somebody has begun to use the page: nothing moves from then on
const waiting = new Map(); // id of a part → its newest content from the server
const shown = new Map(); // id of a part → how it looked when it came from the server

export function watchRound(element) {
  page = element;
  for (const name of ["keydown", "pointerdown"]) document.addEventListener(name, () => (isTouched = true), { once: true });
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
    if (!isActing) document.dispatchEvent(new Event("round:news")); // what came meanwhile was not shown
  });
  window.addEventListener("pageshow", () => (isActing = false));
}

const isNews = ({ target }) => target.id === "round-news";

function takeNews(news) {
  if (news.dataset.state !== page.dataset.state) return showAgain();
  for (const part of news.firstElementChild.content.querySelectorAll("[data-part]")) waiting.set(part.id, part);
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
  const open = [...part.querySelectorAll("details[id][open]")].map((each) => each.id);
  const known = new Set([...part.querySelectorAll("details[id]")].map((each) => each.id));
  const hadFocus = part.contains(document.activeElement); // only before anybody used the page: the next action has it
  part.replaceChildren(...fresh.childNodes);
  if (hadFocus) part.querySelector("[data-focus]")?.focus({ preventScroll: true });
  for (const each of part.querySelectorAll("details[id]")) if (known.has(each.id)) each.open = open.includes(each.id);
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
  const isMarked = part.querySelector(".has-changes, [data-player][aria-pressed=true], [aria-busy=true], details.confirm[open]");
  const hasFocus = part.contains(document.activeElement) && !isAtRest(document.activeElement);
  return (hasFocus && isTouched) || Boolean(isMarked) || isTyped(part);
}

function isTyped(element) {
  const fields = [...element.querySelectorAll("input:not([type=hidden], [type=search]), textarea")];
  return fields.some((field) => (field.matches("[type=checkbox], [type=radio]") ? field.checked !== field.defaultChecked : field.value !== field.defaultValue));
}
