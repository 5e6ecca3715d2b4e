/** Characters that are looked at together. */
const GRAM = 3;
/** Every text that is looked for is at least this long: one of its first grams stands where we look. */
const SHORTEST = 6;
const STRIDE = SHORTEST - GRAM + 1;
const BITS = 16;
const MASK = (1 << BITS) - 1;

/** Finds which of some texts stand in another one. */
export interface FormFinder {
  /** The text with `by` in the place of each of them, the longest first. */
  replace(text: string, by: (form: string) => string): string;
}

/**
 * A finder of these texts, each of at least six characters. Most texts hold none of them, which every fourth place of
 * them shows: an answer of 8 MB takes some ten milliseconds instead of hundreds.
 */
export function createFormFinder(forms: readonly string[]): FormFinder {
  const grams = new Uint8Array(1 << BITS);
  for (const form of forms) {
    for (let at = 0; at < STRIDE; at += 1) grams[gramAt(form, at)] = 1;
  }
  const pattern = patternOf(forms);
  const mayHold = (text: string): boolean => {
    for (let at = 0; at + GRAM <= text.length; at += STRIDE) if (grams[gramAt(text, at)] === 1) return true;
    return false;
  };
  return { replace: (text, by) => (mayHold(text) ? text.replace(pattern, by) : text) };
}

function gramAt(text: string, at: number): number {
  const mixed = (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2);
  return (mixed ^ (mixed >> BITS)) & MASK;
}

/** The longest first: one may be part of another. */
function patternOf(forms: readonly string[]): RegExp {
  const longestFirst = forms.toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|'), 'g');
}
