// What result entry and the floor page share: results on their way to the server, and what others
// enter meanwhile.

import { get, make, parsed } from "./common.js";
import { Elsewhere } from "./elsewhere.js";
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

  // What the players report, while the board has no result; "" without a report.
  get report() {
    const { reported, reportedBy: by } = this.row.dataset;
    if (!by || this.result) return "";
    return this.words.reported[by].replace("%r", this.words.short[reported] ?? "");
  }

  // Another result than the one entered here is shown, and it is saved.
  take(result) {
    this.show(result);
    this.say("idle");
  }

  // Whether *row* has the same two players.
  hasPlayersOf(row) {
    const players = ({ whiteId, blackId }) => [whiteId, blackId].sort().join();
    const isSame = players(this.row.dataset) === players(row.dataset);
    return isSame && this.number === Number(row.dataset.board);
  }

  // Show *white*, the entry of White, first; the two players change places if they sit the other
  // way.
  turnTo(white) {
    const data = this.row.dataset;
    if (white === undefined || data.blackId !== String(white)) return;
    [data.white, data.black] = [data.black, data.white];
    [data.whiteId, data.blackId] = [data.blackId, data.whiteId];
    const [left, right] = ["white", "black"].map((colour) => {
      const cell = this.row.querySelector(`.${colour}`);
      return cell.querySelector(".player") ?? cell;
    });
    const children = [...left.childNodes];
    left.replaceChildren(...right.childNodes);
    right.replaceChildren(...children);
    if (left.href) [left.href, right.href] = [right.href, left.href]; // the cards of the players
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
      board.turnTo(white);
      Object.assign(board.row.dataset, { reported, reportedBy: by });
      const place = board.row.querySelector(".game-date");
      if (place) place.textContent = date;
      if (this.outbox.holds(board) || version <= board.version) continue;
      board.version = version;
      board.take(result);
    }
    this.count();
  }

  // The published pairings were changed: the rows of other players are replaced. All other rows
  // stay as they are, with the focus and with what is being typed.
  async #takePairings(version) {
    const goBack = this.keepPlace();
    const answer = await get(this.form.action); // a refused form may have another address
    const rows = parsed(await answer.text()).querySelectorAll(this.rows);
    if (!rows.length) return;
    const lost = this.#replaceRows([...rows]);
    this.form.dataset.pairings = version;
    if (lost.length) this.#sayLost(lost);
    goBack(lost);
  }

  // Return the boards that are gone with a result that was not saved.
  #replaceRows(rows) {
    const { boards, outbox } = this;
    const known = new Map(boards.map((board) => [board.id, board]));
    const now = rows.map((row) => {
      const board = known.get(Number(row.dataset.id));
      return board?.hasPlayersOf(row) ? board : this.makeBoard(document.importNode(row, true));
    });
    const gone = boards.filter((board) => !now.includes(board));
    const lost = gone.filter((board) => outbox.holds(board));
    // A row that stays keeps its place in the page: moving it would lose the focus.
    for (const { row } of now.filter((board) => !board.row.isConnected)) {
      const before = document.getElementById(row.id);
      if (before) before.replaceWith(row);
      else [...this.form.querySelectorAll(this.rows)].at(-1).parentElement.append(row);
    }
    for (const board of gone) {
      outbox.drop(board);
      board.clearQuestion();
      board.row.remove();
    }
    boards.splice(0, boards.length, ...now);
    return lost;
  }

  // Results of games that no longer exist could not be saved: say which.
  #sayLost(lost) {
    const { words } = this;
    const games = lost.map(({ name, row: { dataset }, result }) => {
      return `${name}${words.colon} ${dataset.white} – ${dataset.black} ${words.short[result]}`;
    });
    const textContent = words.gone.replace("%b", games.join("; "));
    const line = make("p", { className: "notice bad", role: "alert", textContent });
    document.getElementById("problem").replaceChildren(line);
  }
}
