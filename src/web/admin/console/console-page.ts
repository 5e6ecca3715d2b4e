import { randomBytes } from 'node:crypto';
import { htmlPage } from '../../../platform/http/page-style.js';

/** Returns the policy of the console: its own files, styles with the nonce, requests to this origin alone. */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page of the console, for one request. */
export interface ConsolePage {
  html: string;
  policy: string;
}

/**
 * Returns the page with a new nonce. `pathBelow`: what follows `/console/`; the base leads back from there, so that the page
 * works behind any prefix that a proxy takes off.
 */
export function consolePage(index: string, pathBelow: string): ConsolePage {
  const nonce = randomBytes(16).toString('base64');
  const up = '../'.repeat(pathBelow.split('/').length - 1);
  const html = index
    .replaceAll('__CSP_NONCE__', () => nonce)
    .replaceAll('__BASE__', () => (up === '' ? './' : up));
  return { html, policy: policyOf(nonce) };
}

/** Returns the page that is shown before the console was built. */
export function unbuiltPage(): string {
  return htmlPage(
    'Fabula',
    '<p>The console is not built. Build it with <code>npm run build</code>; the API works without it.</p>',
  );
}
