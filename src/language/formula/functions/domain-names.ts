import { isIP } from 'node:net';

/** Second-level domains under which many countries register names: `co.uk`, `com.au`, `or.jp` … */
const SECOND_LEVEL = new Set(
  'ac co com edu gob gouv gov go gv ltd me mil ne net nom or org plc sch'.split(' '),
);
/** Domains whose subdomains have different owners. */
const SHARED = new Set(
  [
    'appspot.com azurewebsites.net blob.core.windows.net blogspot.com cloudapp.net cloudfront.net',
    'duckdns.org firebaseapp.com fly.dev github.io gitlab.io glitch.me herokuapp.com netlify.app',
    'ngrok.io ngrok.app ngrok-free.app onrender.com pages.dev r2.dev s3.amazonaws.com surge.sh',
    'trycloudflare.com vercel.app web.app webflow.io wixsite.com workers.dev',
  ]
    .join(' ')
    .split(' '),
);
const SHARED_STORAGE = /^s3[.-][a-z0-9-]+\.amazonaws\.com$/;

/**
 * Returns the registered domain of a host, and the suffix it is registered under; NULL if the host is not
 * in a domain. Uses simple rules: the full list of such suffixes is larger than this program.
 * @param ignoreShared treats hosting providers, such as `github.io`, like other domains.
 */
export function registeredDomain(
  host: string,
  ignoreShared: boolean,
): { domain: string | null; tld: string | null } {
  const labels = host.replace(/\.$/, '').split('.');
  if (labels.length < 2 || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return { domain: null, tld: null };
  const size = suffixSize(labels, ignoreShared);
  return {
    domain: labels.length > size ? labels.slice(-size - 1).join('.') : null,
    tld: labels.slice(-size).join('.'),
  };
}

function suffixSize(labels: string[], ignoreShared: boolean): number {
  if (!ignoreShared) {
    for (const size of [4, 3, 2]) {
      const name = labels.slice(-size).join('.');
      if (labels.length >= size && (SHARED.has(name) || SHARED_STORAGE.test(name))) return size;
    }
  }
  const [second = '', top = ''] = labels.slice(-2);
  return top.length === 2 && SECOND_LEVEL.has(second) ? 2 : 1;
}
