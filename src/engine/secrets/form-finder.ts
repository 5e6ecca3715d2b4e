/** Characters that are looked at together. */
const GRAM = 3;
/** Every text that is looked for is at least this long: one of its first grams stands where we look. */
const SHORTEST = 6;
const STRIDE = SHORTEST - GRAM + 1;
/** Of characters that may be compared in one text: only one that was made to be slow has more that begin like a form. */
const MOST_COMPARED = 32 * 1024 * 1024;
const BITS = 16;
const MASK = (1 << BITS) - 1;

/** Finds which of some texts stand in another one. */
export interface FormFinder {
  /**
   * The text with `by` in the place of each of them, the longest first; or of the whole text, where it would take too long to
   * find them.
   */
  replace(text: string, by: (form: string) => string): string;
}

/**
 * A finder of these texts, each of at least six characters. Most texts hold none of them, which every fourth place of
 * them shows: an answer of 8 MB takes some ten milliseconds instead of hundreds. No regular expression: a long text is too
 * large for one, and its error would quote the secret.
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

/** The forms by their first characters, the longest first: one may be part of another. */
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
