import { connect, isIP, type Socket } from 'node:net';
import type { Connection } from 'mysql2';

/**
 * Connects to a host given as an IP address, for TLS. The driver then passes no server name, and Node verifies the
 * certificate against the socket's host, if that is a name. An address with a trailing dot counts as a name: it is not
 * looked up here, and `tls.checkServerIdentity` removes the dot and compares the address.
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

/** Returns a connection's socket, which the driver's types omit. */
export function streamOf(connection: Connection): Socket {
  return (connection as unknown as { stream: Socket }).stream;
}
