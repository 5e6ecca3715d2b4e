/**
 * Returns the value that a person has typed: `true`, `3` and `["a"]` are JSON, all else is text. A number that JavaScript
 * would round stays text.
 */
export function typedValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' && String(value) !== text ? text : value;
  } catch {
    return text;
  }
}

/** Returns a value as text: itself for a text, JSON for all else. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
