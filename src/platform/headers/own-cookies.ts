/** The session cookie of the queue board (decision 0028); with TLS the second name is used. */
export const ADMIN_COOKIE = 'fabula_admin';
export const SECURE_ADMIN_COOKIE = '__Secure-fabula_admin';
/** The session cookie of people in the console; with TLS the second name is used. */
export const SESSION_COOKIE = 'fabula_session';
export const SECURE_SESSION_COOKIE = '__Host-fabula_session';
/** Cookies that show that a person signed in in this browser before; with TLS the second name is used. */
export const DEVICE_COOKIE = 'fabula_device';
export const SECURE_DEVICE_COOKIE = '__Host-fabula_device';

const OWN: ReadonlySet<string> = new Set([
  ADMIN_COOKIE,
  SECURE_ADMIN_COOKIE,
  SESSION_COOKIE,
  SECURE_SESSION_COOKIE,
  DEVICE_COOKIE,
  SECURE_DEVICE_COOKIE,
]);

/** Returns the values of all cookies called `name` in a `Cookie` header, in their order. */
export function cookieValues(header: string | undefined, name: string): string[] {
  return pairsOf(header ?? '')
    .filter((pair) => nameOf(pair) === name)
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
}

/** Returns a `Cookie` header without our sessions: cookies are sent to all ports of a host, so also to webhooks. */
export function withoutOwnCookies(header: string): string | undefined {
  const others = pairsOf(header).filter((pair) => !OWN.has(nameOf(pair)));
  return others.length === 0 ? undefined : others.join('; ');
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
