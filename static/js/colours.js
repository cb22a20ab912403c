// Colours swapped: the players of a board played with the other colours than published.
//
// A swap that did not reach the server is sent again until it is answered, always with the version that the arbiter has
// seen: one that was saved without an answer is not done twice. Meanwhile board and bar say that it is not saved.

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

// options: board, words, swaps, token(), unsaved (a result of the board is on its way), news(), sessionOver(), speak(text)
// and goTo(board).
export function askToSwap(options) {
  const { board, words } = options;
  if (options.unsaved) return board.ask(words.swapUnsaved, [[words.keepOn, () => answered(options)]]);
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
  const { board, words, swaps, seen } = options;
  swaps.set(board, false);
  board.say("saving");
  const body = new URLSearchParams({ seen_version: seen.version });
  const headers = { "X-CSRFToken": options.token(), "HX-Request": "true", Accept: "application/json" };
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await fetch(board.row.dataset.coloursUrl, { method: "POST", body, headers, signal }).catch(() => undefined);
  const isOver = answer && (answer.headers.has("HX-Redirect") || answer.status === 403);
  const said = answer && !isOver && answer.status < 500 ? await answer.json().catch(() => undefined) : undefined;
  if (!said) return failed(options, isOver, retry);
  await options.news().catch(() => {});
  swaps.end(board);
  const isDone = answer.ok || board.row.dataset.whiteId !== seen.white;
  board.say(isDone ? "saved" : "idle");
  answered(options);
  if (!isDone) board.ask(said.sentence, [[words.keepOn, () => answered(options)]]);
}

function failed(options, isOver, retry) {
  const { board, words, swaps } = options;
  swaps.set(board, true);
  board.say("unsaved");
  options.speak(`${board.name}${words.colon} ${words.swapNotSaved}`);
  if (isOver) options.sessionOver();
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

// Show *white*, the entry of White, on the left; the two players of a board change places if they sit the other way.
export function turnTo(board, white) {
  const { row } = board;
  if (white === undefined || row.dataset.blackId !== String(white)) return;
  const data = row.dataset;
  [data.white, data.black] = [data.black, data.white];
  [data.whiteId, data.blackId] = [data.blackId, data.whiteId];
  [data.whiteTpn, data.blackTpn] = [data.blackTpn, data.whiteTpn];
  board.tpns.reverse();
  const [left, right] = ["white", "black"].map((colour) => row.querySelector(`td.${colour} .player`) ?? row.querySelector(`td.${colour}`));
  const children = [...left.childNodes];
  left.replaceChildren(...right.childNodes);
  right.replaceChildren(...children);
  if (left.href) [left.href, right.href] = [right.href, left.href]; // the cards of the players
}
