declare global {
  interface JSON {
    /** Newer browsers write such a value as the text that it holds. */
    rawJSON?(text: string): unknown;
  }
}

/** A number whose digits a number of JavaScript cannot hold. `JSON.stringify` writes all of them. */
export class LongNumber {
  constructor(
    /** The number as the server wrote it. */
    readonly text: string,
  ) {}

  toString(): string {
    return this.text;
  }

  toJSON(): unknown {
    return JSON.rawJSON?.(this.text);
  }
}

/** Whether a value has entries: a list or an object, and no plain value. */
export function hasEntries(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !(value instanceof LongNumber);
}

/** Shorter numbers without a large exponent are held exactly. */
const MOST_SURE_CHARACTERS = 15;
const MAY_HAVE_LONG = /[\d.]{16}|[eE][+-]?\d{3}/;

/**
 * Parses JSON as `JSON.parse` does, but numbers keep their digits where the browser can tell and write them (Chrome 114,
 * Firefox 135, Safari 18.4); elsewhere they are rounded. @throws SyntaxError.
 */
export function parseExact(text: string): unknown {
  if (JSON.rawJSON === undefined || !MAY_HAVE_LONG.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, keepDigits);
  } catch (error) {
    // It looks at values by recursion, which ends at some thousand lists in lists.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

/** Newer browsers give the text of a plain value as `source`. */
function keepDigits(this: unknown, _key: string, value: unknown, ...context: { source?: string }[]): unknown {
  const source = context[0]?.source;
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return isHeld(value, source) ? value : new LongNumber(source);
}

function isHeld(value: number, source: string): boolean {
  // `0.0` is nothing else than 0; `1e-400` is.
  if (value === 0) return !/[1-9]/.test(source.replace(/e.*$/i, ''));
  return source.length <= MOST_SURE_CHARACTERS && Number.isFinite(value);
}
