import { connect, isIP, type Socket } from 'node:net';
import type { Connection } from 'mysql2';

/**
 * Connects to a host that is given as a number, for TLS. The driver names no server then, and Node verifies the certificate
 * against the host that the socket was connected to, if that was a name. A number with a closing dot is such a name: it is
 * not looked up here, and `tls.checkServerIdentity` drops the dot and takes it for the number.
 */
export function connectToNumber({ config }: { config: { host: string; port: number } }): Socket {
  const address = config.host;
  return connect({
    host: `${address}.`,
    port: config.port,
    lookup: (_name, _options, found) => found(null, address, isIP(address)),
    autoSelectFamily: false,
    noDelay: true,
    keepAlive: true,
  });
}

/** A connection's socket, which the driver's types leave out. */
export function streamOf(connection: Connection): Socket {
  return (connection as unknown as { stream: Socket }).stream;
}
