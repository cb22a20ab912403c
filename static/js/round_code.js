// The code of a round: the same bits as pairing/record/round_code.py, which describes them.

const FORMAT = 1;
const SIGNATURE = 64; // bytes
const DIGITS = [0, 3, 5, 8, 10, 13, 15, 17]; // decimal digits for so many bytes
const KINDS = "UFHZ";

// The bytes of the digits in an address; an error for anything else.
export function bytesOf(digits) {
  if (!/^\d+$/.test(digits)) throw new Error("no digits");
  const bytes = [];
  for (let start = 0; start < digits.length; start += 17) {
    const chunk = digits.slice(start, start + 17);
    const length = DIGITS.indexOf(chunk.length);
    let value = BigInt(chunk);
    if (length < 0 || value >= 1n << BigInt(8 * length)) throw new Error("not a code");
    const part = [];
    for (let i = 0; i < length; i += 1, value >>= 8n) part.unshift(Number(value & 255n));
    bytes.push(...part);
  }
  if (bytes.length <= SIGNATURE) throw new Error("not a code");
  return Uint8Array.from(bytes);
}

// { event, round, version, published, numbers, part, parts, boards: [[board, white, black, table]],
// byes: [[number, kind]] }
export function unpack(bytes) {
  const packed = bytes.slice(0, -SIGNATURE);
  let at = 0;
  const take = (bits) => {
    let value = 0;
    for (let end = at + bits; at < end; at += 1) {
      if (at >= 8 * packed.length) throw new Error("cut off");
      value = value * 2 + ((packed[at >> 3] >> (7 - (at & 7))) & 1);
    }
    return value;
  };
  if (take(4) !== FORMAT) throw new Error("another format");
  const event = take(16).toString(16).padStart(4, "0");
  const [round, version, published, numbers] = [7, 6, 32, 32].map(take);
  const [part, parts, width] = [6, 6, 4].map((bits) => take(bits) + 1);
  const [first, countOfBoards, countOfByes, countOfTables] = [13, 11, 11, 8].map(take);
  const several = (count, read) => Array.from({ length: count }, (_, place) => read(place));
  const boards = several(countOfBoards, (place) => [first + place, take(width), take(width), first + place]);
  const byes = several(countOfByes, () => [take(width), KINDS[take(2)]]);
  for (const [place, table] of several(countOfTables, () => [take(11), take(13)])) boards[place][3] = table;
  if (8 * packed.length - at >= 8) throw new Error("something follows");
  return { event, round, version, published, numbers, part, parts, boards, byes };
}

// true, false, or null where this browser cannot tell.
export async function isSigned(bytes, identity, key) {
  const hex = (part) => [...part].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const text = new TextEncoder().encode(`round-code ${identity} ${hex(bytes.slice(0, -SIGNATURE))}`);
  const raw = Uint8Array.from(key.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  try {
    const imported = await crypto.subtle.importKey("raw", raw, { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, bytes.slice(-SIGNATURE), text);
  } catch {
    return null;
  }
}

// FNV-1a of `number:entry;` of all players, by number.
export function numbersMark(index) {
  const players = index.map(([entry, number]) => [number, entry]).sort(([a], [b]) => a - b);
  let mark = 0x811c9dc5;
  for (const letter of players.map(([number, entry]) => `${number}:${entry};`).join("")) {
    mark = Math.imul(mark ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  }
  return mark;
}
