/**
 * A number that shows to be no whole one: it has a fraction, or is text with a decimal point such as `2.0`. The
 * number 2.0 itself is 2 for JavaScript: of literals each language remembers how they are written.
 */
export function isFraction(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value);
  return typeof value === 'string' && /^\s*[-+]?\d*\.\d/.test(value);
}
