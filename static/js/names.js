// Names without accents and capitals, for searching, and the address of the index of names.

const plainLetters = { ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ŋ: "n", ß: "ss", "’": "'", ʼ: "'" };

// As fold() in pairing/rules/names.py, which the other searches use.
export function fold(text) {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[łøđðþæœıŋß’ʼ]/g, (letter) => plainLetters[letter]);
}

const betweenWords = /[-\u2010\u2013\u05be"“”„«»()[\]]/g; // u05be is the hyphen of Hebrew
const umlauts = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };

// The ways to write a name, as spellings() there: Müller and Mueller are each "muller" and
// "mueller", Đorđević also "djordjevic".
export function spellings(text) {
  const small = text.normalize("NFC").toLowerCase();
  const inTwo = [small.replace(/[äöüøå]/g, (letter) => umlauts[letter]), small.replaceAll("đ", "dj")];
  const [plain, ...others] = [text, ...inTwo].map((each) => fold(each).replace(betweenWords, " "));
  return [...new Set([plain, ...others, plain.replace(/[aou]e|aa/g, ([letter]) => letter), plain.replaceAll("dj", "d")])];
}

// The words of a name, and what somebody typed, as words_of() and search_words() there: O'Brien is
// "obrien" and "brien".
export function wordsOf(name) {
  const words = spellings(name).flatMap((spelling) => spelling.split(/[\s,.]+/));
  return words.flatMap((word) => [word.replaceAll("'", ""), ...word.split("'").slice(1)]).filter(Boolean);
}

export const searchWords = (text) => fold(text).replace(betweenWords, " ").replaceAll("'", "").split(/[\s,.]+/).filter(Boolean);

// Whether each word of what somebody typed begins one of *words*.
export function fits(typed, words) {
  return searchWords(typed).every((each) => words.some((word) => word.startsWith(each)));
}

// The *lines* whose words (wordsOf) somebody's *typed* text fits, as find_lines() in
// pairing/rules/name_search.py: exactly, else one of several names, else with one mistake in each
// word.
export function findLines(lines, typed, wordsOfLine) {
  if (typed.trim() && !searchWords(typed).length) return []; // only commas and the like
  const parts = partsOf(typed);
  const ways = [
    (words) => fits(typed, words),
    (words) => parts.length > 1 && parts.some((part) => fits(part, words)),
    (words) => nearlyFits(typed, words),
  ];
  const isFit = ways.find((way) => lines.some((line) => way(wordsOfLine(line))));
  return isFit ? lines.filter((line) => isFit(wordsOfLine(line))) : [];
}

const partsOf = (typed) => typed.split(/[,;+&/]/).filter((part) => searchWords(part).length);

// Which of several names in *typed* fit none of the lines *found* for it: names_not_found() there.
export function namesNotFound(found, typed, wordsOfLine) {
  const parts = partsOf(typed);
  if (!found.length || parts.length < 2) return [];
  const words = found.map(wordsOfLine);
  const isThere = (part) => words.some((have) => nearlyFits(part, have));
  const missing = parts.filter((part) => !isThere(part)).map((part) => part.trim());
  return [...new Set(missing)];
}

// As fits(), with at most one mistake in each word.
function nearlyFits(typed, words) {
  return searchWords(typed).every((each) => words.some((word) => nearlyBegins(word, each)));
}

function nearlyBegins(word, typed) {
  if (word.startsWith(typed)) return true;
  if (typed.length < 4) return false;
  let at = 0;
  while (at < typed.length && word[at] === typed[at]) at += 1;
  const [rest, wrong] = [word.slice(at), typed.slice(at)];
  if (rest.startsWith(wrong.slice(1)) || rest.slice(1).startsWith(wrong)) return true; // a letter too much, or too few
  if (rest && rest.slice(1).startsWith(wrong.slice(1))) return true; // a wrong one
  const isExchanged = rest.length > 1 && wrong.startsWith(rest[1] + rest[0]);
  return isExchanged && rest.slice(2).startsWith(wrong.slice(2));
}

// The index of names never changes at its address, which is in *dataset*: the version *key* of the
// pages has its own. Return whether it is another one now.
export function renewIndex(dataset, key) {
  const address = new URL(dataset.names, location);
  const before = address.href;
  address.searchParams.set("v", key);
  dataset.names = address.href;
  return address.href !== before;
}
