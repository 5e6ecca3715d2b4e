import { lookup as lookupAddress, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { AddressBlocked, type AddressGuard, createAddressGuard } from './address-guard.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Unless more requests may be under way at once. */
const CONNECTIONS_PER_ORIGIN = 32;
const KEEP_ALIVE_MS = 10_000;

/** The pools of connections requests go through: one that checks certificates, and one that does not. */
export function createConnections(options: { allow: string[]; ca?: string; connectionsPerOrigin?: number }) {
  const guard = createAddressGuard(options.allow);
  const { connectionsPerOrigin: connections = CONNECTIONS_PER_ORIGIN } = options;
  const strict = createAgent(guard, connections, options.ca === undefined ? {} : { ca: options.ca });
  const lax = createAgent(guard, connections, { rejectUnauthorized: false });
  return {
    /** The pool for requests that do, or do not, insist on a valid certificate. */
    forTls(verify: boolean): Dispatcher {
      return verify ? strict : lax;
    },
    async close(): Promise<void> {
      await Promise.all([strict.destroy(), lax.destroy()]);
    },
  };
}

/** Bounded: idle connections close after seconds, and undici forgets an origin with its last connection. */
function createAgent(
  guard: AddressGuard,
  connections: number,
  tls: { ca?: string; rejectUnauthorized?: boolean },
): Agent {
  return new Agent({
    connect: guardedConnector(guard, tls),
    connections,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS * 3,
    // The caller's deadline rules; undici's own per-gap limits would only hide it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 64 * 1024,
  });
}

/**
 * Checks the address at connect time, so that a name that resolves to another address a moment later does not
 * get past. undici calls `lookup` for names only, so literal addresses are checked before, and the address that
 * was really connected to is checked after.
 */
function guardedConnector(guard: AddressGuard, tls: { ca?: string; rejectUnauthorized?: boolean }) {
  const connect = buildConnector({ ...tls, timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup(guard) });
  const guarded: buildConnector.connector = (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !guard(host)) {
      callback(new AddressBlocked(), null);
      return;
    }
    connect(target, (error, socket) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      if (socket.remoteAddress !== undefined && guard(socket.remoteAddress)) {
        callback(null, socket);
        return;
      }
      socket.destroy();
      callback(new AddressBlocked(), null);
    });
  };
  return guarded;
}

/** Resolves a name to the addresses that may be reached. */
function guardedLookup(guard: AddressGuard): LookupFunction {
  return (hostname, options, callback) => {
    const all: LookupOptions & { all: true } = { ...options, all: true };
    lookupAddress(hostname, all, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, '', 0);
      const open = addresses.filter(({ address }) => guard(address));
      const [first] = open;
      if (first === undefined) return callback(new AddressBlocked(), '', 0);
      return options.all === true ? callback(null, open) : callback(null, first.address, first.family);
    });
  };
}
