// "14" typed for board 14: the 1 was a result already, so the arbiter decides what was meant.
// While the question is open the keys enter no results; further digits make the number longer.

// options: place (an empty element), words, kept (such as "Board 3: 1 – 0"), digits (the keys so far),
// exists(number), goTo(number, keeps), stay().
export function askForBoard(options) {
  const { place, words, exists } = options;
  const digits = [...options.digits];
  place.addEventListener("keydown", keys);
  show();

  function show() {
    const whole = Number(digits.join(""));
    const rest = Number(digits.slice(1).join(""));
    const text = document.createElement("p");
    text.textContent = `${options.kept}. ${words.whichBoard}`;
    const actions = document.createElement("div");
    actions.className = "actions";
    if (exists(whole)) actions.append(button(words.otherBoard.replace("%n", whole), () => options.goTo(whole, false)));
    if (exists(rest)) actions.append(button(words.keepResult.replace("%n", rest), () => options.goTo(rest, true)));
    actions.append(button(words.keepOn, options.stay));
    place.replaceChildren(text, actions);
    place.hidden = false;
    place.focus();
  }

  function button(label, action) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "small";
    made.textContent = label;
    made.addEventListener("click", () => close(action));
    return made;
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

// No board fits what was typed. The cursor stays in the box: the next key would otherwise be a result of the board before.
export function sayNoneFits(find) {
  const { none } = find.dataset;
  find.setCustomValidity(none);
  find.reportValidity();
  find.setCustomValidity("");
  find.select();
  return none;
}
