// Result entry: one key a game, shown at once, saved behind the typist's back, never silently lost.
//
// A board's result is shown the moment its key goes down. What is not yet confirmed by the server
// lies in the outbox (also in localStorage, so that a closed tab, a dead battery or an expired
// session loses nothing) and is sent again until it is. If somebody else was faster, both values
// are shown and the arbiter decides. The page works without this file: then it is a form with a
// list per board.
//
// After an entry, and with Enter, the cursor moves to the next board without a result. Replacing a
// saved result says what it was; the old one stays beside the new one until the page is left, and ⌫
// or Esc restores it.

import { askForBoard, sayNoneFits } from "./board_number.js";
import { askToSwap } from "./colours.js";
import { isAtRest, make, makeButton } from "./common.js";
import { bareDigit, singleKeysWork } from "./key_setting.js";
import { watchPublication } from "./publish_results.js";
import { ResultEntry, speak } from "./result_entry.js";
import { ADJOURNED, Board, showAlike } from "./result_row.js";

const form = document.getElementById("results");
const words = JSON.parse(document.getElementById("words").textContent);
const find = document.getElementById("find");
const missingOnly = document.getElementById("missing-only");
const whichGame = document.getElementById("which-game"); // only where a round is a match
const dialog = document.getElementById("all-results");
const replaced = document.getElementById("replaced");
const NEWS_EVERY = 2000;
const SOON = 700; // ms after the last result was saved
const SAME_NUMBER = 1000; // ms within which a digit after a result may belong to a board number

const isPast = "past" in form.dataset; // the results are published: only adjourned games get one here
const actions = { openDialog, makeCurrent, enter, restore, accept, isPast };
const entry = new ResultEntry({
  form,
  words,
  rows: "#results tr[data-board]",
  makeBoard: (row) => new Board(row, words, actions),
  saved: (board) => {
    board.settle();
    askSoon();
  },
  answered: goTo,
  onPoll,
  keepPlace,
  count: () => {
    count();
    filterRows();
  },
});
const { boards, outbox, others } = entry;
const firstOpen = () => boards.find((board) => board.isOpen) ?? boards.find((board) => board.result === ADJOURNED) ?? boards[0];
let current = firstOpen();

// Entering ----------------------------------------------------------------------------------------

// What ⌫ takes back, newest last: the board, what was entered, what it replaced, where the cursor
// went.
const entered = [];

// accepts: it is what the players of the board report.
function enter(board, code, accepts = false) {
  if (!board.takes(code)) return board.isOver ? sayPast(board) : undefined;
  const before = board.result;
  const changed = before !== code || outbox.holds(board);
  set(board, code, changed, accepts);
  const next = code ? following(board) : board;
  if (changed) entered.push({ board, code, before, next });
  showReplaced(changed && before !== code && !isPast ? { board, code, before } : undefined);
  goTo(next);
}

// What the players of a board report, while it has no result.
function accept(board) {
  const { reported } = board.row.dataset;
  if (reported && !board.result) enter(board, reported, true);
}

function set(board, code, changed, accepts = false) {
  if (!isPast) board.remember(code);
  board.show(code);
  speak(`${board.name}${words.colon} ${words.long[code]}`);
  if (changed) outbox.put(board, code, false, accepts);
  count();
}

// The next board without a result: below this one, then from the top. When none is left, stay.
function following(board) {
  const isMissing = (other) => other.isOpen && isListed(other);
  const below = boards.slice(boards.indexOf(board) + 1);
  return below.find(isMissing) ?? boards.find(isMissing) ?? board;
}

// With Enter: the next board without a result. When none is left, the board below; after the last
// one, just before the button that publishes, so that Enter by mistake does not.
function toNextMissing() {
  const missing = following(current);
  const isLast = missing === current;
  if (isLast && !current.isOpen && others.next) return others.go(others.next);
  const next = isLast ? neighbour(1) : missing;
  if (next) goTo(next);
  else document.getElementById("round-actions")?.focus();
}

// The last entry, if the cursor is still where it left it and nobody else has changed the board
// since.
function lastEntry() {
  const last = isPast ? undefined : entered.at(-1);
  return last && current === last.next && last.board.result === last.code ? last : undefined;
}

function takeBack({ board, code, before }) {
  entered.splice(entered.findIndex((entry) => entry.board === board && entry.code === code));
  if (board.result === code) set(board, before, true);
  showReplaced();
  goTo(board);
}

// The saved result of this board that was replaced on this page, also when the cursor has moved on
// since.
function restore(board) {
  if (board.was === undefined) return;
  set(board, board.was, true);
  showReplaced();
  goTo(board);
}

// "Board 3: was 1 – 0": what a saved result was, and the way back to it.
function showReplaced(entry) {
  replaced.hidden = !entry?.before;
  if (replaced.hidden) return;
  const message = words.replaced.replace("%r", words.short[entry.before]);
  sayAbove(entry.board, message, words.restore, () => takeBack(entry));
  speak(`${entry.board.name}${words.colon} ${words.long[entry.code]}, ${message}`);
}

// A line with a button for the way on, if it has a label.
function sayAbove(board, message, label, action) {
  const button = label ? [makeButton(label, action, { className: "small" })] : [];
  replaced.replaceChildren(`${board.name}${words.colon} ${message} `, ...button);
  replaced.hidden = false;
}

// A result was chosen for a board of a past round that takes none: the way on is its card.
function sayPast(board) {
  const label = board.row.querySelector("a.to-board") && words.toCard;
  sayAbove(board, words.isPast, label, () => openDialog(board));
  speak(`${board.name}${words.colon} ${words.isPast}`);
}

// Whether it is one of the games the arbiter is entering now: first, second, or all.
function isListed(board) {
  return !whichGame?.value || board.game === whichGame.value;
}

function neighbour(step) {
  const seen = boards.filter((board) => !board.row.classList.contains("filtered"));
  return seen[seen.indexOf(current) + step];
}

function goTo(board) {
  if (!board) return;
  makeCurrent(board);
  filterRows();
  board.button.focus({ preventScroll: true });
  board.row.scrollIntoView({ block: "nearest" });
}

function makeCurrent(board) {
  const left = current;
  left?.row.classList.remove("current");
  current = board;
  current.row.classList.add("current");
  current.reach(true);
  // Once the focus has moved: the tabindex of what has the focus makes the browser lay out the
  // whole table.
  queueMicrotask(() => left && left !== current && left.reach(false));
}

const codeOf = (event, keys) => keys[event.key] ?? keys[bareDigit(event)];

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const target = event.target;
  if (document.querySelector("dialog[open]:not(#all-results)")) return; // a card, the finder, the list of keys
  if (target === find) return keyInFind(event);
  const isInForm = form.contains(target) || dialog.contains(target);
  const ours = isInForm || (isAtRest(target) && singleKeysWork());
  if (!ours || !current || target.matches("input:not([type=checkbox]), select, textarea")) return;
  const action = actionOf(event);
  if (!action) {
    if (!dialog.open) beginSearch(event);
    return;
  }
  event.preventDefault();
  // A key held down must not fill the boards below.
  if (event.repeat && !event.key.startsWith("Arrow")) return;
  action();
  lastKey = { key: event.key, at: event.timeStamp };
});

let lastKey = { key: "", at: 0 };

// A letter begins a name and a digit that is no result a board number: on it goes into the search
// box. Right after a result the digit may belong to that key instead ("14" for board 14): then the
// arbiter is asked.
function beginSearch(event) {
  if (/^\p{L}$/u.test(event.key)) return find.focus();
  if (!/^\d$/.test(event.key)) return;
  const last = lastEntry();
  if (!last || !/^\d$/.test(lastKey.key) || event.timeStamp - lastKey.at > SAME_NUMBER) return find.focus();
  event.preventDefault();
  askForBoard({
    place: document.getElementById("typed-number"),
    words,
    kept: `${last.board.name}${words.colon} ${words.short[last.code]}`,
    digits: [lastKey.key, event.key],
    exists: (number) => others.hasBoard(number) || boards.some((board) => board.number === number),
    goTo: (number, keeps) => {
      if (!keeps) takeBack(last);
      if (!boards.some((board) => board.number === number)) return others.find(number);
      goTo(gameOf(boards.find((board) => board.number === number && isListed(board))) ?? current);
    },
    stay: () => goTo(current),
  });
}

function actionOf(event) {
  if (dialog.open) {
    const button = dialog.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (button) return () => button.click();
    const code = codeOf(event, words.menuKeys);
    return code === undefined ? undefined : () => (dialog.close(), enter(dialog.board, code));
  }
  const last = event.key === "Backspace" ? lastEntry() : undefined;
  if (last) return () => takeBack(last);
  if (["Backspace", "Escape"].includes(event.key) && current.was !== undefined) return () => restore(current);
  const leaves = isPast && outbox.asks(current) && ["Backspace", "Escape"].includes(event.key);
  if (leaves) return () => entry.takeTheirs(current, ADJOURNED);
  const code = codeOf(event, words.keys);
  if (code !== undefined) return () => enter(current, code);
  switch (event.key) {
    case "Enter":
      // Enter on another button or on a link presses it.
      if (event.target.closest("button, a, summary") && event.target !== current.button) return undefined;
      return () => toNextMissing();
    case "ArrowDown":
      return () => goTo(neighbour(1));
    case "ArrowUp":
      return () => goTo(neighbour(-1));
    case "ArrowLeft":
      return () => current.row.querySelector("td.white a[data-card]")?.click();
    case "ArrowRight":
      return () => current.row.querySelector("td.black a[data-card]")?.click();
    case "Home":
      return () => goTo(boards[0]);
    case "End":
      return () => goTo(boards.at(-1));
    case words.reportKey:
      return () => accept(current);
    case "/":
      return () => find.select();
    case "*":
      return () => missingOnly.click();
    case ".":
    case ",": // the decimal key of most keypads in Europe
      return () => openDialog(current);
  }
  return undefined;
}

// All results, for the pointer and for a walking arbiter's thumb ----------------------------------

function openDialog(board) {
  makeCurrent(board);
  board.button.focus({ preventScroll: true }); // where the focus returns to
  if (board.isOver) return board.row.querySelector("a.to-board")?.click();
  dialog.board = board;
  dialog.querySelector("h2").textContent = board.name;
  dialog.querySelector(".players").textContent = `${board.row.dataset.white} – ${board.row.dataset.black}`;
  for (const button of dialog.querySelectorAll(".options button:not(.swap)")) {
    button.setAttribute("aria-pressed", String(button.value === board.result));
  }
  dialog.showModal();
}

dialog.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  dialog.close();
  const { board } = dialog;
  if (button.matches(".board-card")) board.row.querySelector("a.to-board").click();
  else if (button.matches(".swap")) askToSwap(board, entry, goTo);
  else enter(board, button.value);
});

// Finding -----------------------------------------------------------------------------------------

function keyInFind(event) {
  if (event.key !== "Enter" && event.key !== "Escape") return;
  event.preventDefault();
  const found = event.key === "Enter" ? gameOf(boards.find((board) => isListed(board) && board.answers(find.value))) : current;
  if (event.key === "Enter" && others.looksFor(find.value, found)) return others.find(find.value);
  if (!found && find.value) return speak(sayNoneFits(find));
  find.value = "";
  filterRows();
  goTo(found ?? current);
}

// Of the match somebody looked for, the game that has no result yet.
function gameOf(board) {
  const games = boards.filter((other) => other.number === board?.number && isListed(other));
  return games.find((game) => !game.result) ?? board;
}

function filterRows() {
  const text = find.value;
  for (const board of boards) {
    const done = missingOnly.checked && !board.isOpen && board !== current && !outbox.holds(board);
    const hidden = !isListed(board) || (text ? !board.answers(text) : done);
    board.row.classList.toggle("filtered", Boolean(hidden));
  }
}

find.addEventListener("input", filterRows);
missingOnly.addEventListener("change", () => {
  filterRows();
  goTo(current.isOpen ? current : following(current));
});
whichGame?.addEventListener("change", () => {
  const shownBoards = boards.filter(isListed);
  goTo(shownBoards.find((board) => !board.result) ?? shownBoards[0]);
});

// What stands at the top --------------------------------------------------------------------------

function count() {
  if (form.dataset.stateUrl) {
    for (const board of boards) board.showReport();
    showAlike(boards, words);
  }
  boards.forEach((board, place) => board.game === "2" && board.showMatch(boards[place - 1]));
  const missing = boards.filter((board) => board.isOpen);
  const more = missing.length > 8 ? ` +${missing.length - 8}` : "";
  const done = others.entered + boards.length - missing.length;
  const hasAll = !missing.length && !others.open.length;
  document.getElementById("entered").textContent = document.getElementById("progress").value = done;
  const links = missing.slice(0, 8).map(({ row, label }) => make("a", { href: `#${row.id}`, textContent: label }));
  const list = links.flatMap((link, place) => (place ? [", ", link] : [link]));
  document.getElementById("missing-list").replaceChildren(
    ...(missing.length ? [`${isPast ? words.adjourned : words.missing} `, ...list, more] : [hasAll ? words.allIn : words.allHere]),
  );
  document.getElementById("publish-results")?.classList.toggle("primary", hasAll);
  if (hasAll) document.querySelector("[data-until-all-in]")?.remove(); // publish_results.js
}

// Saving, and what others enter -------------------------------------------------------------------

document.getElementById("accept-alike")?.addEventListener("click", (event) => {
  event.preventDefault();
  for (const board of boards) if (board.row.dataset.reportedBy === "both") accept(board);
});

watchPublication(entry, goTo);

// What else on the page follows from the results is asked for when no result is on its way.
function onPoll() {
  if (!entry.isNews || document.getElementById("save-state").dataset.state === "saving") return;
  entry.isNews = false;
  document.getElementById("results-checks")?.dispatchEvent(new Event("news")); // not in a past round
  document.dispatchEvent(new Event("round:news"));
}

// When the rows of other players are replaced: the cursor stays on its board.
function keepPlace() {
  const place = current?.label;
  const hadFocus = current?.row.contains(document.activeElement);
  return () => {
    if (boards.includes(current)) return;
    current = undefined;
    const next = boards.find((board) => board.label === place) ?? boards[0];
    if (hadFocus) goTo(next);
    else makeCurrent(next);
  };
}

// Soon after the last result is saved, ask for what looks unusual: the next key must not wait for
// it.
let asking;
function askSoon() {
  clearTimeout(asking);
  asking = setTimeout(() => entry.fetchNews(), SOON);
}

// A link to a board of this page goes there as a key would, also from the finder.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href*='#board-']:not([data-to-row])");
  if (!link || link.pathname !== location.pathname || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const found = boardAt(link.hash);
  if (!found) return;
  event.preventDefault();
  goTo(found);
});

function boardAt(hash) {
  const [, number] = /^#board-(\d+)$/.exec(hash) ?? [];
  return boards.find((board) => `#${board.row.id}` === hash) ?? gameOf(boards.find((board) => board.number === Number(number)));
}
window.addEventListener("hashchange", () => goTo(boardAt(location.hash)));

entry.begin(NEWS_EVERY);
others.sayLeft(boards, words);
if (current) {
  current = boardAt(location.hash) ?? firstOpen();
  // A phone must not open on a focused row half-way down the list.
  if (window.matchMedia("(hover: hover)").matches && !document.getElementById("found-heading")) goTo(current);
  else makeCurrent(current);
}
