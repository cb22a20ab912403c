// Colours swapped: the players of a board played with the other colours than published.

// A swap waits in the outbox like a result, always with the version that the arbiter has seen: one
// that was saved without an answer is not done twice.
class Swap {
  constructor(board, entry, goOn) {
    Object.assign(this, { board, entry, goOn, name: board.name, version: board.version });
    this.url = board.row.dataset.coloursUrl;
    this.white = board.row.dataset.whiteId;
  }

  say(state) {
    const { board, entry, goOn } = this;
    const isNew = state !== board.row.dataset.state;
    board.say(state);
    if (state !== "unsaved" || !isNew) return;
    const giveUp = () => {
      entry.outbox.drop(this);
      board.say("idle");
      goOn();
    };
    board.ask(entry.words.swapNotSaved, [
      [entry.words.tryAgain, () => entry.outbox.put(this, "")],
      [entry.words.dontSwap, giveUp],
    ]);
  }

  async settle() {
    await this.entry.fetchNews();
    this.goOn();
  }

  async refused({ sentence }) {
    const { board, entry, goOn } = this;
    entry.outbox.drop(this);
    await entry.fetchNews();
    const isDone = board.row.dataset.whiteId !== this.white;
    board.say(isDone ? "saved" : "idle");
    goOn();
    if (!isDone) board.ask(sentence, [[entry.words.keepOn, goOn]]);
  }
}

// entry: static/js/result_entry.js
export function askToSwap(board, entry, goTo) {
  const { words, outbox } = entry;
  const goOn = () => {
    board.clearQuestion();
    goTo(board);
  };
  if (outbox.holds(board)) return board.ask(words.swapUnsaved, [[words.keepOn, goOn]]);
  const { white, black } = board.row.dataset;
  const swap = new Swap(board, entry, goOn);
  board.ask(words.swapColours.replace("%w", black).replace("%b", white), [
    [words.swap, () => outbox.put(swap, "")],
    [words.dontSwap, goOn],
  ]);
  board.question.querySelector("button").focus();
}
