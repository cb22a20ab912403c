// Arrange a draft by two clicks, by drag, or by keyboard. The links do the same without this script; here the first
// click only marks, and the server shows the two players in each other's place and says what the rules think of it.
// Nothing is written before the form is sent.

"use strict";

let marked = null;   // the entry id of the marked player
let dragged = null;  // the one that is dragged; the page must not move meanwhile
let asking = false;  // a request is under way

const part = () => document.getElementById("arranging");
const players = () => [...part().querySelectorAll("[data-player]")];
const playerOf = (id) => part().querySelector(`[data-player="${id}"]`); // null if the player is in another part
const placeOf = (focus) => (/^\d+$/.test(focus) ? playerOf(focus) : part().querySelector(focus));
const focusOn = (focus) => placeOf(focus)?.focus({ preventScroll: true });

function say(text) {
  document.getElementById("arranging-said").textContent = text;
}

function mark(id) {
  marked = id;
  for (const player of players()) player.setAttribute("aria-pressed", String(player.dataset.player === id));
  const box = part().querySelector(".swap-marked");
  box.hidden = id === null;
  if (id === null) return;
  const who = box.querySelector(".who");
  who.textContent = playerOf(id)?.dataset.name ?? who.textContent; // of a player in another part the server has said it
  const card = box.querySelector("[data-card]");
  card.href = card.href.replace(/\d+\/$/, `${id}/`);
  say(`${who.textContent} ${part().dataset.marked}`);
}

function cancel() {
  if (marked === null) return;
  const was = marked;
  mark(null);
  say(part().dataset.cancelled);
  playerOf(was)?.focus();
}

// Ask the server for the arrangement at *address*; show it, say what it says, and keep the keyboard where it was. If no
// answer comes, the page stays, with its unsaved changes.
async function ask(address, focus) {
  if (asking) return;
  asking = true;
  const before = part();
  before.setAttribute("aria-busy", "true");
  await htmx.ajax("GET", address, { target: "#arranging", swap: "outerHTML", source: before }).catch(() => {});
  asking = false;
  if (!part()) return location.reload();
  if (part() === before) {
    before.removeAttribute("aria-busy");
    focusOn(focus);
    document.getElementById("messages").scrollIntoView({ block: "nearest" }); // app.js has said there what happened
    return;
  }
  history.replaceState(null, "", part().dataset.address);
  const { mark: stays, said } = part().dataset;
  mark(stays || null);
  if (said || !stays) say(said);
  focusOn(focus);
}

function swap(one, other) {
  // Who comes from another part is in the place of the other one then.
  ask(`${part().dataset.address}&mark=${one}&with=${other}`, playerOf(one) ? other : one);
}

// Another part, or a search in all of them, with the marked player and the unsaved changes. Without these it is another
// page as any other.
const takesSomething = () => marked !== null || part().querySelector(".has-changes") !== null;

function askWith(parameters, focus) {
  const address = new URL(part().dataset.address, location.href);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  if (marked !== null) address.searchParams.set("mark", marked);
  return ask(address.pathname + address.search, focus);
}

function goToPart(link) {
  const { searchParams, hash } = new URL(link.href);
  return askWith({ page: searchParams.get("page") ?? "1" }, hash ? `${hash} [data-player]` : ".parts [aria-current]");
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("#arranging .find-board");
  if (!form || !takesSomething()) return;
  event.preventDefault();
  await askWith({ find: form.elements.find.value }, "#find-board-words");
  const { found } = part().dataset;
  if (found) focusOn(`#board-${found} [data-player]`);
  else if (placeOf("#found-boards a")) focusOn("#found-boards a");
  placeOf(`#board-${found}`)?.scrollIntoView({ block: "center" });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("#arranging a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if ("toPart" in link.dataset) {
    if (!takesSomething()) return;
    event.preventDefault();
    if (!asking) goToPart(link);
    return;
  }
  const { player, do: what } = link.dataset;
  if (player === undefined && what === undefined && !("swapLink" in link.dataset)) return;
  event.preventDefault();
  if (asking) return;
  if (player !== undefined) {
    if (marked === null) mark(player);
    else if (marked === player) cancel();
    else swap(marked, player);
  } else if (what === "cancel") cancel();
  else if (what !== undefined) ask(`${part().dataset.address}&mark=${marked}&do=${what}`, marked);
  else ask(link.getAttribute("href"), link.matches(".turn") ? focusOfTurn(link) : "#swap-reason");
});

const focusOfTurn = (link) => `[data-board="${link.closest("tr").dataset.board}"] .turn`;

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return; // a card, the finder, the list of keys
  if (!part()?.contains(document.activeElement) && marked === null) return;
  const player = event.target.closest?.("[data-player]");
  if (event.key === "Escape") cancel();
  if (!player || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " ") {
    event.preventDefault();
    player.click();
  } else if (event.key.toLowerCase() === "c") {
    const turn = player.closest("tr")?.querySelector(".turn");
    if (turn) ask(turn.getAttribute("href"), player.dataset.player);
  } else if (event.key.toLowerCase() === "r") {
    const reason = document.getElementById("swap-reason");
    if (reason) event.preventDefault(); // the letter is not part of the reason
    reason?.focus();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    beside(player, event.key === "ArrowDown" ? 1 : -1)?.focus();
  }
});

// The player of the same colour on the next board, then the players without a game.
function beside(player, step) {
  const all = players();
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

document.addEventListener("dragover", (event) => {
  const over = event.target.closest?.("#arranging [data-player], #arranging .pairings td.name");
  if (dragged !== null && over) event.preventDefault();
});

document.addEventListener("drop", (event) => {
  const place = event.target.closest?.("#arranging [data-player], #arranging .pairings td.name");
  if (dragged === null || !place) return;
  event.preventDefault();
  const { player } = (place.matches("[data-player]") ? place : place.querySelector("[data-player]")).dataset;
  if (player !== dragged) swap(dragged, player);
});

document.addEventListener("dragend", () => {
  dragged = null;
});

// A page that was opened with a mark in its address.
marked = part()?.dataset.mark || null;
