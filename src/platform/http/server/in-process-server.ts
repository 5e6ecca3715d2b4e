import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http';
import { duplexPair } from 'node:stream';

/** A request to a server of this process. */
export interface InProcessRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The IP address that the server sees; absent: none. */
  address?: string | undefined;
  /** Ends the request. */
  signal: AbortSignal;
}

/** The response, whose body may be cut. */
export interface InProcessResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  isCut: boolean;
}

/** Sends a request to a server of this process. @throws the reason of the signal; Error for a broken response. */
export type InProcessExchange = (request: InProcessRequest) => Promise<InProcessResponse>;

/** Returns what sends requests to this listener as HTTP, without a port. Of a body, `mostBytes` are kept. */
export function createInProcessExchange(listener: RequestListener, mostBytes: number): InProcessExchange {
  const server = http.createServer(listener);
  return ({ method, path, headers, body, address, signal }) => {
    const [near, far] = duplexPair();
    server.emit('connection', Object.assign(far, { remoteAddress: address }));
    return new Promise((resolve, reject) => {
      const request = http.request({ createConnection: () => near, method, path, headers, signal });
      request.once('response', (response) => {
        readBody(response, mostBytes).then(
          (read) => resolve({ status: response.statusCode ?? 0, headers: response.headers, ...read }),
          reject,
        );
      });
      request.once('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error));
      request.end(body);
    });
  };
}

async function readBody(response: IncomingMessage, mostBytes: number) {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    if (length < mostBytes) parts.push(part);
    length += part.length;
  }
  return { body: Buffer.concat(parts).subarray(0, mostBytes), isCut: length > mostBytes };
}
