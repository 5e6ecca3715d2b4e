import type { CurlRequest } from './curl-request.js';
import { note } from './curl-request.js';

/** The address of a call in its parts, as they are written. */
export interface CallAddress {
  /** `https://api.example.com:8443/items`, without user, query and fragment. */
  base: string;
  origin: string;
  /** With the port, if it is not the usual one: `api.example.com:8443`. Empty if it holds a variable. */
  host: string;
  path: string;
  query: string;
  user: string | undefined;
}

/** Takes the first address of a command apart; without a scheme it is http, as for curl. */
export function callAddress(request: CurlRequest): CallAddress {
  const written = (request.urls[0] ?? '').trim();
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`;
  const [, scheme = '', user, authority = '', path = '', query = ''] =
    /^([^:]+:\/\/)(?:([^/?#@]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(whole) ?? [];
  const origin = `${scheme}${authority}`;
  const base = `${origin}${path}`;
  if (!URL.canParse(base)) note(request, 'The address is not complete. Correct it in url.');
  if (/\{[^{}]*,[^{}]*\}|\[\w+-\w+(?::\d+)?\]/.test(base)) {
    note(request, 'curl would send several requests, one for each part in brackets. Use a loop for these.');
  }
  return {
    base,
    origin: URL.canParse(origin) ? new URL(origin).origin : origin,
    host: hostOf(origin),
    path,
    query,
    user: user === undefined ? undefined : decodedUser(user),
  };
}

function hostOf(origin: string): string {
  if (/[$<>{}%\s]/.test(origin) || !URL.canParse(origin)) return '';
  return new URL(origin).host;
}

function decodedUser(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}
