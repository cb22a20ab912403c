// One row of result entry: a board, or a game of a match, with its result, its buttons and its
// questions.

import { make, makeButton, say } from "./common.js";
import { fits, wordsOf } from "./names.js";
import { Game } from "./result_entry.js";

export const ADJOURNED = "??";

export class Board extends Game {
  // actions: openDialog(board), makeCurrent(board), enter(board, code), restore(board) and
  // accept(board); isPast: the results of the round are published.
  constructor(row, words, actions) {
    super(row, words);
    this.actions = actions;
    this.search = wordsOf(`${row.dataset.white} ${row.dataset.black}`);
    this.button = makeButton("", () => actions.openDialog(this), { tabIndex: -1 });
    row.querySelector(".value").append(this.button);
    this.quick = words.quick.map((code) => this.#makeQuickButton(code));
    row.querySelector(".quick").append(make("div", { className: "row" }, ...this.quick));
    this.show(this.result);
    this.settle();
    this.links = [...row.querySelectorAll("a[data-card]")];
    this.reach(false);
    row.addEventListener("focusin", () => this.actions.makeCurrent(this));
  }

  #makeQuickButton(code) {
    const text = this.words.short[code];
    // It begins with what is seen, for those who speak to their computer.
    const label = `${text} ${this.name}${this.words.colon} ${this.words.long[code]}`;
    return makeButton(text, () => this.actions.enter(this, code), { tabIndex: -1, value: code, "aria-label": label });
  }

  // Before another result is shown: keep the saved one, seen beside the new one; a click restores
  // it. Going back to it needs no way back.
  remember(code) {
    const was = code !== this.was && this.result !== code ? this.result || this.was : this.was;
    this.forget();
    if (!was || was === code) return;
    this.was = was;
    const text = this.words.was.replace("%r", this.words.short[was]);
    const label = `${text}, ${this.words.restore} ${this.name}${this.words.colon} ${this.words.long[was]}`;
    this.old = makeButton(text, () => this.actions.restore(this), { tabIndex: -1, className: "old", "aria-label": label });
    this.row.querySelector(".value").append(this.old);
  }

  forget() {
    this.was = undefined;
    this.old?.remove();
  }

  // Whether it is the board with this number, or one of a player whose names begin like this.
  answers(text) {
    return /^\s*\d+\s*$/.test(text) ? this.number === Number(text) : fits(text, this.search);
  }

  get label() {
    return this.game ? `${this.number}/${this.game}` : String(this.number);
  }

  // With Tab only the current row is reached: its result and its cards.
  reach(isCurrent) {
    for (const each of [this.button, ...this.links]) each.tabIndex = isCurrent ? 0 : -1;
  }

  show(result) {
    this.result = result;
    this.row.dataset.result = result;
    this.button.textContent = result ? this.words.short[result] : "–";
    const { white, black } = this.row.dataset;
    const name = `${this.button.textContent} ${this.name}, ${white} – ${black}${this.words.colon} ${this.words.long[result]}`;
    this.button.setAttribute("aria-label", name);
    for (const button of this.quick) button.setAttribute("aria-pressed", String(button.value === result));
  }

  // Whether the game still waits for its result: in a past round, an adjourned game.
  get isOpen() {
    return this.actions.isPast ? this.result === ADJOURNED : !this.result;
  }

  // What it shows is saved. In a past round only a correction changes a result: its board has no
  // buttons for one.
  settle() {
    this.isOver = this.actions.isPast && !this.isOpen;
    this.row.classList.toggle("is-over", this.isOver);
    this.quick[0].parentElement.hidden = this.isOver;
  }

  // Whether code may be entered here now.
  takes(code) {
    return !this.isOver && !(this.actions.isPast && (!code || code === ADJOURNED));
  }

  take(result) {
    this.forget();
    super.take(result);
    this.settle();
  }

  // A button that accepts what the players report.
  showReport() {
    const { report } = this;
    if (this.shownReport === report) return;
    this.shownReport = report;
    this.reportLine?.remove();
    if (!report) return;
    const { reported, reportedBy } = this.row.dataset;
    const looks = { className: `reported ${reportedBy}` };
    if (reported) {
      const does = this.words.accept.replace("%r", this.words.short[reported]);
      const label = `${report}. ${does}, ${this.name}`;
      const accept = () => this.actions.accept(this);
      this.reportLine = makeButton(report, accept, { ...looks, tabIndex: -1, "aria-label": label });
    } else {
      this.reportLine = make("span", looks, report);
    }
    this.row.querySelector(".quick").append(this.reportLine);
  }

  // The running score of a match, beside the names in the row of its second game.
  showMatch(first) {
    const { worth } = this.words; // points of White and of Black for each result, in tenths
    const [white, black] = worth[first.result]; // White of the first game is Black in the second
    const [left, right] = worth[this.result];
    const isEmpty = !first.result && !this.result;
    const scores = isEmpty ? ["", ""] : [left + black, right + white].map(points);
    const places = this.row.querySelectorAll(".match-points");
    places.forEach((place, side) => (place.textContent = scores[side]));
  }

  // Ask below the board: a sentence and buttons, each [label, what to do].
  ask(sentence, choices) {
    this.clearQuestion();
    const buttons = choices.map(([label, action]) => makeButton(label, action, { className: "small" }));
    const cell = make("td", { colSpan: 6 }, make("p", { textContent: sentence }), make("div", { className: "actions" }, ...buttons));
    this.question = make("tr", { className: "conflict-row" }, cell);
    this.row.after(this.question);
  }

  clearQuestion() {
    this.question?.remove();
    this.question = undefined;
  }
}

function points(tenths) {
  const whole = Math.floor(tenths / 10);
  if (tenths % 10 === 5) return whole ? `${whole}½` : "½";
  return tenths % 10 ? (tenths / 10).toFixed(1) : String(whole);
}

// One button for all boards that both players report alike.
export function showAlike(boards, words) {
  const panel = document.getElementById("alike");
  if (!panel) return;
  const alike = boards.filter((board) => !board.result && board.row.dataset.reportedBy === "both");
  panel.hidden = !alike.length;
  const text = words.alike.replace("%b", alike.map((board) => board.label).join(", "));
  say(document.getElementById("alike-boards"), text);
  const button = document.getElementById("accept-alike");
  const count = alike.length;
  button.textContent = count === 1 ? words.acceptAll : words.acceptAlls.replace("%n", count);
}
