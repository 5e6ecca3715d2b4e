import { domainToASCII } from 'node:url';

/** Maximum number of patterns of one credential. */
export const MAX_ALLOWED_HOSTS = 100;
/** `*.`, a name or an address, a port. */
const PATTERN = /^(\*\.)?(\[[0-9a-fA-F:.]+\]|[^\s*/?#@:[\]]+)(?::(\d{1,5}))?$/;
const MAX_PORT = 65_535;
const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

/**
 * Returns the pattern in its stored form: `api.example.com`, `*.example.com` (every name below it), each followed by a
 * colon and a port if only that port is allowed. Returns undefined for an invalid pattern.
 */
export function hostPattern(written: string): string | undefined {
  const [, star = '', host = '', port] = PATTERN.exec(written.trim()) ?? [];
  const name = withoutDot(host.startsWith('[') ? addressIn(host) : domainToASCII(host));
  if (name === '' || (port !== undefined && (Number(port) < 1 || Number(port) > MAX_PORT))) return undefined;
  const isAddress = /^[\d.]+$|^\[/.test(name);
  if (star !== '' && (isAddress || !name.includes('.'))) return undefined;
  return `${star}${name}${port === undefined ? '' : `:${Number(port)}`}`;
}

/** Normalises an IPv6 address to its form in request URLs. */
function addressIn(host: string): string {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : '';
}

/** Whether one of the stored patterns allows the host of a request. */
export function allowsHost(patterns: readonly string[], { hostname, port, protocol }: URL): boolean {
  const host = withoutDot(hostname);
  const actual = port || DEFAULT_PORTS[protocol];
  return patterns.some((pattern) => {
    const [, , , wanted] = PATTERN.exec(pattern) ?? [];
    return fitsName(pattern, host) && (wanted === undefined || wanted === actual);
  });
}

/** Whether one of the stored patterns allows the domain of a mail address. */
export function allowsDomain(patterns: readonly string[], domain: string): boolean {
  const host = withoutDot(domainToASCII(domain));
  return host !== '' && patterns.some((pattern) => fitsName(pattern, host));
}

/** Whether the stored patterns `after` allow a host that `before` does not. Without patterns any host is allowed. */
export function addsHost(before: readonly string[], after: readonly (string | undefined)[]): boolean {
  if (before.length === 0) return false;
  return (
    after.length === 0 ||
    after.some((pattern) => pattern !== undefined && !before.some((wide) => covers(wide, pattern)))
  );
}

/** Whether one pattern allows every host of another. */
function covers(wide: string, narrow: string): boolean {
  const [, star, name = '', port] = PATTERN.exec(wide) ?? [];
  const [, narrowStar, narrowName = '', narrowPort] = PATTERN.exec(narrow) ?? [];
  if (port !== undefined && port !== narrowPort) return false;
  if (narrowName === name) return star === narrowStar;
  return star !== undefined && narrowName.endsWith(`.${name}`);
}

function fitsName(pattern: string, host: string): boolean {
  const [, star, name = ''] = PATTERN.exec(pattern) ?? [];
  return star === undefined ? host === name : host.endsWith(`.${name}`) && host.length > name.length + 1;
}

function withoutDot(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
