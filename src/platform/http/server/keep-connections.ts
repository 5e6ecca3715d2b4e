import type http from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '../address/address-key.js';
import type { Logger } from '../../logger.js';
import type { ConnectionLimits } from './connection-limits.js';
import { ConnectionState, type ConnectionTimes } from './connection-state.js';

export interface ConnectionRules extends ConnectionTimes {
  limits: ConnectionLimits;
  /** Interval between checks of all connections. */
  lookEveryMs: number;
  /** Returns true if the address is a proxy, from which many clients connect. */
  isProxy(address: string): boolean;
  logger?: Pick<Logger, 'warn'> | undefined;
}

const LOG_EVERY_MS = 60_000;

/**
 * Limits the connections of an HTTP server in number and time. Node itself closes those that send no complete request
 * and those that are idle; the others are checked here (decision 0031).
 * Call it before `listen`. No timer runs without connections.
 */
export function keepConnections(server: http.Server, rules: ConnectionRules): void {
  const connections = new Map<Socket, ConnectionState>();
  const perAddress = new Map<string, number>();
  const noteRefusal = createRefusalLog(rules);
  let looking: NodeJS.Timeout | undefined;

  const look = () => {
    const now = performance.now();
    for (const [socket, state] of connections) if (state.isOverdue(now, rules)) socket.destroy();
  };
  const leave = (socket: Socket, { addressKey: key }: ConnectionState) => {
    connections.delete(socket);
    if (key !== undefined) lessOne(perAddress, key);
    if (connections.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  };
  const enter = (socket: Socket, key: string | undefined) => {
    const state = new ConnectionState(socket, key);
    connections.set(socket, state);
    if (key !== undefined) perAddress.set(key, (perAddress.get(key) ?? 0) + 1);
    socket.once('close', () => leave(socket, state));
    looking ??= setInterval(look, rules.lookEveryMs).unref();
  };

  server.maxConnections = rules.limits.max;
  server.on('drop', () => noteRefusal('all'));
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    const key = address !== undefined && rules.isProxy(address) ? undefined : addressKey(address);
    if (key === undefined || (perAddress.get(key) ?? 0) < rules.limits.maxPerAddress)
      return enter(socket, key);
    noteRefusal('address');
    return void socket.destroy();
  });
  server.prependListener('request', (req, res: http.ServerResponse) => {
    if (connections.get(req.socket)?.begin(res) === false) req.socket.destroy();
  });
}

function lessOne(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

/** Logs at most once a minute that connections are refused, and how many. */
function createRefusalLog({ logger, limits }: ConnectionRules): (limit: 'all' | 'address') => void {
  let refused = 0;
  let logAgainAt = 0;
  return (limit) => {
    refused += 1;
    const now = performance.now();
    if (now < logAgainAt) return;
    logAgainAt = now + LOG_EVERY_MS;
    logger?.warn('connections are rejected: too many are open', {
      limit,
      max: limits.max,
      max_per_address: limits.maxPerAddress,
      refused,
    });
    refused = 0;
  };
}
