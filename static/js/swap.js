// Arrange a draft by two clicks, by drag, or by keyboard. The links do the same without this
// script; here the first click only marks, without a request, and then htmx replaces the boards
// alone. The keyboard stays where it was. Nothing is written before the form is sent.

let dragged = null; // the entry id of the player who is dragged; the page must not move meanwhile
let asking = false; // a request is under way
let next = () => {}; // what was done meanwhile, which depends on the answer

const part = () => document.getElementById("arranging");

function say(text) {
  document.getElementById("arranging-status").textContent = text;
}

// Mark a player, or nobody if *id* is "". A mark changes no board, so it needs no answer of the
// server.
function mark(id) {
  const { dataset } = part();
  const box = part().querySelector(".swap-marked");
  const { mark: was } = dataset;
  dataset.mark = id;
  for (const player of part().querySelectorAll("[data-player]")) {
    player.setAttribute("aria-pressed", String(player.dataset.player === id));
  }
  box.hidden = !id;
  if (!id) {
    part().querySelector(focusOf(was))?.focus({ preventScroll: true });
    return say(dataset.cancelled);
  }
  box.querySelector(".who").textContent = part().querySelector(focusOf(id)).dataset.name;
  const card = box.querySelector("[data-card]");
  card.href = card.href.replace(/\d+\/$/, `${id}/`);
  for (const link of box.querySelectorAll("[href*='&mark=']")) {
    link.href = link.href.replace(/&mark=\d*/, `&mark=${id}`);
  }
  say(`${box.querySelector(".who").textContent} ${dataset.marked}`);
}

// The first player is marked, the second changes places with the marked one.
function choose(id) {
  const { mark: marked } = part().dataset;
  if (marked && marked !== id) ask(withMark({ with: id }), focusOf(marked));
  else mark(marked ? "" : id);
}

// The arrangement with the marked player and *more*, such as another part.
function withMark(more) {
  const { address: shown, mark: marked } = part().dataset;
  const address = new URL(shown, location.href);
  const sent = { ...(marked && { mark: marked }), ...more };
  for (const [name, value] of Object.entries(sent)) address.searchParams.set(name, value);
  return address.pathname + address.search;
}

// Ask the server for the arrangement at *address*, show it, and say what it says. htmx keeps the
// focus of what is still there; otherwise *focus* gets it. If no answer comes, the page stays, with
// its unsaved changes.
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
  const { address: newest, summary } = part().dataset;
  if (document.querySelector("#arranging .has-changes") || before.querySelector(".has-changes")) history.replaceState(null, "", newest);
  say(summary);
  const isLost = document.activeElement === document.body;
  if (isLost) part().querySelector(focus)?.focus({ preventScroll: true });
  const then = next;
  next = () => {};
  then();
}

const focusOf = (id) => `[data-player="${id}"]`;

// Without a mark and without changes another part and a search are pages as any other.
const hasBegun = () => Boolean(part().dataset.mark) || part().querySelector(".has-changes") !== null;

function follow(link) {
  const { player } = link.dataset;
  const { mark: marked } = part().dataset;
  if (player) choose(player);
  else if (link.id === "swap-cancel") mark("");
  else if ("toPart" in link.dataset) {
    const page = new URL(link.href).searchParams.get("page") ?? "1";
    ask(withMark({ page }), link.hash ? `${link.hash} [data-player]` : ".parts [aria-current]");
  } else ask(link.getAttribute("href"), marked ? focusOf(marked) : "#swap-reason"); // the link may be gone then
}

const isAlone = (event) => !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

document.addEventListener("click", (event) => {
  const link = event.target.closest("#arranging a:not([data-card])");
  if (!link || !isAlone(event)) return;
  if (!(asking || "swap" in link.dataset || ("toPart" in link.dataset && hasBegun()))) return;
  event.preventDefault();
  if (asking) next = () => document.getElementById(link.id)?.click();
  else follow(link);
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("#arranging .find-board");
  if (!form || !(asking || hasBegun())) return;
  event.preventDefault();
  if (asking) return void (next = () => part().querySelector(".find-board").requestSubmit());
  await ask(withMark({ find: form.elements.find.value }), "#find-board-words");
  const { found } = part().dataset;
  const place = part().querySelector(found ? `#board-${found} [data-player]` : "#found-boards a");
  place?.focus({ preventScroll: true });
  place?.scrollIntoView({ block: "center" });
});

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return; // a card, the finder, the list of keys
  if (event.key === "Escape" && part()?.dataset.mark && !asking) mark("");
  const player = event.target.closest?.("[data-player]");
  if (!player || event.ctrlKey || event.metaKey || event.altKey) return;
  const turn = player.closest("tr")?.querySelector(".turn");
  const keys = {
    " ": () => player.click(),
    c: () => turn && ask(turn.getAttribute("href")),
    r: () => document.getElementById("swap-reason")?.focus(),
    ArrowDown: () => neighbour(player, 1)?.focus(),
    ArrowUp: () => neighbour(player, -1)?.focus(),
  };
  const action = keys[event.key.length > 1 ? event.key : event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault(); // the letter is not part of the reason
  action();
});

// The player of the same colour on the next board, then the players without a game.
function neighbour(player, step) {
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
  if (player !== dragged) ask(withMark({ mark: dragged, with: player }), focusOf(player));
});

document.addEventListener("dragend", () => (dragged = null));
