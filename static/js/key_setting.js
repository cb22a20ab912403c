// Whether keys without Ctrl work in this browser. Off: a program that writes what somebody says cannot press them.

const NAME = "single-keys";

export function singleKeysWork() {
  try {
    return localStorage.getItem(NAME) !== "off";
  } catch {
    return true; // a browser that stores nothing
  }
}

export function letSingleKeysWork(yes) {
  try {
    localStorage.setItem(NAME, yes ? "on" : "off");
  } catch {
    // the keys stay as they are
  }
}
