import { endOfString } from './json-members.js';

/** Which bound a JSON text exceeds. */
export type JsonExcess = 'depth' | 'values';

export interface JsonBounds {
  depth: number;
  values: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Size of a JSON text, measured to its end or up to where it exceeds a bound. */
export interface JsonMeasure {
  values: number;
  excess: JsonExcess | undefined;
}

/**
 * Counts the values of a JSON text by commas and opening brackets, until it exceeds a bound. Call it before parsing:
 * parsing cannot be interrupted, and a text of brackets takes a hundred times as long and far more memory.
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
