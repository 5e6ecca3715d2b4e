import type { Resource } from '../../../../clients/typescript/api.js';
import { parseExact } from '../../text/exact-json.js';

/** A value as a person edits it. */
export interface ValueText {
  text: string;
  /** Whether the text is the value itself, or the JSON of it. */
  kind: 'text' | 'json';
}

const LIST_OR_OBJECT = /^\s*[[{]/;

/** Returns a value of the API, which is a text, as a person edits it; without a type it is told by its first letter. */
export function valueText(value: unknown, type?: Resource['value_type']): ValueText {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isText = type === undefined ? !LIST_OR_OBJECT.test(text) : type === 'text';
  return isText ? { text, kind: 'text' } : { text: pretty(text), kind: 'json' };
}

/** Returns why a text is not JSON; undefined if it is. */
export function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `Invalid JSON. ${error instanceof Error ? error.message : ''}`;
  }
}

/** JSON that the browser would write otherwise, with rounded numbers or other spaces, stays as it is. */
function pretty(text: string): string {
  if (jsonFault(text) !== undefined) return text;
  const value = parseExact(text);
  return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
}
