// One row of result entry: a board, or a game of a match, with its result, its buttons and its questions.

import { fold } from "./names.js";

export const ADJOURNED = "??";

export class Board {
  // actions: openDialog(board), makeCurrent(board), enter(board, code) and restore(board); isPast: the results of the
  // round are published.
  constructor(row, words, actions) {
    this.words = words;
    this.actions = actions;
    this.row = row;
    this.number = Number(row.dataset.board);
    this.game = row.dataset.game; // "1" or "2" in a match, else ""
    this.id = Number(row.dataset.id);
    this.url = row.dataset.url;
    this.result = row.dataset.result;
    this.version = Number(row.dataset.version);
    this.search = fold(`${row.dataset.white} ${row.dataset.black}`).split(/[\s,-]+/);
    this.tpns = [row.dataset.whiteTpn, row.dataset.blackTpn];
    this.mark = row.querySelector(".mark");
    this.button = this.#makeValueButton();
    this.quick = this.#makeQuickButtons();
    this.show(this.result);
    this.settle();
    this.links = [...row.querySelectorAll("a[data-card]")];
    this.reach(false);
    row.addEventListener("focusin", () => this.actions.makeCurrent(this));
  }

  #makeValueButton() {
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    button.addEventListener("click", () => this.actions.openDialog(this));
    button.addEventListener("focus", () => this.actions.makeCurrent(this));
    this.row.querySelector(".value").append(button);
    return button;
  }

  // Before another result is shown: keep the saved one, seen beside the new one; a click restores it. Going back to it
  // needs no way back.
  remember(code) {
    const was = code !== this.was && this.result !== code ? this.result || this.was : this.was;
    this.forget();
    if (!was || was === code) return;
    this.was = was;
    this.old = document.createElement("button");
    this.old.type = "button";
    this.old.tabIndex = -1;
    this.old.className = "old";
    this.old.textContent = this.words.was.replace("%r", this.words.short[was]);
    const restores = `${this.words.restore} ${this.name}${this.words.colon} ${this.words.long[was]}`;
    this.old.setAttribute("aria-label", `${this.old.textContent}, ${restores}`);
    this.old.addEventListener("click", () => this.actions.restore(this));
    this.row.querySelector(".value").append(this.old);
  }

  forget() {
    this.was = undefined;
    this.old?.remove();
  }

  #makeQuickButtons() {
    const strip = document.createElement("div");
    strip.className = "row";
    const buttons = this.words.quick.map((code) => {
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.value = code;
      button.textContent = this.words.short[code];
      // It begins with what is seen, for those who speak to their computer.
      button.setAttribute("aria-label", `${this.words.short[code]} ${this.name}${this.words.colon} ${this.words.long[code]}`);
      button.addEventListener("click", () => this.actions.enter(this, code));
      return button;
    });
    strip.append(...buttons);
    this.row.querySelector(".quick").append(strip);
    return buttons;
  }

  get name() {
    return (this.game ? this.words.game : this.words.board).replace("%n", this.number).replace("%m", this.game);
  }

  // Whether it is the board with this number, or one of a player whose names begin like this.
  answers(text) {
    const wanted = fold(text).trim();
    if (!wanted) return true;
    if (/^\d+$/.test(wanted)) return this.number === Number(wanted);
    return wanted.split(/[\s,]+/).every((word) => this.search.some((part) => part.startsWith(word)));
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
    const seen = this.button.textContent;
    this.button.setAttribute(
      "aria-label",
      `${seen} ${this.name}, ${this.row.dataset.white} – ${this.row.dataset.black}${this.words.colon} ${this.words.long[result]}`,
    );
    for (const button of this.quick) button.setAttribute("aria-pressed", String(button.value === result));
  }

  // Whether the game still waits for its result: in a past round, an adjourned game.
  get isOpen() {
    return this.actions.isPast ? this.result === ADJOURNED : !this.result;
  }

  // What it shows is saved. In a past round only a correction changes a result: its board has no buttons for one.
  settle() {
    this.isOver = this.actions.isPast && !this.isOpen;
    this.row.classList.toggle("is-over", this.isOver);
    this.quick[0].parentElement.hidden = this.isOver;
  }

  // Whether code may be entered here now.
  takes(code) {
    return !this.isOver && !(this.actions.isPast && (!code || code === ADJOURNED));
  }

  // state: idle, saving, saved, unsaved, conflict
  say(state, text = "") {
    this.row.dataset.state = state;
    this.mark.textContent = text || { saving: "…", saved: "✓ " + this.words.saved, unsaved: this.words.unsaved }[state] || "";
    if (state !== "conflict" && state !== "refused") this.clearQuestion();
  }

  // Ask below the board: a sentence and buttons, each [label, what to do].
  ask(sentence, choices) {
    this.clearQuestion();
    const row = document.createElement("tr");
    row.className = "conflict-row";
    const cell = document.createElement("td");
    cell.colSpan = 6;
    const text = document.createElement("p");
    text.textContent = sentence;
    const actions = document.createElement("div");
    actions.className = "actions";
    for (const [label, action] of choices) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "small";
      button.textContent = label;
      button.addEventListener("click", action);
      actions.append(button);
    }
    cell.append(text, actions);
    row.append(cell);
    this.row.after(row);
    this.question = row;
  }

  clearQuestion() {
    this.question?.remove();
    this.question = undefined;
  }
}
