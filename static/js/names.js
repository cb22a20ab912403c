// Names without accents and capitals, for searching, and the address of the index of names.

const plainLetters = { ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ŋ: "n", ß: "ss", "’": "'", ʼ: "'" };

// As fold() in pairing/rules/names.py, which the other searches use.
export function fold(text) {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[łøđðþæœıŋß’ʼ]/g, (letter) => plainLetters[letter]);
}

// The words of a name, and what somebody typed, as words_of() and search_words() there: O'Brien is "obrien" and "brien".
export function wordsOf(name) {
  const words = fold(name).split(/[\s,.-]+/);
  return words.flatMap((word) => [word.replaceAll("'", ""), ...word.split("'").slice(1)]).filter(Boolean);
}

export const searchWords = (text) => fold(text).replaceAll("'", "").split(/[\s,.-]+/).filter(Boolean);

// The index of names never changes at its address: the next version *key* of the pages has another one.
export function indexOf(address, key) {
  const newest = new URL(address, location);
  newest.searchParams.set("v", key);
  return newest.href;
}
