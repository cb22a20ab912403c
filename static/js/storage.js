// What a browser keeps for this site. One whose storage is full or switched off keeps nothing, and nothing fails.

export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

// The same as an object; null for anything that is none.
export function keptObject(name) {
  try {
    return JSON.parse(kept(name));
  } catch {
    return null;
  }
}

// Keep *text*, or forget it if it is null; whether that worked.
export function keep(name, text) {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
