// Names without accents and capitals, for searching, and the address of the index of names.

const plainLetters = { ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ŋ: "n", ß: "ss", "’": "'", ʼ: "'" };

// As fold() in pairing/rules/names.py, which the other searches use.
export function fold(text) {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[łøđðþæœıŋß’ʼ]/g, (letter) => plainLetters[letter]);
}

// The index of names never changes at its address: the next version *key* of the pages has another one.
export function indexOf(address, key) {
  const newest = new URL(address, location);
  newest.searchParams.set("v", key);
  return newest.href;
}
