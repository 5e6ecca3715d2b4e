/** The session cookie of the queue board (decision 0028); with TLS the second name is used. */
export const ADMIN_COOKIE = 'fabula_admin';
export const SECURE_ADMIN_COOKIE = '__Secure-fabula_admin';

/** Returns the values of all cookies called `name` in a `Cookie` header, in their order. */
export function cookieValues(header: string | undefined, name: string): string[] {
  return pairsOf(header ?? '')
    .filter((pair) => nameOf(pair) === name)
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
}

/** Returns a `Cookie` header without our sessions: cookies are sent to all ports of a host, so also to webhooks. */
export function withoutAdminCookie(header: string): string | undefined {
  const own = new Set([ADMIN_COOKIE, SECURE_ADMIN_COOKIE]);
  const others = pairsOf(header).filter((pair) => !own.has(nameOf(pair)));
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
