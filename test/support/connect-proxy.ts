import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

const refuse: RequestListener = (_request, response) => {
  response.writeHead(405).end();
};

/** An HTTP proxy that connects every CONNECT to `127.0.0.1:port`, or answers it with `status`, or not at all. */
export async function startConnectProxy(options: {
  port: number;
  status?: number;
  silent?: boolean;
  tls?: { key: string; cert: string };
}) {
  const asked: { authority: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server = options.tls === undefined ? createServer(refuse) : createTlsServer(options.tls, refuse);
  server.on('connect', (request, client: Socket) => {
    asked.push({ authority: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    sockets.add(client);
    client.on('error', () => client.destroy());
    if (options.silent === true) return;
    if (options.status !== undefined) {
      client.end(`HTTP/1.1 ${options.status} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = connect(options.port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client);
      client.pipe(target);
    });
    sockets.add(target);
    target.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Addresses that it was asked to connect to. */
    asked,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
