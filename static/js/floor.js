// The floor page: tap a board, tap its result. Results lie in the outbox until the server has them,
// as in result entry. Boards stay where they are while the page is in use, so that nothing moves
// under the thumb; they are sorted again when the page comes back to the front. Without this file
// the page is a plain form.

import { make, makeButton, say } from "./common.js";
import { Game, ResultEntry, speak } from "./result_entry.js";

const form = document.getElementById("floor");
const bar = document.getElementById("floor-bar");
const words = JSON.parse(document.getElementById("words").textContent);
const NEWS_EVERY = 5000;
const GROUPS = ["missing", "reported", "entered"];

class FloorBoard extends Game {
  constructor(row) {
    super(row, words);
    this.summary = row.querySelector("summary");
    this.question = row.querySelector(".question");
    row.addEventListener("toggle", () => {
      // The second tap must not need a scroll first: the buttons of a board low on the screen are
      // behind the bar.
      if (row.open) row.scrollIntoView({ block: "nearest" });
      else this.showAccept();
    });
  }

  get group() {
    if (this.result) return "entered";
    return this.row.dataset.reportedBy ? "reported" : "missing";
  }

  show(result) {
    this.result = result;
    this.row.dataset.result = result;
    this.row.querySelector(".now strong").textContent = result ? words.short[result] : "";
    this.showReport();
    for (const button of this.row.querySelectorAll("button[name=save]")) {
      button.setAttribute("aria-pressed", String(button.value === `${this.id}:${result}`));
    }
  }

  showReport() {
    say(this.row.querySelector(".reported"), this.report);
    if (!this.row.open) this.showAccept();
  }

  // The button that accepts the report. It stays as it is while the board is open: it must not move
  // the other buttons, or become another result, under the thumb. If the players report something
  // else by then, the server refuses it.
  showAccept() {
    const { reported } = this.row.dataset;
    const accept = this.row.querySelector(".accept");
    accept.hidden = !reported || Boolean(this.result);
    accept.value = `${this.id}:${reported}`;
    accept.textContent = words.accept.replace("%r", words.short[reported] ?? "");
  }

  clearQuestion() {
    this.question.hidden = true;
  }

  ask(sentence, choices) {
    const buttons = choices.map(([label, action]) => makeButton(label, action));
    this.question.replaceChildren(make("p", { textContent: sentence }), ...buttons);
    this.question.hidden = false;
    this.row.open = true;
  }
}

const entry = new ResultEntry({
  form,
  words,
  rows: ".floor-board",
  makeBoard: (row) => new FloorBoard(row),
  keepPlace: () => (lost) => {
    if (!form.contains(document.activeElement)) sort();
    if (lost.length) document.getElementById("problem").scrollIntoView({ block: "center" });
  },
  saved: () => {},
  answered: () => {},
  onPoll: () => boards.forEach((board) => board.showReport()),
  count,
});
const { boards, outbox, others } = entry;

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button?.name) return;
  event.preventDefault();
  const board = boards.find((other) => other.row.contains(button));
  const result = button.value.slice(button.value.indexOf(":") + 1);
  board.show(result);
  outbox.put(board, result, false, button.name === "accept");
  board.row.open = false;
  board.summary.focus({ preventScroll: true });
  speak(`${board.name}${words.colon} ${words.long[result]}`);
  count();
});

// A number opens the board; if there is none, the server says so.
bar.addEventListener("submit", (event) => {
  const field = bar.elements.board;
  const number = Number(field.value);
  const found = boards.filter((board) => board.number === number);
  const board = found.find((other) => !other.result) ?? found[0];
  if (!board) return;
  event.preventDefault();
  field.value = "";
  open(board);
});

function open(board) {
  for (const other of boards) other.row.open = other === board;
  board.row.scrollIntoView({ block: "center" });
  board.summary.focus({ preventScroll: true });
}

// Only while no board is open: nothing moves under the thumb.
function sort() {
  if (boards.some((board) => board.row.open)) return;
  for (const group of GROUPS) {
    const section = document.getElementById(`group-${group}`);
    section.append(...boards.filter((board) => board.group === group).map((board) => board.row));
    section.hidden = !section.querySelector(".floor-board");
  }
}

function count() {
  document.getElementById("entered").textContent = others.entered + boards.filter((board) => board.result).length;
  if (!form.dataset.boards) document.getElementById("games").textContent = boards.length;
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  sort();
  entry.fetchNews();
});

entry.begin(NEWS_EVERY);
const opened = boards.find((board) => board.row.open);
if (opened) open(opened);
