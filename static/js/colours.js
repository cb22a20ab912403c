// Colours swapped: the players of a board played with the other colours than published.
//
// A swap that did not reach the server is sent again until it is answered, always with the version that the arbiter has
// seen: one that was saved without an answer is not done twice. Meanwhile board and bar say that it is not saved.

import { speak } from "./result_entry.js";

const PATIENCE = 15000; // ms until a request counts as lost
const FIRST_RETRY = 1000; // ms, doubled up to LAST_RETRY
const LAST_RETRY = 15000;

// The boards whose swap is on its way, and those where it failed: counted in the bar with the results of the outbox.
export class Swaps {
  #results = { waiting: 0, failed: false, asked: 0 };
  #failed = new Map();

  constructor(show) {
    this.show = show;
  }

  get size() {
    return this.#failed.size;
  }

  // The state of the outbox.
  take(results) {
    this.#results = results;
    this.#report();
  }

  set(board, failed) {
    this.#failed.set(board, failed);
    this.#report();
  }

  end(board) {
    this.#failed.delete(board);
    this.#report();
  }

  #report() {
    const { waiting, failed, asked } = this.#results;
    this.show({ waiting: waiting + this.size, failed: failed || [...this.#failed.values()].includes(true), asked });
  }
}

// options: board, words, swaps, entry (of static/js/result_entry.js) and goTo(board).
export function askToSwap(options) {
  const { board, words } = options;
  if (options.entry.outbox.holds(board)) return board.ask(words.swapUnsaved, [[words.keepOn, () => answered(options)]]);
  const seen = { version: board.version, white: board.row.dataset.whiteId };
  board.ask(words.swapColours.replace("%w", board.row.dataset.black).replace("%b", board.row.dataset.white), [
    [words.swap, () => swap({ ...options, seen })],
    [words.dontSwap, () => answered(options)],
  ]);
  board.question.querySelector("button").focus();
}

function answered({ board, goTo }) {
  board.clearQuestion();
  goTo(board);
}

async function swap(options, retry = FIRST_RETRY) {
  const { board, words, swaps, entry, seen } = options;
  swaps.set(board, false);
  board.say("saving");
  const body = new URLSearchParams({ seen_version: seen.version });
  const headers = { "X-CSRFToken": entry.token, "HX-Request": "true", Accept: "application/json" };
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await fetch(board.row.dataset.coloursUrl, { method: "POST", body, headers, signal }).catch(() => undefined);
  const isOver = answer && (answer.headers.has("HX-Redirect") || answer.status === 403);
  const said = answer && !isOver && answer.status < 500 ? await answer.json().catch(() => undefined) : undefined;
  if (!said) return failed(options, isOver, retry);
  await entry.fetchNews();
  swaps.end(board);
  const isDone = answer.ok || board.row.dataset.whiteId !== seen.white;
  board.say(isDone ? "saved" : "idle");
  answered(options);
  if (!isDone) board.ask(said.sentence, [[words.keepOn, () => answered(options)]]);
}

function failed(options, isOver, retry) {
  const { board, words, swaps, entry } = options;
  swaps.set(board, true);
  board.say("unsaved");
  speak(`${board.name}${words.colon} ${words.swapNotSaved}`);
  if (isOver) entry.outbox.options.sessionOver();
  const timer = isOver ? undefined : setTimeout(again, retry);
  addEventListener("online", again);
  board.ask(words.swapNotSaved, [
    [words.tryAgain, again],
    [words.dontSwap, giveUp],
  ]);

  function again() {
    stop();
    swap(options, Math.min(retry * 2, LAST_RETRY));
  }

  function giveUp() {
    stop();
    swaps.end(board);
    board.say("idle");
    answered(options);
  }

  function stop() {
    clearTimeout(timer);
    removeEventListener("online", again);
  }
}
