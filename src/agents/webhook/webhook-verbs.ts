import { METHODS } from 'node:http';
import type { JsonValue } from '../../platform/json.js';

const DEFAULT_VERBS = ['GET', 'POST'];
/** CONNECT asks for a tunnel, and never reaches a webhook. */
const KNOWN: ReadonlySet<string> = new Set(METHODS.filter((method) => method !== 'CONNECT'));

/**
 * Returns the methods that a webhook accepts, in capitals: those that `verbs` lists (a list, or a text with commas or
 * spaces), GET and POST if it names none.
 */
export function readVerbs(value: JsonValue | undefined): string[] {
  const verbs = listed(value).filter((verb) => KNOWN.has(verb));
  return verbs.length === 0 ? DEFAULT_VERBS : [...new Set(verbs)];
}

/** Returns the first word of `verbs` that is no method. */
export function unknownVerb(value: JsonValue | undefined): string | undefined {
  return listed(value).find((verb) => !KNOWN.has(verb));
}

function listed(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value])
    .filter((item) => typeof item === 'string')
    .flatMap((item) => item.toUpperCase().split(/[\s,;]+/))
    .filter((verb) => verb !== '');
}
