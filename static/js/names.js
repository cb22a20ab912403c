// Names without accents and capitals, for searching.

const plainLetters = { ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ŋ: "n", ß: "ss", "’": "'", ʼ: "'" };

// As fold() in pairing/rules/names.py, which the other searches use.
export function fold(text) {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[łøđðþæœıŋß’ʼ]/g, (letter) => plainLetters[letter]);
}
