import { CookieJar } from 'tough-cookie';

/** Limits of browsers: cookies of one response, and bytes of one. */
const MOST_COOKIES = 50;
const MAX_COOKIE_BYTES = 4096;
/** Bytes of the `cookie` header with the cookies of responses. */
const MAX_HEADER_BYTES = 16 * 1024;

const CONTROL = /\p{Cc}/u;

/** Cookies that the responses of one request set on its way through redirects. */
export interface Cookies {
  /** Keeps the values of `set-cookie`, one character for each byte. */
  keep(url: URL, values: string[]): void;
  /** Returns the `cookie` header for a request; `own` is that of the caller. */
  headerFor(url: URL, own: string | undefined): string | undefined;
}

/** Each origin has a jar of its own: no other gets its cookies, whatever their `Domain` says. */
export function createCookies(): Cookies {
  const jars = new Map<string, CookieJar>();
  return {
    keep(url, values) {
      const kept = values.filter((value) => value.length <= MAX_COOKIE_BYTES && !CONTROL.test(value));
      if (kept.length === 0) return;
      const jar = jars.get(url.origin) ?? new CookieJar(undefined, { rejectPublicSuffixes: false });
      jars.set(url.origin, jar);
      for (const value of kept.slice(0, MOST_COOKIES))
        jar.setCookieSync(value, url.href, { ignoreError: true });
    },
    headerFor(url, own) {
      const text = jars.get(url.origin)?.getCookieStringSync(url.href) ?? '';
      if (text === '' || text.length > MAX_HEADER_BYTES) return own;
      return merged(own, text);
    },
  };
}

/** Returns both; a cookie of a response replaces the caller's of the same name. */
function merged(own: string | undefined, fromResponses: string): string {
  const set = new Set(pairsOf(fromResponses).map(nameOf));
  const kept = pairsOf(own ?? '').filter((pair) => !set.has(nameOf(pair)));
  return [...kept, fromResponses].join('; ');
}

function pairsOf(header: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0]?.trim() ?? '';
}
