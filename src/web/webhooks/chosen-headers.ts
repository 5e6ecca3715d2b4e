import { validateHeaderName, validateHeaderValue } from 'node:http';
import { mayStorySet } from '../../agents/face.js';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { webAddress } from './web-address.js';

/** The response headers that a story sets. */
export interface ChosenHeaders {
  headers: Record<string, string | string[]>;
  contentType: string | undefined;
}

/** Statuses with which a browser follows `Location`. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the story's headers that may be sent with `status`, and its content type. Other headers, and those with an
 * invalid value (a line break), are dropped without an error, because the request itself was accepted.
 */
export function chosenHeaders(value: JsonValue | undefined, status: number): ChosenHeaders {
  const chosen = new Map<string, [string, string | string[]]>();
  let contentType: string | undefined;
  for (const [name, header] of Object.entries(isJsonObject(value) ? value : {})) {
    const text = headerText(header);
    if (text === undefined) continue;
    const known = name.toLowerCase();
    if (known === 'content-type') contentType = String(text);
    else if (mayBeSent(known, text, status)) chosen.set(known, [name, text]);
  }
  return { headers: Object.fromEntries(chosen.values()), contentType };
}

function mayBeSent(name: string, text: string | string[], status: number): boolean {
  // `Location` is sent only with a status that redirects.
  if (name === 'location') return REDIRECTS.has(status) && isPlace(String(text));
  return mayStorySet(name) && isSendable(name, text);
}

/** Whether `text` is a valid http(s) address or a path on this host: no other scheme, and no other host by `//`. */
function isPlace(text: string): boolean {
  return webAddress(text) === text || /^\/(?![/\\])[\x21-\x7e]*$/.test(text);
}

function headerText(value: JsonValue): string | string[] | undefined {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  return value === null || typeof value === 'object' ? undefined : String(value);
}

function isSendable(name: string, value: string | string[]): boolean {
  try {
    validateHeaderName(name);
    for (const text of [value].flat()) validateHeaderValue(name, text);
    return true;
  } catch {
    return false;
  }
}
