import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionGuard, guardedLookup } from './guarded-lookup.js';

/** The target of a connection. */
export interface SocketTarget {
  host: string;
  port: number;
  timeoutMs: number;
}

/**
 * Opens a TCP connection to a host that the rules allow: each address that a name resolves to is checked when used.
 * @throws AddressBlocked, OutboundRefused; the system's error when the host does not respond.
 */
export async function connectGuarded(target: SocketTarget, guard: ConnectionGuard): Promise<Socket> {
  const { host, port } = target;
  const { rules } = guard;
  const refusal = rules.refusalOfUrl(new URL(`https://${host}:${port}`));
  if (refusal !== undefined) throw refusal;
  const literal = host.replace(/^\[|\]$/g, '');
  const lookup = isIP(literal) === 0 ? guardedLookup(guard) : undefined;
  const socket = await connected(target, connect({ host: literal, port, ...(lookup && { lookup }) }));
  const wrong = rules.refusalOfAddress(socket.remoteAddress ?? '');
  if (wrong === undefined) return socket;
  socket.destroy();
  throw wrong;
}

function connected({ timeoutMs }: SocketTarget, socket: Socket): Promise<Socket> {
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
