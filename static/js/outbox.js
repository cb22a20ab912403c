// Results on their way to the server. A result leaves the outbox only when the server has confirmed
// it, or when the arbiter says so. One request a board at a time, the newest value last; a few
// boards at once.

import { keep, keptObject } from "./common.js";

const AT_ONCE = 3;
const PATIENCE = 15000; // ms until a request counts as lost
const FIRST_RETRY = 1000; // ms, doubled up to LAST_RETRY
const LAST_RETRY = 15000;

export class Outbox {
  #waiting = new Map(); // board → { result, sending, failed, undecided }
  #kept;
  #retry = FIRST_RETRY;
  #timer;
  #stopped = false;

  // options: key (name in localStorage), token(), and what to do when something is
  // changed, sending, failed, saved, refused, or the session is over.
  constructor(options) {
    this.options = options;
    this.#kept = keptObject(options.key) ?? {};
    window.addEventListener("online", () => this.#sendAll());
  }

  get size() {
    return this.#waiting.size;
  }

  holds(board) {
    return this.#waiting.has(board);
  }

  // Whether the arbiter has to decide about this board.
  asks(board) {
    return this.#waiting.get(board)?.undecided ?? false;
  }

  // What an earlier visit left for this board: { result, version, accepts } or undefined.
  kept(board) {
    return this.#kept[board.url];
  }

  // The numbers of the boards that earlier visits left, on this page or on another part of it.
  get left() {
    return Object.values(this.#kept).map((item) => item.board);
  }

  // confirmed: the arbiter has confirmed this result of an adjourned game. accepts: it is the
  // players' report, and is saved only if they still report it.
  put(board, result, confirmed = false, accepts = false) {
    const sending = this.#waiting.get(board)?.sending ?? false;
    this.#waiting.set(board, { result, confirmed, accepts, sending, failed: false, undecided: false });
    this.#keep(board, { result, accepts });
    this.options.sending(board);
    this.#sendAll();
  }

  #sendAll() {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    for (const [board, item] of this.#waiting) {
      const running = [...this.#waiting.values()].filter((other) => other.sending).length;
      if (running >= AT_ONCE) break;
      if (!item.sending && !item.undecided) this.#send(board, item);
    }
    this.#report();
  }

  async #send(board, item) {
    const result = item.result;
    item.sending = true;
    const body = new URLSearchParams({ result, seen_version: board.version });
    if (item.confirmed) body.set("confirmed", "yes");
    if (item.accepts) body.set("accepts", "yes");
    let answer;
    try {
      answer = await fetch(board.url, {
        method: "POST",
        body,
        headers: { "X-CSRFToken": this.options.token(), "HX-Request": "true", Accept: "application/json" },
        signal: AbortSignal.timeout(PATIENCE),
      });
    } catch {
      return this.#failed(board);
    }
    // 403: the role has ended. The entry stays in this browser, for this person only.
    if (answer.headers.has("HX-Redirect") || answer.status === 403) return this.#sessionOver(board);
    if (answer.status >= 500) return this.#failed(board);
    const reply = await answer.json().catch(() => undefined);
    if (!reply) return this.#failed(board);
    this.#retry = FIRST_RETRY;
    if (reply.version !== undefined) board.version = reply.version;
    if (answer.ok || reply.result === result) return this.#saved(board, result);
    return this.#refused(board, reply);
  }

  #saved(board, result) {
    const item = this.#waiting.get(board);
    if (item && item.result !== result) {
      // Changed while it was on its way: the newer value follows.
      item.sending = false;
      this.#keep(board, item);
    } else {
      this.drop(board);
      this.options.saved(board);
    }
    this.#sendAll();
  }

  #refused(board, reply) {
    const item = this.#waiting.get(board);
    item.sending = false;
    item.failed = true;
    item.undecided = true; // wait for the arbiter, do not send again
    this.options.refused(board, item.result, reply);
    this.#sendAll();
  }

  #failed(board) {
    const item = this.#waiting.get(board);
    item.sending = false;
    item.failed = true;
    this.options.failed(board);
    this.#report();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#sendAll(), this.#retry);
    this.#retry = Math.min(this.#retry * 2, LAST_RETRY);
  }

  #sessionOver(board) {
    this.#stopped = true;
    this.#failed(board);
    clearTimeout(this.#timer);
    this.options.sessionOver();
  }

  #keep(board, { result, accepts }) {
    if (!board.row) return; // a swap of the colours
    this.#kept[board.url] = { result, accepts, version: board.version, board: board.number };
    this.#write();
  }

  // The result is saved, or the arbiter gives it up.
  drop(board) {
    this.#waiting.delete(board);
    delete this.#kept[board.url];
    this.#write();
    this.#report();
  }

  #report() {
    const items = [...this.#waiting.values()];
    this.options.changed({
      waiting: this.size,
      failed: items.some((item) => item.failed),
      undecided: items.filter((item) => item.undecided).length,
    });
  }

  // Where nothing can be kept, the outbox in memory still tries, and leaving the page warns.
  #write() {
    keep(this.options.key, JSON.stringify(this.#kept));
  }
}

// Say at the top of the page how many results are on their way, or wait for a decision; *isOver*:
// nothing is saved any more, because the session or the role has ended.
export function showOutbox({ waiting, failed, undecided, isOver }, words) {
  const line = document.getElementById("save-state");
  line.dataset.state = failed || isOver ? "unsaved" : waiting ? "saving" : "saved";
  if (isOver) line.textContent = words.stopped;
  else if (undecided) line.textContent = `${undecided} ${words.undecided}`;
  else if (failed) line.textContent = `${waiting} ${words.tryingAgain}`;
  else line.textContent = waiting ? `${waiting} ${words.saving}` : `✓ ${words.allSaved}`;
}
