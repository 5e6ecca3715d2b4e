/** What is too much in a JSON text. */
export type JsonExcess = 'depth' | 'values';

export interface JsonBounds {
  depth: number;
  values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** What was counted of a JSON text: all of it, or up to where it goes over a bound. */
export interface JsonMeasure {
  values: number;
  excess: JsonExcess | undefined;
}

/**
 * The values of a JSON text, counted by commas and opening brackets, and what it goes over first, if anything. It is asked before the text is
 * parsed: parsing cannot be interrupted, and takes a hundred times as long and far more memory where a text is brackets.
 */
export function measureJson(text: string, bounds: JsonBounds): JsonMeasure {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (code === LIST || code === OBJECT) {
      values += 1;
      depth += 1;
      if (depth > bounds.depth) return { values, excess: 'depth' };
    } else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    if (values > bounds.values) return { values, excess: 'values' };
  }
  return { values, excess: undefined };
}

/** Where the quote stands that closes the one at `start`; the text's end where none does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
