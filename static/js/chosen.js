// The player that the reader of this phone has chosen, for each tournament: { entry, name }. Nothing is sent to the server.

const place = (tournament) => `chosen:${tournament}`;

export function chosen(tournament) {
  try {
    return JSON.parse(localStorage.getItem(place(tournament)));
  } catch {
    return null; // no storage in this browser, or something else is in it
  }
}

export function choose(tournament, player) {
  try {
    localStorage.setItem(place(tournament), JSON.stringify(player));
  } catch {
    // The choice is good until the page is left.
  }
}

export function forget(tournament) {
  try {
    localStorage.removeItem(place(tournament));
  } catch {
    // There was nothing to forget.
  }
}

// Whether this browser keeps a choice until the page is opened again: not where its storage is switched off.
export function keepsChoices() {
  try {
    localStorage.setItem("chosen:?", "");
    localStorage.removeItem("chosen:?");
    return true;
  } catch {
    return false;
  }
}

// Call *act* when another page of this phone chooses or forgets a player.
export function whenChosenElsewhere(tournament, act) {
  addEventListener("storage", ({ key }) => key === place(tournament) && act());
}
