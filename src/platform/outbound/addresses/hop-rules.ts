import { isIP } from 'node:net';
import { AddressBlocked, createAddressGuard, createAddressList } from './address-guard.js';
import { isLocalName } from './local-name.js';

/** "Bad ports" of the Fetch standard, which browsers refuse. */
const BAD_PORTS = `
  0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123
  135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993
  995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`;

/** SMB, MS SQL, Oracle, MySQL, RDP, PostgreSQL, AMQP, Redis, memcached, MongoDB. */
const SERVERS = '445 1433 1521 3306 3389 5432 5672 6379 11211 27017';

/** Ports of services that are not HTTP, and would read lines of a request as commands. */
export const BLOCKED_PORTS: ReadonlySet<number> = new Set(
  `${BAD_PORTS} ${SERVERS}`.trim().split(/\s+/).map(Number),
);

/** An operator's setting forbids this request; `message` names the variable. */
export class OutboundRefused extends Error {}

/** First and last port, both included. */
export type PortRange = readonly [number, number];

/** The targets that an operator allows (README, Configuration). */
export interface OutboundRules {
  /** CIDRs or addresses that are allowed although they are not public. */
  allow: string[];
  /** CIDRs, addresses and host patterns that are never allowed; takes precedence over all others. */
  deny?: string[];
  /** Host patterns; if not empty, no other host is allowed. */
  allowHosts?: string[];
  /** The only allowed ports; undefined: all but those of services that are not HTTP. */
  ports?: readonly PortRange[] | undefined;
  /** Forbids plain HTTP and unverified certificates. */
  requireTls?: boolean;
  /** URL of an HTTP proxy for all requests, which also resolves the names. */
  proxy?: string | undefined;
}

/** Each returns why a connection is forbidden; undefined: it is allowed. */
export interface HopRules {
  /** Before a connection to this URL is made. */
  refusalOfUrl(url: URL): Error | undefined;
  /** Checks an address that a name resolved to, or of an open connection. */
  refusalOfAddress(address: string): Error | undefined;
}

/** Most cached origins that are allowed: the rules do not change. */
const MOST_KNOWN = 1000;
const ADDRESS = /^[\d.]+(?:\/\d+)?$|:/;

/** Creates the rules for each hop of a request: by its URL before it connects, and by its address. */
export function createHopRules(rules: OutboundRules): HopRules {
  const refusalOfAddress = addressRule(rules);
  const refusalOfHost = hostRule(rules);
  const refusalOfUrl = (url: URL): Error | undefined => {
    const host = plainHost(url.hostname);
    return (
      refusalOfScheme(url, rules) ??
      refusalOfPort(url, rules) ??
      refusalOfHost(host) ??
      (isIP(host) === 0 ? undefined : refusalOfAddress(host))
    );
  };
  return { refusalOfUrl: rememberOpen(refusalOfUrl), refusalOfAddress };
}

function rememberOpen(refusalOf: (url: URL) => Error | undefined): (url: URL) => Error | undefined {
  const open = new Set<string>();
  return (url) => {
    if (open.has(url.origin)) return undefined;
    const refusal = refusalOf(url);
    if (refusal !== undefined) return refusal;
    if (open.size >= MOST_KNOWN) open.clear();
    open.add(url.origin);
    return undefined;
  };
}

function addressRule({ allow, deny = [] }: OutboundRules): (address: string) => Error | undefined {
  const isDenied = createAddressList(deny.filter((entry) => ADDRESS.test(entry)));
  const isReachable = createAddressGuard(allow);
  return (address) => {
    if (isDenied(address)) return new OutboundRefused('the address is blocked by OUTBOUND_DENY');
    return isReachable(address) ? undefined : new AddressBlocked();
  };
}

function hostRule({ deny = [], allowHosts = [], proxy }: OutboundRules) {
  const isDenied = createHostTest(deny.filter((entry) => !ADDRESS.test(entry)));
  const isNamed = createHostTest(allowHosts);
  return (host: string): Error | undefined => {
    if (isDenied(host)) return new OutboundRefused('the host is blocked by OUTBOUND_DENY');
    if (isNamed(host)) return undefined;
    if (allowHosts.length > 0) return new OutboundRefused('the host is not in OUTBOUND_ALLOW_HOSTS');
    if (proxy === undefined || isIP(host) !== 0 || !isLocalName(host)) return undefined;
    return new OutboundRefused('the local host is not in OUTBOUND_ALLOW_HOSTS');
  };
}

function refusalOfScheme(url: URL, { requireTls = false }: OutboundRules): Error | undefined {
  if (!requireTls || url.protocol === 'https:') return undefined;
  return new OutboundRefused('requests without TLS are blocked by OUTBOUND_REQUIRE_TLS');
}

function refusalOfPort(url: URL, { ports }: OutboundRules): Error | undefined {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const isOpen =
    ports === undefined ? !BLOCKED_PORTS.has(port) : ports.some(([low, high]) => low <= port && port <= high);
  return isOpen ? undefined : new OutboundRefused(`port ${port} is not in OUTBOUND_PORTS`);
}

/** Returns true if a host matches. */
type HostTest = (host: string) => boolean;

/**
 * Creates a test for hosts as they appear in a URL: `api.example.com` matches itself, `*.example.com` every name below
 * it, and an address matches itself in every notation.
 */
function createHostTest(patterns: string[]): HostTest {
  const exact = new Set(patterns.filter((pattern) => !pattern.startsWith('*.')).map(plainHost));
  const endings = patterns.filter((pattern) => pattern.startsWith('*.')).map((pattern) => pattern.slice(1));
  const lower = endings.map((ending) => plainHost(`x${ending}`).slice(1));
  return (host) => {
    const plain = plainHost(host);
    return exact.has(plain) || lower.some((ending) => plain.endsWith(ending));
  };
}

/** Returns a host as the URL parser writes it, without the brackets of IPv6 and a trailing dot. */
function plainHost(host: string): string {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const address = `http://${bracketed}`;
  const parsed = URL.canParse(address) ? new URL(address).hostname : bracketed.toLowerCase();
  return parsed.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
}
