/** Returns true if a host matches. */
export type HostTest = (host: string) => boolean;

/**
 * Creates a test for hosts as they appear in a URL: `api.example.com` matches itself, `*.example.com` every name below
 * it, and an address matches itself in every notation.
 */
export function createHostTest(patterns: string[]): HostTest {
  const exact = new Set(patterns.filter((pattern) => !pattern.startsWith('*.')).map(plainHost));
  const endings = patterns.filter((pattern) => pattern.startsWith('*.')).map((pattern) => pattern.slice(1));
  const lower = endings.map((ending) => plainHost(`x${ending}`).slice(1));
  return (host) => {
    const plain = plainHost(host);
    return exact.has(plain) || lower.some((ending) => plain.endsWith(ending));
  };
}

/** Returns a host as the URL parser writes it, without the brackets of IPv6 and a trailing dot. */
export function plainHost(host: string): string {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const address = `http://${bracketed}`;
  const parsed = URL.canParse(address) ? new URL(address).hostname : bracketed.toLowerCase();
  return parsed.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}
