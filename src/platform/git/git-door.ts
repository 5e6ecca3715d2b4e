import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A loopback port through which git reaches one host, and no other. */
export interface GitDoor {
  port: number;
  /** The password of the proxy; empty for a door that only forwards. */
  password: string;
  /** Why a connection was refused or ended; undefined: none was. */
  failure(): Error | undefined;
  /** Bytes that came in. */
  received(): number;
  close(): Promise<void>;
}

export interface GitDoorOptions {
  /** `HOST:PORT` that CONNECT may name; undefined: each connection is forwarded. */
  authority: string | undefined;
  /** Opens a connection to the host, within the rules of outgoing requests. */
  open(): Promise<Socket>;
  /** Most bytes that may come in, over all connections. */
  mostBytes: number;
  /** How the door says that this was too much. */
  tooLarge: string;
}

const MOST_CONNECTIONS = 16;

/** More came in than is allowed. */
class DoorBytesExceeded extends Error {}

/**
 * Opens a door for git: its connections are opened by this process, so that they obey the rules for addresses, and end
 * after too many bytes. With an `authority` it is a proxy with a password, so that TLS stays between git and the host.
 */
export async function openGitDoor(options: GitDoorOptions): Promise<GitDoor> {
  const password = options.authority === undefined ? '' : randomBytes(24).toString('hex');
  const sockets = new Set<Socket>();
  const state: { failure?: Error; received: number } = { received: 0 };

  const join = async (client: Socket, before: () => void): Promise<void> => {
    if (sockets.size >= 2 * MOST_CONNECTIONS) {
      client.destroy();
      return;
    }
    let target: Socket;
    try {
      target = await options.open();
    } catch (error) {
      state.failure ??= error as Error;
      client.destroy();
      return;
    }
    keep(target, sockets);
    if (client.destroyed) {
      target.destroy();
      return;
    }
    target.on('data', (chunk: Buffer) => {
      state.received += chunk.length;
      if (state.received <= options.mostBytes) return;
      state.failure ??= new DoorBytesExceeded(options.tooLarge);
      for (const socket of sockets) socket.destroy();
    });
    before();
    client.pipe(target);
    target.pipe(client);
    client.once('close', () => target.destroy());
    target.once('close', () => client.destroy());
  };

  const server = options.authority === undefined ? forwarder(join) : proxy(options.authority, password, join);
  // Those that never ask for anything must not keep the server open.
  server.on('connection', (socket: Socket) => keep(socket, sockets));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    password,
    failure: () => state.failure,
    received: () => state.received,
    close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

type Join = (client: Socket, before: () => void) => Promise<void>;

function forwarder(join: Join): Server {
  return createServer((client) => void join(client, () => undefined));
}

function proxy(authority: string, password: string, join: Join): Server {
  const wanted = Buffer.from(`Basic ${Buffer.from(`git:${password}`).toString('base64')}`);
  const isKnown = ({ headers }: IncomingMessage) => {
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  const server = createHttpServer((_request, response) => {
    response.writeHead(405).end();
  });
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    if (!isKnown(request))
      client.end(refusal('407 Password needed', 'proxy-authenticate: Basic realm="git"\r\n'));
    else if (request.url !== authority) client.end(refusal('403 Another host'));
    else void join(client, () => client.write('HTTP/1.1 200 Connected\r\n\r\n'));
  });
  return server;
}

function refusal(status: string, headers = ''): string {
  return `HTTP/1.1 ${status}\r\n${headers}connection: close\r\ncontent-length: 0\r\n\r\n`;
}

function keep(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  // The other end is told by the end of the connection.
  socket.on('error', () => socket.destroy());
}
