/** Characters of a gram. */
const GRAM = 3;
/** Shortest form to find. With the stride below, at least one of its grams starts at a checked position. */
const SHORTEST = 6;
const STRIDE = SHORTEST - GRAM + 1;
/** Most characters compared in one text; only a text crafted to be slow has more matches of a form's beginning. */
const MOST_COMPARED = 32 * 1024 * 1024;
const BITS = 16;
const MASK = (1 << BITS) - 1;

/** Finds given texts in another text. */
export interface FormFinder {
  /**
   * Returns the text with each form replaced by `by(form)`, the longest first. If searching takes too long, the whole text
   * is replaced.
   */
  replace(text: string, by: (form: string) => string): string;
}

/**
 * Returns a finder of these forms, each of at least six characters. Most texts contain none; checking every fourth position
 * shows that, so a response of 8 MB takes about ten milliseconds instead of hundreds. Not a regular expression: a long form
 * is too large for one, and its error would quote the secret.
 */
export function createFormFinder(forms: readonly string[]): FormFinder {
  const grams = new Uint8Array(1 << BITS);
  const starts = new Uint8Array(1 << BITS);
  for (const form of forms) {
    starts[gramAt(form, 0)] = 1;
    for (let at = 0; at < STRIDE; at += 1) grams[gramAt(form, at)] = 1;
  }
  const mayHold = (text: string): boolean => {
    for (let at = 0; at + GRAM <= text.length; at += STRIDE) if (grams[gramAt(text, at)] === 1) return true;
    return false;
  };
  const known = byStart(forms);
  const candidatesAt = (text: string, at: number): readonly string[] =>
    starts[gramAt(text, at)] === 1 ? (known.get(text.slice(at, at + SHORTEST)) ?? NONE) : NONE;
  return { replace: (text, by) => (mayHold(text) ? replaced(text, candidatesAt, by) : text) };
}

const NONE: readonly string[] = [];

function replaced(
  text: string,
  candidatesAt: (text: string, at: number) => readonly string[],
  by: (form: string) => string,
): string {
  const parts: string[] = [];
  let end = 0;
  let compared = 0;
  for (let at = 0; at + SHORTEST <= text.length; at += 1) {
    for (const form of candidatesAt(text, at)) {
      compared += form.length;
      if (compared > MOST_COMPARED) return by(form);
      if (!text.startsWith(form, at)) continue;
      parts.push(text.slice(end, at), by(form));
      end = at + form.length;
      at = end - 1;
      break;
    }
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(end);
}

/** Returns the forms by their first characters, the longest first, as one may contain another. */
function byStart(forms: readonly string[]): ReadonlyMap<string, string[]> {
  const known = new Map<string, string[]>();
  for (const form of forms.toSorted((a, b) => b.length - a.length)) {
    const start = form.slice(0, SHORTEST);
    const same = known.get(start);
    if (same === undefined) known.set(start, [form]);
    else same.push(form);
  }
  return known;
}

function gramAt(text: string, at: number): number {
  const mixed = (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2);
  return (mixed ^ (mixed >> BITS)) & MASK;
}
