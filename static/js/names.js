// Names without accents and capitals, for searching, and the address of the index of names.

const plainLetters = { ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ŋ: "n", ß: "ss", "’": "'", ʼ: "'" };

// As fold() in pairing/rules/names.py, which the other searches use.
export function fold(text) {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[łøđðþæœıŋß’ʼ]/g, (letter) => plainLetters[letter]);
}

const betweenWords = /[-\u2010\u2013\u05be"“”„«»()[\]]/g; // u05be is the hyphen of Hebrew
const umlauts = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };

// The ways to write a name, as spellings() there: Müller and Mueller are each "muller" and "mueller".
export function spellings(text) {
  const plain = fold(text).replace(betweenWords, " ");
  const inTwo = text.normalize("NFC").toLowerCase().replace(/[äöüøå]/g, (letter) => umlauts[letter]);
  return [...new Set([plain, fold(inTwo).replace(betweenWords, " "), plain.replace(/[aou]e|aa/g, ([letter]) => letter)])];
}

// The words of a name, and what somebody typed, as words_of() and search_words() there: O'Brien is "obrien" and "brien".
export function wordsOf(name) {
  const words = spellings(name).flatMap((spelling) => spelling.split(/[\s,.]+/));
  return words.flatMap((word) => [word.replaceAll("'", ""), ...word.split("'").slice(1)]).filter(Boolean);
}

export const searchWords = (text) => fold(text).replace(betweenWords, " ").replaceAll("'", "").split(/[\s,.]+/).filter(Boolean);

// Whether each word of what somebody typed begins one of *words*.
export function fits(typed, words) {
  return searchWords(typed).every((each) => words.some((word) => word.startsWith(each)));
}

// The index of names never changes at its address: the next version *key* of the pages has another one.
export function indexOf(address, key) {
  const newest = new URL(address, location);
  newest.searchParams.set("v", key);
  return newest.href;
}
