// What result entry and the floor page share: results on their way to the server, and what others
// enter meanwhile.

import { get } from "./common.js";
import { Elsewhere } from "./elsewhere.js";
import { replaceRows, sayLost, turnTo } from "./new_pairings.js";
import { Outbox, showOutbox } from "./outbox.js";

export function speak(text) {
  document.getElementById("spoken").textContent = text;
}

// A game in its row. Each of the two pages adds how it shows its result and a question.
export class Game {
  constructor(row, words) {
    this.row = row;
    this.words = words;
    this.number = Number(row.dataset.board);
    this.game = row.dataset.game; // "1" or "2" in a match, else ""
    this.id = Number(row.dataset.id);
    this.url = row.dataset.url;
    this.result = row.dataset.result;
    this.version = Number(row.dataset.version);
  }

  get name() {
    return (this.game ? this.words.game : this.words.board).replace("%n", this.number).replace("%m", this.game);
  }

  // state: idle, saving, saved, unsaved, conflict
  say(state) {
    if (state === "unsaved" && state === this.row.dataset.state) return; // tried again: a question stays
    const { saved, unsaved } = this.words;
    this.row.dataset.state = state;
    this.row.querySelector(".mark").textContent = { saving: "…", saved: `✓ ${saved}`, unsaved, conflict: unsaved }[state] ?? "";
    if (state !== "conflict") this.clearQuestion();
  }

  // Another result than the one entered here is shown, and it is saved.
  take(result) {
    this.show(result);
    this.say("idle");
  }
}

export class ResultEntry {
  #polling; // the timer of fetchNews()
  #isOver = false; // the session or the role has ended
  isNews = false; // others have changed something since onPoll() was called last

  // options: form, words, rows (their selector), makeBoard(row); and what to do: saved(board),
  // answered(board) when the arbiter has decided, count() after results have changed, onPoll()
  // after each question for news, and keepPlace() before rows are replaced, which returns what to
  // do afterwards.
  constructor(options) {
    Object.assign(this, options);
    const { form } = this;
    this.boards = [...form.querySelectorAll(this.rows)].map(this.makeBoard);
    this.outbox = new Outbox({
      key: form.dataset.key,
      token: () => this.token,
      changed: (state) => showOutbox({ ...state, isOver: this.#isOver }, this.words),
      sending: (board) => board.say("saving"),
      failed: (board) => {
        board.say("unsaved");
        speak(`${board.name}${this.words.colon} ${this.words.unsaved}`);
      },
      saved: (board) => {
        board.say("saved");
        this.saved(board);
      },
      sessionOver: () => this.#showSessionOver(),
      refused: (...args) => this.#refused(...args),
    });
    this.others = new Elsewhere(form, this.outbox); // of the other parts of a large round
  }

  get token() {
    const cookie = document.cookie.split("; ").find((part) => part.startsWith("csrftoken="));
    return cookie?.slice("csrftoken=".length) ?? this.form.elements.csrfmiddlewaretoken.value;
  }

  // Somebody else was faster, or a rule refuses: show what stands there and let the arbiter decide.
  #refused(board, wanted, answer) {
    if (board.refused) return board.refused(answer);
    const { words } = this;
    const choices = [[words.keepTheirs.replace("%r", words.short[answer.result] || "–"), () => this.takeTheirs(board, answer.result)]];
    if (answer.conflict || answer.confirm) {
      const save = () => this.outbox.put(board, wanted, answer.confirm);
      choices.push([words.saveMine.replace("%r", words.short[wanted] || "–"), save]);
    }
    board.say("conflict");
    board.ask(answer.sentence, choices);
    speak(`${board.name}${words.colon} ${answer.sentence}`);
    this.fetchNews(); // the colours may be swapped too
  }

  takeTheirs(board, result) {
    this.outbox.drop(board);
    board.take(result);
    this.count();
    this.answered(board);
  }

  // Begin: what an earlier visit could not save comes first. Then ask for news *every* so many
  // milliseconds.
  begin(every) {
    for (const board of this.boards) {
      const kept = this.outbox.kept(board);
      if (!kept) continue;
      board.show(kept.result);
      board.version = kept.version;
      this.outbox.put(board, kept.result, false, kept.accepts);
    }
    this.count();
    showOutbox({ waiting: this.outbox.size, failed: false, undecided: 0 }, this.words);
    this.#polling = setInterval(() => this.fetchNews(), every);
    window.addEventListener("beforeunload", (event) => this.outbox.size && event.preventDefault());
  }

  // What others enter appears here by itself; without an answer it is asked for again.
  async fetchNews() {
    const { stateUrl, version, reports } = this.form.dataset;
    if (document.hidden || !stateUrl) return; // the second reading shows nothing of others
    const address = `${stateUrl}${stateUrl.includes("?") ? "&" : "?"}v=${version}&r=${reports}`;
    const answer = await get(address, { headers: { "HX-Request": "true" } }).catch(() => undefined);
    if (answer?.status === 403 || answer?.headers.has("HX-Redirect")) {
      // The role or the session has ended, so each answer would be the same.
      clearInterval(this.#polling);
      return this.#showSessionOver();
    }
    if (!answer) return;
    const news = answer.status === 200 && (await answer.json().catch(() => undefined));
    if (news) await this.#takeNews(news);
    this.onPoll();
  }

  #showSessionOver() {
    if (this.#isOver) return;
    this.#isOver = true;
    showOutbox({ isOver: true }, this.words);
    const notice = document.getElementById("session-over");
    notice.removeAttribute("hidden");
    notice.scrollIntoView({ block: "center" }); // a phone has scrolled to the boards below it
  }

  async #takeNews(news) {
    const { dataset } = this.form;
    this.isNews ||= dataset.version !== String(news.version);
    dataset.version = news.version;
    dataset.reports = news.reports;
    this.others.take(news.elsewhere);
    if (String(news.pairings) !== dataset.pairings) await this.#takePairings(news.pairings).catch(() => {});
    for (const { game, result, version, white, reported, reported_by: by, date } of news.boards) {
      const board = this.boards.find((other) => other.id === game);
      if (!board) continue;
      turnTo(board, white);
      Object.assign(board.row.dataset, { reported, reportedBy: by });
      const place = board.row.querySelector(".game-date");
      if (place) place.textContent = date;
      if (this.outbox.holds(board) || version <= board.version) continue;
      board.version = version;
      board.take(result);
    }
    this.count();
  }

  // The published pairings were changed.
  async #takePairings(version) {
    const goBack = this.keepPlace();
    const lost = await replaceRows(this);
    if (!lost) return;
    this.form.dataset.pairings = version;
    if (lost.length) sayLost(lost, this.words);
    goBack(lost);
  }
}
