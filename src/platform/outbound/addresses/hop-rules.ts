import { isIP } from 'node:net';
import { AddressBlocked, createAddressGuard, createAddressList } from './address-guard.js';
import { BLOCKED_PORTS } from './blocked-ports.js';
import { createHostTest, plainHost } from './host-pattern.js';
import { isLocalName } from './local-name.js';

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
