import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { AddressBlocked } from './address-guard.js';
import type { HopRules } from './hop-rules.js';
import { createNameLookup, type NameLookup } from './name-lookup.js';
import { createProxyConnector } from './proxy-connector.js';

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

interface Tls {
  ca?: string;
  rejectUnauthorized?: boolean;
}

/** Creates the connection pools: one that verifies certificates, and one that does not. */
export function createConnections(rules: HopRules, options: { ca?: string; proxy?: string | undefined }) {
  const connector = connectorMaker(rules, options.proxy);
  const strict = createAgent(connector(options.ca === undefined ? {} : { ca: options.ca }));
  const lax = createAgent(connector({ rejectUnauthorized: false }));
  return {
    /** The pool for requests that do, or do not, require a valid certificate. */
    forTls(verify: boolean): Dispatcher {
      return verify ? strict : lax;
    },
    async close(): Promise<void> {
      await Promise.all([strict.destroy(), lax.destroy()]);
    },
  };
}

/** Connects through the proxy, which resolves names and has rules of its own, or directly. */
function connectorMaker(rules: HopRules, proxy: string | undefined): (tls: Tls) => buildConnector.connector {
  if (proxy !== undefined) {
    return (tls) => createProxyConnector(proxy, { tls, timeoutMs: CONNECT_TIMEOUT_MS });
  }
  const names = createNameLookup();
  return (tls) => guardedConnector(rules, { tls, names });
}

/**
 * No request waits inside the pool, where it would go unnoticed: slots are taken before (`connection-slots.ts`).
 * Idle connections close after seconds, and undici removes an origin with its last connection.
 */
function createAgent(connect: buildConnector.connector): Agent {
  return new Agent({
    connect,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS * 3,
    // The caller's deadline applies; undici's own timeouts between chunks would only hide it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 64 * 1024,
  });
}

/**
 * Checks the address at connect time, so that a name that resolves to another address a moment later does not
 * get past. undici calls `lookup` only for names: a literal address was checked with the URL, and the address of the
 * open connection is checked afterwards.
 */
function guardedConnector(
  rules: HopRules,
  { tls, names }: { tls: Tls; names: NameLookup },
): buildConnector.connector {
  const lookup = guardedLookup(rules, names);
  const connect = buildConnector({ ...tls, timeout: CONNECT_TIMEOUT_MS, lookup });
  return (target, callback) => {
    connect(target, (error, socket) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      const refusal = rules.refusalOfAddress(socket.remoteAddress ?? '');
      if (refusal === undefined) {
        callback(null, socket);
        return;
      }
      socket.destroy();
      callback(refusal, null);
    });
  };
}

/** Resolves a name to its allowed addresses. */
function guardedLookup(rules: HopRules, names: NameLookup): LookupFunction {
  const lookup = callbackify((name: string) => openAddresses(name, rules, names));
  return (hostname, options, callback) => {
    lookup(hostname, (error, open) => {
      const [first] = open ?? [];
      if (error !== null || first === undefined) callback(error, '', 0);
      else if (options.all === true) callback(null, open);
      else callback(null, first.address, first.family);
    });
  };
}

/** Returns at least one. */
async function openAddresses(name: string, rules: HopRules, names: NameLookup): Promise<LookupAddress[]> {
  const addresses = await names(name);
  const refusals = addresses.map(({ address }) => rules.refusalOfAddress(address));
  const open = addresses.filter((_, index) => refusals[index] === undefined);
  if (open.length === 0) throw refusals[0] ?? new AddressBlocked();
  return open;
}
