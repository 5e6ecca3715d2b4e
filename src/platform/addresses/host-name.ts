/**
 * Returns the name in a `Host` header as URLs write it: lower case, IPv6 in brackets, without port and trailing dot.
 * Undefined for a text that is no host.
 */
export function hostnameOf(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined;
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined;
}
