import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { isCorsHeader } from './webhook-cors.js';

/**
 * Headers that a story may set besides `content-type`, `location` and `x-…` (decision 0028). Senders of CloudEvents ask
 * with OPTIONS, and want the last two.
 */
const ALLOWED = new Set([
  'cache-control',
  'content-language',
  'retry-after',
  'webhook-allowed-origin',
  'webhook-allowed-rate',
]);

/**
 * The `x-…` headers that have an effect: this server's own, those of browsers, and those of proxies, caches and
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

/** Whether a story may set the response header with this name, in lower case, whatever its status. */
export function mayStorySet(name: string): boolean {
  return ALLOWED.has(name) || (/^x-./.test(name) && !ACTED_UPON.test(name));
}

/** Headers that have a rule of their own: a type that is none becomes text, a place needs a status that redirects. */
const WITH_RULES = new Set(['content-type', 'location']);

/** Returns the names of the headers in the option `response_headers` that are never sent. */
export function unsentHeaders(headers: JsonValue | undefined): string[] {
  if (!isJsonObject(headers)) return [];
  return Object.keys(headers).filter((name) => {
    const known = name.toLowerCase();
    return !WITH_RULES.has(known) && !mayStorySet(known) && !isCorsHeader(known, headers[name]);
  });
}
