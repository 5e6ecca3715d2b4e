/** The session of whoever is signed in at the board (decision 0028); with TLS under the second name. */
export const ADMIN_COOKIE = 'fabula_admin';
export const SECURE_ADMIN_COOKIE = '__Secure-fabula_admin';

/** The values of the cookies called `name` in a `Cookie` header, in their order. */
export function cookieValues(header: string | undefined, name: string): string[] {
  return pairsOf(header ?? '')
    .filter((pair) => nameOf(pair) === name)
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
}

/** A `Cookie` header without our own sessions: cookies know no ports, so they may come to the port of the webhooks too. */
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
