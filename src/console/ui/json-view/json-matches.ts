import { hasEntries } from '../../text/exact-json.js';

/** The keys and places that lead to a value. */
export type Steps = readonly (string | number)[];

/** More matches than that nobody walks through. */
export const MOST_MATCHES = 1_000;

interface Place {
  value: unknown;
  step: string | number | undefined;
  parent: Place | undefined;
}

/** Returns the places whose key, or whose text, number or truth, has a part, in any letter case; in their order. */
export function matchesIn(value: unknown, part: string): Steps[] {
  const wanted = part.toLowerCase();
  const found: Steps[] = [];
  if (wanted === '') return found;
  // A stack, not a recursion: a payload may be nested some thousand deep.
  const stack: Place[] = [{ value, step: undefined, parent: undefined }];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    if (hasPart(place, wanted)) found.push(stepsOf(place));
    if (found.length === MOST_MATCHES) break;
    if (!hasEntries(place.value)) continue;
    const isList = Array.isArray(place.value);
    const entries = Object.entries(place.value);
    for (let at = entries.length - 1; at >= 0; at -= 1) {
      const [key, inside] = entries[at] as [string, unknown];
      stack.push({ value: inside, step: isList ? Number(key) : key, parent: place });
    }
  }
  return found;
}

function hasPart({ value, step }: Place, wanted: string): boolean {
  if (typeof step === 'string' && step.toLowerCase().includes(wanted)) return true;
  return !hasEntries(value) && String(value).toLowerCase().includes(wanted);
}

function stepsOf(place: Place): Steps {
  const steps: (string | number)[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) {
    if (at.step !== undefined) steps.unshift(at.step);
  }
  return steps;
}
