import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isJsonObject, type JsonValue } from '../platform/json.js';
import { webAddress } from './web-address.js';

/** What a story asks for besides status and content. */
export interface ChosenHeaders {
  headers: Record<string, string | string[]>;
  contentType: string | undefined;
}

/** Statuses that lead a browser to `Location`. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What a story may set besides `content-type`, `location` and `x-…` (decision 0028). */
const ALLOWED = new Set(['cache-control', 'content-language', 'retry-after']);

/**
 * Of `x-…` those that somebody on the way acts upon: this server's own; browsers' rules; orders to proxies, caches and
 * hosts, such as nginx's `X-Accel-Redirect`, mod_zip's `X-Archive-Files` or Envoy's `X-Envoy-Immediate-Health-Check-Fail`.
 */
const ACTED_UPON = new RegExp(
  `^x-(?:${[
    'service-|request-id$|ratelimit-',
    'content-|webkit-|moz-|ms-|frame-options|xss-protection|download-options|dns-prefetch|permitted-|ua-compatible|sourcemap|associated-content',
    'accel-|ngx-|nginx-|archive-|sendfile|lighttpd-|ls|litespeed-|reproxy-|apache-|pagespeed|mod-pagespeed|middleware-',
    'forwarded|real-ip|original-|rewrite-|http-method|method-override|proxy-|upstream-',
    'envoy-|istio-|kong-|traefik-|haproxy-|varnish|esi$|esi-|do-esi|cache|surrogate-|edge-|cdn-',
    'akamai-|fastly-|amz|aws-|appengine-|goog|cloud-|gfe-|azure-|arr-|heroku-|vercel-|netlify-|nf-',
  ].join('|')})`,
);

/**
 * The headers of a story that may be sent with `status`, and the content type it asks for. Others are left out without
 * a word, and so is one that cannot be sent (a line break in its value): the call itself was taken.
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
  // A place to go is sent only where the status says to go there.
  if (name === 'location') return REDIRECTS.has(status) && isPlace(String(text));
  const allowed = ALLOWED.has(name) || (/^x-./.test(name) && !ACTED_UPON.test(name));
  return allowed && isSendable(name, text);
}

/** An address of the web as it can be sent, or a path of this host: never another scheme, nor another host by `//`. */
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
