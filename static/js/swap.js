// Arrange a draft by two clicks, by drag, or by keyboard. The links do the same without this script; here htmx replaces the
// boards alone, and the keyboard stays where it was. Nothing is written before the form is sent.

"use strict";

let dragged = null; // the entry id of the player who is dragged; the page must not move meanwhile
let asking = false; // a request is under way
let next = () => {}; // what was done meanwhile, which depends on the answer

const part = () => document.getElementById("arranging");

function say(text) {
  document.getElementById("arranging-said").textContent = text;
}

// Ask the server for the arrangement at *address*, show it, and say what it says. htmx keeps the focus of what is still
// there; otherwise *focus* gets it. If no answer comes, the page stays, with its unsaved changes.
async function ask(address, focus) {
  if (asking) return;
  asking = true;
  const before = part();
  before.setAttribute("aria-busy", "true");
  await htmx.ajax("GET", address, { target: before, swap: "outerHTML", source: before }).catch(() => {});
  asking = false;
  if (!part()) return location.reload();
  if (part() === before) {
    before.removeAttribute("aria-busy");
    document.getElementById("messages").scrollIntoView({ block: "nearest" }); // app.js has said there what happened
    return;
  }
  const { address: newest, mark, said, marked, cancelled } = part().dataset;
  const was = before.dataset;
  if (document.querySelector("#arranging .has-changes") || before.querySelector(".has-changes")) history.replaceState(null, "", newest);
  if (mark && mark !== was.mark) say(`${part().querySelector(".who").textContent} ${marked}`);
  else say(address === was.address ? cancelled : said);
  const lost = !document.activeElement || document.activeElement === document.body;
  if (lost) part().querySelector(focus)?.focus({ preventScroll: true });
  const then = next;
  next = () => {};
  then();
}

const focusOf = (id) => `[data-player="${id}"]`;

// What gets the focus after a link that is gone then.
function focusAfter(link) {
  const { mark } = part().dataset;
  if ("toPart" in link.dataset) return link.hash ? `${link.hash} [data-player]` : ".parts [aria-current]";
  return mark ? focusOf(mark) : "#swap-reason";
}

const isAlone = (event) => !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

document.addEventListener("click", (event) => {
  const link = event.target.closest("#arranging a:not([data-card])");
  if (!link || !isAlone(event) || !(asking || "swap" in link.dataset)) return;
  event.preventDefault();
  if (asking) next = () => document.getElementById(link.id)?.click();
  else ask(link.getAttribute("href"), focusAfter(link));
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("#arranging .find-board");
  if (!form || !(asking || "swap" in form.dataset)) return;
  event.preventDefault();
  if (asking) return void (next = () => part().querySelector(".find-board").requestSubmit());
  await ask(`${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`, "#find-board-words");
  const { found } = part().dataset;
  const place = part().querySelector(found ? `#board-${found} [data-player]` : "#found-boards a");
  place?.focus({ preventScroll: true });
  place?.scrollIntoView({ block: "center" });
});

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return; // a card, the finder, the list of keys
  const mark = part()?.dataset.mark;
  if (event.key === "Escape" && mark) ask(part().dataset.address, focusOf(mark));
  const player = event.target.closest?.("[data-player]");
  if (!player || event.ctrlKey || event.metaKey || event.altKey) return;
  const turn = player.closest("tr")?.querySelector(".turn");
  const keys = {
    " ": () => player.click(),
    c: () => turn && ask(turn.getAttribute("href")),
    r: () => document.getElementById("swap-reason")?.focus(),
    ArrowDown: () => beside(player, 1)?.focus(),
    ArrowUp: () => beside(player, -1)?.focus(),
  };
  const action = keys[event.key.length > 1 ? event.key : event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault(); // the letter is not part of the reason
  action();
});

// The player of the same colour on the next board, then the players without a game.
function beside(player, step) {
  const all = [...part().querySelectorAll("[data-player]")];
  const column = player.closest("td")?.cellIndex;
  const same = all.filter((each) => column === undefined || !each.closest("td") || each.closest("td").cellIndex === column);
  return same[same.indexOf(player) + step];
}

document.addEventListener("dragstart", (event) => {
  const player = event.target.closest?.("[data-player]");
  if (!player || asking) return;
  dragged = player.dataset.player;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", player.dataset.name);
});

const placeOf = (event) => dragged !== null && event.target.closest?.("#arranging [data-player], #arranging .pairings td.name");

document.addEventListener("dragover", (event) => {
  if (placeOf(event)) event.preventDefault();
});

document.addEventListener("drop", (event) => {
  const place = placeOf(event);
  if (!place) return;
  event.preventDefault();
  const { player } = (place.matches("[data-player]") ? place : place.querySelector("[data-player]")).dataset;
  if (player !== dragged) ask(`${part().dataset.address}&mark=${dragged}&with=${player}`, focusOf(player));
});

document.addEventListener("dragend", () => {
  dragged = null;
});
