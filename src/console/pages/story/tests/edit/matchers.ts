/** The types that a matcher knows. */
const TYPES = ['text', 'number', 'boolean', 'list', 'object', 'null', 'time', 'guid'] as const;

/** A matcher that is offered: what it matches, and how it is made of the value whose place it takes. */
export interface OfferedMatcher {
  name: string;
  make: (value: unknown) => unknown;
}

/** The matchers that are offered, beside those of a type. */
export const MATCHERS: readonly OfferedMatcher[] = [
  { name: 'Any value', make: () => ({ $any: true }) },
  { name: 'No value: the key is absent', make: () => ({ $absent: true }) },
  { name: 'A text that matches a pattern', make: (value) => ({ $pattern: patternOf(value) }) },
  { name: 'A value that contains this', make: (value) => ({ $contains: value }) },
  { name: 'Exactly this, without other keys', make: (value) => ({ $equal: value }) },
];

/** A matcher for each type. */
export const TYPE_MATCHERS: readonly OfferedMatcher[] = TYPES.map((type) => ({
  name: `Type ${type}`,
  make: () => ({ $type: type }),
}));

/** Returns a pattern for exactly this text; any other value matches as its JSON. */
function patternOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `^${text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}$`;
}

/** Returns the text of a matcher in the place of a value, on one line where it is short. */
export function matcherText({ make }: OfferedMatcher, value: unknown): string {
  const short = JSON.stringify(make(value)).replace('":', '": ');
  return short.length < 100 ? short : JSON.stringify(make(value), null, 2);
}
