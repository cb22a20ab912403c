// A round of more than 200 boards is shown in parts: what this page says about the boards of the
// others, and the way there.

import { make } from "./common.js";

const PATIENCE = 1500; // ms that a result on its way has before the page is left
const LOOK_EVERY = 50;

export class Elsewhere {
  entered = 0;
  versions = 0; // the sum of the versions of their games
  open = []; // the first games without a result: { label, url }
  more = 0;
  next = ""; // the address of the next one

  // outbox: what it holds is saved before another part is opened; the browser asks if it cannot be.
  constructor(form, outbox) {
    this.form = form;
    this.outbox = outbox;
    this.isLong = "boards" in form.dataset;
    const data = document.getElementById("elsewhere");
    if (data) Object.assign(this, JSON.parse(data.textContent));
  }

  take(news) {
    if (!news) return;
    Object.assign(this, news);
    const line = document.getElementById("missing-elsewhere");
    const links = this.open.map(({ label, url }) => make("a", { href: url, textContent: label }));
    line.replaceChildren(...(links.length ? [line.dataset.heading, ...links.flatMap((link) => [" ", link])] : []));
    if (this.more) line.append(` +${this.more}`);
  }

  hasBoard(number) {
    return this.isLong && number > 0 && number <= Number(this.form.dataset.boards);
  }

  // Whether a search needs the other parts: for a number that is not found here, and for a name,
  // which somebody there may have too.
  looksFor(text, found) {
    return this.isLong && Boolean(text) && found?.number !== Number(text);
  }

  // The server looks through all boards: for a number, or for the beginnings of names.
  find(text) {
    this.go(`${this.form.dataset.find}?find=${encodeURIComponent(text)}`);
  }

  go(address) {
    const begun = Date.now();
    const leave = () => {
      if (this.outbox.size && Date.now() - begun < PATIENCE) setTimeout(leave, LOOK_EVERY);
      else location.assign(address);
    };
    leave();
  }

  // What an earlier visit could not save in another part is saved there.
  sayLeft(boards, words) {
    const shown = new Set(boards.map((board) => board.number));
    const [left] = this.outbox.left.filter((number) => number && !shown.has(number));
    const line = document.getElementById("left-unsaved");
    if (!line || !left) return;
    const link = make("a", { href: `${this.form.dataset.find}?find=${left}`, textContent: words.board.replace("%n", left) });
    line.replaceChildren(`${words.leftUnsaved} `, link);
    line.hidden = false;
  }
}
