import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { callbackify } from 'node:util';
import { AddressBlocked } from './address-guard.js';
import type { HopRules } from './hop-rules.js';
import type { NameLookup } from './name-lookup.js';

/** The target of a connection. */
export interface Target {
  host: string;
  port: number;
  timeoutMs: number;
}

/** The rules for connections, and the resolver of names. */
export interface ConnectionGuard {
  rules: HopRules;
  names: NameLookup;
}

/**
 * Opens a TCP connection to a host that the rules allow: each address that a name resolves to is checked when used.
 * @throws AddressBlocked, OutboundRefused; the system's error when the host does not respond.
 */
export async function connectGuarded(target: Target, { rules, names }: ConnectionGuard): Promise<Socket> {
  const { host, port } = target;
  const refusal = rules.refusalOfUrl(new URL(`https://${host}:${port}`));
  if (refusal !== undefined) throw refusal;
  const literal = host.replace(/^\[|\]$/g, '');
  const lookup = isIP(literal) === 0 ? lookupOf({ rules, names }) : undefined;
  const socket = await connected(target, connect({ host: literal, port, ...(lookup && { lookup }) }));
  const wrong = rules.refusalOfAddress(socket.remoteAddress ?? '');
  if (wrong === undefined) return socket;
  socket.destroy();
  throw wrong;
}

function connected({ timeoutMs }: Target, socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(timeoutMs, () => fail(new Error(`no connection within ${timeoutMs} ms`)));
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.removeListener('error', fail);
      resolve(socket);
    });
  });
}

/** Resolves a name to its allowed addresses. */
function lookupOf({ rules, names }: ConnectionGuard): LookupFunction {
  const lookup = callbackify(async (name: string) => {
    const addresses = await names(name);
    const open = addresses.filter(({ address }) => rules.refusalOfAddress(address) === undefined);
    if (open.length === 0) throw rules.refusalOfAddress(addresses[0]?.address ?? '') ?? new AddressBlocked();
    return open;
  });
  return (hostname, options, callback) => {
    lookup(hostname, (error, open) => {
      const [first] = open ?? [];
      if (error !== null || first === undefined) callback(error, '', 0);
      else if (options.all === true) callback(null, open);
      else callback(null, first.address, first.family);
    });
  };
}
