/**
 * The name in a `Host` header as URLs write it: lower case, IPv6 in brackets, without port and without the dot that names
 * may end with. Undefined for what is no host.
 */
export function hostnameOf(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined;
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined;
}
