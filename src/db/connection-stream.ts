import { connect, type Socket } from 'node:net';
import type { Connection } from 'mysql2';

/**
 * Connects to a host that is given as a number, for TLS. The driver does not tell Node's TLS whom it asks for then, and the
 * certificate would have to be one of `localhost`; Node looks for the host's name on the socket in that case.
 */
export function connectToNumber({ config }: { config: { host: string; port: number } }): Socket {
  const socket = connect({ host: config.host, port: config.port, noDelay: true, keepAlive: true });
  return Object.assign(socket, { _host: config.host });
}

/** A connection's socket, which the driver's types leave out. */
export function streamOf(connection: Connection): Socket {
  return (connection as unknown as { stream: Socket }).stream;
}
