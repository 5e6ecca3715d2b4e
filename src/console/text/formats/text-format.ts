import { isTooDeep, MOST_LEVELS } from '../nesting.js';

/** The way to a value inside a value of JSON: keys of objects, and places in lists from 0. */
type Path = readonly (string | number)[];

/** A value that was read from a text. */
export interface ReadText {
  value: unknown;
  /** Returns where the value at a path begins in the text; where it is absent, what it would stand in. */
  offsetOf: (path: Path) => number;
}

/** A text that cannot be read, or says something that cannot be. Its message is for people. */
export class TextFault extends Error {
  constructor(
    message: string,
    /** The place in the text, in characters from 0. */
    readonly at: number,
  ) {
    super(message);
  }
}

/** Returns the sentence for a key that stands twice in an object, of which one value would be lost. */
export const sameKey = (name: string): string => `The key "${name}" is there twice.`;

/** Returns what was read. @throws TextFault if it nests deeper than the server takes. */
export function requireShallow(read: ReadText): ReadText {
  if (!isTooDeep(read.value)) return read;
  throw new TextFault(`This nests deeper than ${MOST_LEVELS} levels.`, 0);
}

/** A way to write values of JSON as text and to read them again: nothing is lost on the way, digits of numbers included. */
export interface TextFormat {
  write: (value: unknown) => string;
  /** Writes an object of lists whose items were written by `item`. */
  lists: (lists: readonly (readonly [name: string, items: readonly string[]])[]) => string;
  item: (value: unknown) => string;
  /** @throws TextFault for a text that is not of this format. */
  read: (text: string) => ReadText;
}

/** The formats by name. */
export type FormatName = 'json' | 'yaml';
