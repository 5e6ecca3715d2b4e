import { domainToASCII } from 'node:url';

/** Patterns of one credential. */
export const MAX_ALLOWED_HOSTS = 100;
/** `*.`, a name or an address, a port. */
const PATTERN = /^(\*\.)?(\[[0-9a-fA-F:.]+\]|[^\s*/?#@:[\]]+)(?::(\d{1,5}))?$/;
const MAX_PORT = 65_535;
const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

/**
 * The pattern in the form that is stored: `api.example.com`, `*.example.com` (every name below it), each with a port
 * after a colon if only that one is meant. Undefined for what is no pattern.
 */
export function hostPattern(written: string): string | undefined {
  const [, star = '', host = '', port] = PATTERN.exec(written.trim()) ?? [];
  const name = withoutDot(host.startsWith('[') ? addressIn(host) : domainToASCII(host));
  if (name === '' || (port !== undefined && (Number(port) < 1 || Number(port) > MAX_PORT))) return undefined;
  const isAddress = /^[\d.]+$|^\[/.test(name);
  if (star !== '' && (isAddress || !name.includes('.'))) return undefined;
  return `${star}${name}${port === undefined ? '' : `:${Number(port)}`}`;
}

/** An IPv6 address as the addresses of requests write it. */
function addressIn(host: string): string {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : '';
}

/** Whether one of the stored patterns is for the host that a request goes to. */
export function allowsHost(patterns: readonly string[], { hostname, port, protocol }: URL): boolean {
  const host = withoutDot(hostname);
  const actual = port || DEFAULT_PORTS[protocol];
  return patterns.some((pattern) => {
    const [, , , wanted] = PATTERN.exec(pattern) ?? [];
    return fitsName(pattern, host) && (wanted === undefined || wanted === actual);
  });
}

/** Whether one of the stored patterns is for the domain of a mail address. */
export function allowsDomain(patterns: readonly string[], domain: string): boolean {
  const host = withoutDot(domainToASCII(domain));
  return host !== '' && patterns.some((pattern) => fitsName(pattern, host));
}

function fitsName(pattern: string, host: string): boolean {
  const [, star, name = ''] = PATTERN.exec(pattern) ?? [];
  return star === undefined ? host === name : host.endsWith(`.${name}`) && host.length > name.length + 1;
}

function withoutDot(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
