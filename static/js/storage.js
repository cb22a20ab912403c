// What a browser keeps for this site. One whose storage is full or switched off keeps nothing, and nothing fails.

// area: "sessionStorage" for what a tab keeps until it is closed.
export function kept(name, area = "localStorage") {
  try {
    return globalThis[area].getItem(name);
  } catch {
    return null;
  }
}

// The same as an object; null for anything that is none.
export function keptObject(name, area) {
  try {
    return JSON.parse(kept(name, area));
  } catch {
    return null;
  }
}

// Keep *text*, or forget it if it is null; whether that worked.
export function keep(name, text, area = "localStorage") {
  try {
    if (text === null) globalThis[area].removeItem(name);
    else globalThis[area].setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
