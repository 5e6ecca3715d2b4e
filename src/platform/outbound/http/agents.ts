import { Agent as HttpAgent, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How a connection reaches its target. */
export interface Route {
  timeoutMs: number;
  /** Resolves names to allowed addresses; absent behind a proxy. */
  lookup?: LookupFunction;
  /** Connects through a proxy, which resolves names itself. */
  tunnel?: (target: ConnectionTarget) => Promise<Socket>;
  /** Why an open connection may not be used; undefined: it may. */
  refusalOf(socket: Socket): Error | undefined;
}

/** Host (IPv6 without brackets) and port of a connection. */
export interface ConnectionTarget {
  host: string;
  port: number;
}

/** How connections prove who they are, and what they ask of servers. */
export interface Tls {
  ca?: string | string[];
  cert?: string;
  key?: string;
  rejectUnauthorized?: boolean;
}

type OnOpen = (error: Error | null, stream: Duplex) => void;
type Event = 'connect' | 'secureConnect';

/** A connection was not open in time. */
export class ConnectTimeout extends Error {
  constructor() {
    super('the connection attempt timed out');
    this.name = 'ConnectTimeout';
  }
}

/** A connection was closed before it was open. */
export class ConnectionClosed extends Error {
  constructor() {
    super('the connection was closed before the request was sent');
    this.name = 'ConnectionClosed';
  }
}

/** Idle connections close after this time. The caller's deadline applies to those in use. */
const KEEP_ALIVE_MS = 10_000;

/**
 * No request waits inside a pool, where it would go unnoticed: slots are taken before (`connection-slots.ts`).
 * Idle connections close after seconds, and the agent removes an origin with its last connection.
 */
const POOL = { keepAlive: true, timeout: KEEP_ALIVE_MS };

/** Connections whose last response was strict HTTP. No other is used again: what follows on it may be forged. */
const clean = new WeakSet<Duplex>();

/** Allows or forbids to use a connection again after its current response. */
export function markClean(socket: Duplex, isClean: boolean): void {
  if (isClean) clean.add(socket);
  else clean.delete(socket);
}

/** Connections for http. */
export class PlainAgent extends HttpAgent {
  private readonly opening = new Set<Socket>();

  constructor(private readonly route: Route) {
    super(POOL);
    guardPool(this, this.opening);
  }

  override createConnection(options: RequestOptions, onOpen: OnOpen): undefined {
    const target = targetOf(options, 80);
    const start = (tunnel: Socket | undefined) => {
      if (tunnel !== undefined) return onOpen(null, tunnel);
      const socket = connect({ ...target, ...lookupOf(this.route) });
      whenOpen(socket, { event: 'connect', route: this.route, opening: this.opening }, onOpen);
    };
    throughTunnel(this.route, target, { start, onOpen });
  }
}

/** Connections for https; sessions are resumed. */
export class TlsAgent extends HttpsAgent {
  private readonly opening = new Set<Socket>();

  constructor(
    private readonly route: Route,
    tls: Tls,
  ) {
    super({ ...POOL, ...tls });
    guardPool(this, this.opening);
  }

  override createConnection(options: RequestOptions, onOpen: OnOpen): undefined {
    const target = targetOf(options, 443);
    const start = (tunnel: Socket | undefined) => {
      const socket = super.createConnection({
        ...this.options,
        ...options,
        ...target,
        servername: isIP(target.host) === 0 ? target.host : '',
        ...(tunnel === undefined ? lookupOf(this.route) : { socket: tunnel }),
      }) as Socket;
      whenOpen(socket, { event: 'secureConnect', route: this.route, opening: this.opening }, onOpen);
    };
    throughTunnel(this.route, target, { start, onOpen });
  }
}

/** Makes an agent keep clean connections alone, end those that receive while idle, and end with it those that open. */
function guardPool(agent: HttpAgent, opening: ReadonlySet<Socket>): void {
  const keepSocketAlive = agent.keepSocketAlive.bind(agent);
  const reuseSocket = agent.reuseSocket.bind(agent);
  const destroy = agent.destroy.bind(agent);
  agent.keepSocketAlive = (socket: Duplex) => clean.has(socket) && keep(socket, keepSocketAlive(socket));
  agent.reuseSocket = (socket: Duplex, request: ClientRequest) => {
    socket.off('data', endStray);
    reuseSocket(socket, request);
  };
  agent.destroy = () => {
    destroy();
    for (const socket of opening) socket.destroy();
  };
}

function targetOf({ host, port }: RequestOptions, usual: number): ConnectionTarget {
  return { host: host ?? '', port: Number(port || usual) };
}

function lookupOf({ lookup }: Route): { lookup?: LookupFunction } {
  return lookup === undefined ? {} : { lookup };
}

function throughTunnel(
  { tunnel }: Route,
  target: ConnectionTarget,
  { start, onOpen }: { start: (tunnel: Socket | undefined) => void; onOpen: OnOpen },
): void {
  if (tunnel === undefined) start(undefined);
  else tunnel(target).then(start, (error: Error) => fail(error, onOpen));
}

/** Calls `onOpen` once: with the connection when it is open and allowed, otherwise with the error. */
function whenOpen(
  socket: Socket,
  { event, route, opening }: { event: Event; route: Route; opening: Set<Socket> },
  onOpen: OnOpen,
): void {
  const timer = setTimeout(() => socket.destroy(new ConnectTimeout()), route.timeoutMs);
  let failure: Error | undefined;
  const end = () => {
    clearTimeout(timer);
    opening.delete(socket);
    socket.off('close', onClose);
  };
  const onClose = () => {
    end();
    fail(failure ?? new ConnectionClosed(), onOpen);
  };
  opening.add(socket);
  // It stays: a later owner reads its errors too, but not between two owners.
  socket.on('error', (error) => {
    failure ??= error;
  });
  socket.once('close', onClose);
  socket.once(event, () => {
    const refusal = route.refusalOf(socket);
    if (refusal !== undefined) {
      socket.destroy(refusal);
      return;
    }
    end();
    onOpen(null, socket);
  });
}

/** Node reads the stream only if there is no error. */
function fail(error: Error, onOpen: OnOpen): void {
  (onOpen as (error: Error) => void)(error);
}

/** Bytes on an idle connection answer no request: they must not become the response of the next one. */
function keep(socket: Duplex, kept: unknown): boolean {
  if (socket.readableLength > 0) return false;
  socket.on('data', endStray);
  return Boolean(kept);
}

function endStray(this: Duplex): void {
  this.destroy();
}
