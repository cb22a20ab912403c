// "14" typed for board 14: the 1 was a result already, so the arbiter decides what was meant.
// While the question is open the keys enter no results; further digits make the number longer.

import { make, makeButton } from "./common.js";

// options: place (an empty element), words, kept (such as "Board 3: 1 – 0"), digits (the keys so
// far), exists(number), goTo(number, keeps), stay().
export function askForBoard(options) {
  const { place, words, exists } = options;
  const digits = [...options.digits];
  place.addEventListener("keydown", keys);
  show();

  function show() {
    const whole = Number(digits.join(""));
    const rest = Number(digits.slice(1).join(""));
    const choices = [[words.keepOn, options.stay]];
    if (exists(rest)) choices.unshift([words.keepResult.replace("%n", rest), () => options.goTo(rest, true)]);
    if (exists(whole)) choices.unshift([words.otherBoard.replace("%n", whole), () => options.goTo(whole, false)]);
    const buttons = choices.map(([label, action]) => makeButton(label, () => close(action), { className: "small" }));
    const question = make("p", { textContent: `${options.kept}. ${words.whichBoard}` });
    place.replaceChildren(question, make("div", { className: "actions" }, ...buttons));
    place.hidden = false;
    place.focus();
  }

  function keys(event) {
    if (/^\d$/.test(event.key) && digits.length < 4) {
      digits.push(event.key);
      show();
    } else if (event.key === "Escape") {
      close(options.stay);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  function close(action) {
    place.removeEventListener("keydown", keys);
    place.replaceChildren();
    place.hidden = true;
    action();
  }
}

// No board fits what was typed. The cursor stays in the box: the next key would otherwise be a
// result of the board before.
export function sayNoneFits(find) {
  const { none } = find.dataset;
  find.setCustomValidity(none);
  find.reportValidity();
  find.setCustomValidity("");
  find.select();
  return none;
}
