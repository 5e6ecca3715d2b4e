import type { Socket } from 'node:net';
import type { Connection } from 'mysql2';

/** A connection's socket, which the driver's types leave out. */
export function streamOf(connection: Connection): Socket {
  return (connection as unknown as { stream: Socket }).stream;
}
