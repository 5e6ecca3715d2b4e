/** Returns the host for a URL to a listener on `host`. A listener on all addresses is reached on loopback. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
