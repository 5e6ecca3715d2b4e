import { createServer, type AddressInfo, type Socket } from 'node:net';

/** One request as the target received it: its head and its body. */
export interface RawRequest {
  head: string;
  body: string;
  /** Number of the connection, from 1. */
  connection: number;
}

/** Bytes to answer with; a function gets the request and its connection, and sends by itself if it returns nothing. */
export type RawResponse =
  | string
  | Buffer
  | ((request: RawRequest, socket: Socket) => string | Buffer | undefined);

/** The end of a target's response: the connection stays open, or is closed at once. */
type Ending = 'keep' | 'end';

/** A TCP server that answers each HTTP request with raw bytes, one character of a text for each byte. */
export async function startRawTarget(response: RawResponse, { ending = 'end' }: { ending?: Ending } = {}) {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    let text = '';
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let request = firstOf(text); request !== undefined; request = firstOf(text)) {
        text = text.slice(request.head.length + request.body.length);
        requests.push({ ...request, connection });
        const bytes =
          typeof response === 'function' ? response({ ...request, connection }, socket) : response;
        if (bytes === undefined) continue;
        socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
        if (ending === 'end') socket.end();
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    requests,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function firstOf(text: string): { head: string; body: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end + 4);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  if (text.length < head.length + length) return undefined;
  return { head, body: text.slice(head.length, head.length + length) };
}
