import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { withoutOwnCookies } from '../../platform/headers/own-cookies.js';
import { headerText } from '../../platform/headers/header-text.js';
import { RUN_CHAIN_HEADER } from '../../engine/face.js';
import { CREDENTIAL_HEADERS } from '../../platform/headers/credential-headers.js';

/**
 * Returns the names of the credential headers that a webhook's events keep (spec §4.4): those in `value`, the option
 * `keep_headers`, a list or a text with commas, in any letter case. Other names in it are ignored.
 */
export function readKeptHeaders(value: JsonValue | undefined): ReadonlySet<string> {
  const names = (Array.isArray(value) ? value : [value])
    .filter((item) => typeof item === 'string')
    .flatMap((item) => item.toLowerCase().split(/[\s,;]+/));
  return new Set(names.filter((name) => CREDENTIAL_HEADERS.has(name)));
}

/**
 * Returns the request headers that the event stores. `reveals` tells whether a header's value contains the webhook's own
 * secret. It is called for credential headers only; a header that reveals the secret is never kept.
 */
export function eventHeaders(
  headers: IncomingHttpHeaders,
  keep: ReadonlySet<string>,
  reveals: (value: string) => boolean,
): JsonObject {
  const event = asText(withoutCredentials(headers as JsonObject, keep));
  delete event[RUN_CHAIN_HEADER];
  for (const name of keep) {
    const value = headers[name];
    if (value === undefined) continue;
    const kept = keptValue(name, value, reveals);
    if (kept === undefined) delete event[name];
    else event[name] = kept;
  }
  return event;
}

/** Node gives one character for each byte; senders write UTF-8 too. */
function asText(headers: JsonObject): JsonObject {
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') headers[name] = headerText(value);
    else if (Array.isArray(value))
      headers[name] = value.map((one) => (typeof one === 'string' ? headerText(one) : one));
  }
  return headers;
}

/** Returns a copy of `headers` without the credential headers that are not in `keep`; names in lower case. */
export function withoutCredentials(headers: JsonObject, keep: ReadonlySet<string>): JsonObject {
  const left = { ...headers };
  for (const name of CREDENTIAL_HEADERS) if (!keep.has(name)) delete left[name];
  return left;
}

function keptValue(
  name: string,
  value: string | string[],
  reveals: (value: string) => boolean,
): string | string[] | undefined {
  if ([value].flat().some(reveals)) return undefined;
  return name === 'cookie' ? withoutOwnCookies(String(value)) : value;
}
