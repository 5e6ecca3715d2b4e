const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The members of a JSON object, as texts. */
export interface JsonMembers {
  /** Each name with the JSON text of its value, which is not checked. Of equal names the last one, as in JSON. */
  texts: Map<string, string>;
  /** How many more names it has than `most`; their values are left out. */
  more: number;
}

/**
 * Splits the text of a JSON object into its members in one pass, without reading their values. Returns undefined if it is
 * not the text of an object; a fault inside of a value is found by whoever reads the value.
 */
export function jsonMembers(text: string, most: number): JsonMembers | undefined {
  const start = skipSpaces(text, 0);
  if (text[start] !== '{') return undefined;
  const found: JsonMembers = { texts: new Map(), more: 0 };
  let at = skipSpaces(text, start + 1);
  if (text[at] === '}') return isEnd(text, at + 1) ? found : undefined;
  for (;;) {
    const member = readMember(text, at);
    if (member === undefined) return undefined;
    const { name, value, end } = member;
    if (found.texts.has(name) || found.texts.size < most) found.texts.set(name, value);
    else found.more += 1;
    if (text[end] === '}') return isEnd(text, end + 1) ? found : undefined;
    at = skipSpaces(text, end + 1);
  }
}

/** Reads `"name": value` up to the comma or the brace behind it. */
function readMember(text: string, start: number) {
  if (text.charCodeAt(start) !== QUOTE) return undefined;
  const nameEnd = endOfString(text, start) + 1;
  const name = nameOf(text.slice(start, nameEnd));
  const colon = skipSpaces(text, nameEnd);
  if (name === undefined || text.charCodeAt(colon) !== COLON) return undefined;
  const from = skipSpaces(text, colon + 1);
  const end = endOfValue(text, from);
  return end === undefined || end === from ? undefined : { name, value: text.slice(from, end), end };
}

function nameOf(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined; // a fault of the sender, as any other text that is not JSON
  }
}

/** The index of the comma or closing bracket that ends the value at `start`. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(code)) depth += 1;
    else if (depth === 0 && (code === COMMA || CLOSING.has(code))) return at;
    else if (CLOSING.has(code)) depth -= 1;
  }
  return undefined;
}

/** Returns the index of the closing quote of the string at `start`, or the text's length. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (SPACES.has(text.charCodeAt(at))) at += 1;
  return at;
}

function isEnd(text: string, at: number): boolean {
  return skipSpaces(text, at) === text.length;
}
