// Colours swapped: the players of a board played with the other colours than published.
//
// A swap that did not reach the server is sent again until it is answered, always with the version that the arbiter has
// seen: one that was saved without an answer is not done twice. Meanwhile board and bar say that it is not saved.

import { speak } from "./result_entry.js";

const PATIENCE = 15000; // ms until a request counts as lost
const FIRST_RETRY = 1000; // ms, doubled up to LAST_RETRY
const LAST_RETRY = 15000;

// options: board, words, entry (of static/js/result_entry.js) and goTo(board).
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
  const { board, entry, seen } = options;
  entry.outbox.note(board, false);
  board.say("saving");
  const body = new URLSearchParams({ seen_version: seen.version });
  const headers = { "X-CSRFToken": entry.token, "HX-Request": "true", Accept: "application/json" };
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await fetch(board.row.dataset.coloursUrl, { method: "POST", body, headers, signal }).catch(() => undefined);
  const isOver = answer && (answer.headers.has("HX-Redirect") || answer.status === 403);
  const said = answer && !isOver && answer.status < 500 ? await answer.json().catch(() => undefined) : undefined;
  if (!said) return failed(options, isOver, retry);
  await entry.fetchNews();
  entry.outbox.note(board);
  const isDone = answer.ok || board.row.dataset.whiteId !== seen.white;
  board.say(isDone ? "saved" : "idle");
  answered(options);
  if (!isDone) board.ask(said.sentence, [[words.keepOn, () => answered(options)]]);
}

function failed(options, isOver, retry) {
  const { board, words, entry } = options;
  entry.outbox.note(board, true);
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
    entry.outbox.note(board);
    board.say("idle");
    answered(options);
  }

  function stop() {
    clearTimeout(timer);
    removeEventListener("online", again);
  }
}
