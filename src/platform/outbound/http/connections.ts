import { createHash } from 'node:crypto';
import type { Agent } from 'node:http';
import tls, { createSecureContext, rootCertificates } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { HopRules } from '../addresses/hop-rules.js';
import { createNameLookup } from '../addresses/name-lookup.js';
import { openTunnel } from './proxy-tunnel.js';
import type { ClientCertificate } from '../http-exchange.js';
import { PlainAgent, type Route, type Tls, TlsAgent } from './agents.js';
import { guardedLookup } from '../addresses/guarded-lookup.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Certificates of clients with pools of their own; the pools of others are closed. */
const MOST_PERSONAL = 50;

/** The pools of idle connections, by protocol. */
export type Pools = Record<'http:' | 'https:', Agent>;

interface Options {
  /** Additional trusted certificates (PEM). */
  ca?: string;
  /** URL of an HTTP proxy. */
  proxy?: string | undefined;
}

/** Creates the connection pools: those that verify certificates, and those that do not. */
export function createConnections(rules: HopRules, options: Options) {
  const route = routeOf(rules, options);
  const strict = poolsOf(route, options.ca === undefined ? {} : { ca: options.ca });
  const lax = poolsOf(route, { rejectUnauthorized: false });
  const personal = new LRUCache<string, Pools>({
    max: MOST_PERSONAL,
    dispose: (pools) => Object.values(pools).forEach((agent) => agent.destroy()),
  });
  return {
    /** The pools for requests that do, or do not, require a valid certificate. */
    forTls(verify: boolean): Pools {
      return verify ? strict : lax;
    },
    /** The pools whose connections show this certificate. @throws for a certificate that cannot be used. */
    showing(shown: ClientCertificate, verify: boolean): Pools {
      const name = createHash('sha256')
        .update(JSON.stringify([shown, verify]))
        .digest('hex');
      const known = personal.get(name);
      if (known !== undefined) return known;
      const more = [options.ca, shown.ca].filter((ca) => ca !== undefined);
      const trusted = more.length === 0 ? {} : { ca: [...trustedCertificates(), ...more] };
      const { ca: _, ...own } = shown;
      const shownTls = { ...own, ...trusted };
      createSecureContext(shownTls);
      const made = poolsOf(route, { ...shownTls, rejectUnauthorized: verify });
      personal.set(name, made);
      return made;
    },
    close(): void {
      personal.clear();
      for (const agent of [...Object.values(strict), ...Object.values(lax)]) agent.destroy();
    },
  };
}

/** Returns the certificates that are trusted anyway (PEM). Node 20 has no list of those in NODE_EXTRA_CA_CERTS. */
export function trustedCertificates(): readonly string[] {
  const list: unknown = Reflect.get(tls, 'getCACertificates');
  return typeof list === 'function' ? (list('default') as string[]) : rootCertificates;
}

function poolsOf(route: Route, tls: Tls): Pools {
  return { 'http:': new PlainAgent(route), 'https:': new TlsAgent(route, tls) };
}

/**
 * Returns the route through the proxy, which resolves names and has rules of its own, or the direct one. It checks the
 * address at connect time: a name that resolves to another address a moment later does not get past. A literal address
 * was checked with the URL; the address of the open connection is checked again.
 */
function routeOf(rules: HopRules, { proxy, ca }: Options): Route {
  const timeoutMs = CONNECT_TIMEOUT_MS;
  if (proxy === undefined) {
    return {
      timeoutMs,
      lookup: guardedLookup({ rules, names: createNameLookup() }),
      refusalOf: ({ remoteAddress }) => rules.refusalOfAddress(remoteAddress ?? ''),
    };
  }
  const address = new URL(proxy);
  return {
    timeoutMs,
    tunnel: (target) => openTunnel(address, target, { timeoutMs, ...(ca === undefined ? {} : { ca }) }),
    refusalOf: () => undefined,
  };
}
