// Elements that scripts make.

// *properties*: of the element, or attributes that are none, such as "aria-label". *content*: elements and texts in it.
export function make(tag, properties = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...content);
  return made;
}

export function makeButton(textContent, onclick, properties = {}) {
  return make("button", { type: "button", textContent, onclick, ...properties });
}

// Only what is new is read aloud again.
export function say(line, text) {
  if (line.textContent !== text) line.textContent = text;
}
