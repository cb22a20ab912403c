// The page of a round: cards of players and boards, and what others change while the page is open.
// Without this file the cards are pages of their own, and the page shows changes when it is opened
// again.

import { isAtRest } from "./common.js";
import { singleKeysWork } from "./key_setting.js";
import { watchRound } from "./round_news.js";

const dialog = document.getElementById("card");
const body = document.getElementById("card-body");
const TEXT = "input:not([type=radio], [type=checkbox]), select, textarea";

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
  // French keyboards need Shift for the digits of the top row: the bare keys do as well.
  const digit = event.shiftKey ? undefined : /^Digit(\d)$/.exec(event.code)?.[1];
  const keys = [event.key, digit];
  const wanted = [...card.querySelectorAll("[data-key]")].find((each) => each.dataset.key.split(" ").some((key) => keys.includes(key)));
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

const page = document.getElementById("round-page");
if (page) watchRound(page);
