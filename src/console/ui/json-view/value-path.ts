import { hasEntries } from '../../text/exact-json.js';

type Step = string | number;

const PLAIN = /^[A-Za-z_]\w*$/;
/** Keys that the search of runs cannot name. */
const NOT_SEARCHED = /[.[\]"\\]/;

/** Returns a formula for the value at these steps: `<<receive_alert.body["odd key"][0]>>`. */
export function formulaOf(steps: readonly Step[]): string {
  return `<<${joined(steps, (key) => `[${JSON.stringify(key)}]`)}>>`;
}

/** Returns a Liquid output for the value at these steps. Liquid knows no escapes: a key with `"` stands in `'`. */
export function liquidOf(steps: readonly Step[]): string {
  return `{{ ${joined(steps, (key) => (key.includes('"') ? `['${key}']` : `["${key}"]`))} }}`;
}

/** Returns a path for the search of runs, `body.alerts[0].id`; undefined where a key cannot be named. */
export function searchPathOf(steps: readonly Step[]): string | undefined {
  if (steps.length === 0) return undefined;
  if (steps.some((step) => typeof step === 'string' && (step === '' || NOT_SEARCHED.test(step)))) {
    return undefined;
  }
  return joined(steps, (key) => `.${key}`).replace(/^\./, '');
}

function joined(steps: readonly Step[], odd: (key: string) => string): string {
  return steps
    .map((step, at) => {
      if (typeof step === 'number') return `[${step}]`;
      if (at === 0) return step;
      return PLAIN.test(step) ? `.${step}` : odd(step);
    })
    .join('');
}

/** Returns the value at a search path; undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let at: unknown = value;
  for (const [, key, place] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (!hasEntries(at)) return undefined;
    at = (at as Record<string, unknown>)[key ?? place ?? ''];
  }
  return at;
}
