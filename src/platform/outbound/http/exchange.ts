import { type Agent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest, type RequestOptions } from 'node:https';
import { errorCode } from '../error-code.js';
import type { HttpRequest } from '../http-exchange.js';
import { markClean } from './agents.js';
import type { Pools } from './connections.js';
import { type HeadWatch, MAX_HEAD_BYTES, unfold, watchHead } from './response-head.js';

/** RFC 9110 §9.2.2: repeating them has the effect of one. */
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
/** Codes of a connection that the other side has closed. */
const LOST = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'];
/** A target that had closed an idle connection says so in one round trip; later, it may have begun to work. */
const IDLE_CLOSE_MS = 1000;
/** Informational responses (1xx) to one request. */
const MOST_INFORMATIONAL = 100;

/** The response is not one of HTTP/1.x; `message` is for a story's author. */
export class NotHttp extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotHttp';
  }
}

/** An idle connection was closed before anything of the response arrived; `cause` is the error. */
class StaleConnection extends Error {}

interface Sent extends HeadWatch {
  /** When the request got its connection. */
  sentMs: number;
}

/** The address of a request, and its deadline. */
export interface Wire {
  /** That of the request, parsed. */
  url: URL;
  pools: Pools;
  signal: AbortSignal;
}

/**
 * Sends one request and returns its response when the headers have arrived; the caller must read or destroy its body.
 * The request is sent twice only if an idle connection turns out to be closed.
 * @throws NotHttp; the errors of the system, of TLS and of Node's parser.
 */
export async function exchange(request: HttpRequest, wire: Wire): Promise<IncomingMessage> {
  try {
    return await attempt(request, wire, false);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    wire.signal.throwIfAborted();
    return await attempt(request, wire, true);
  }
}

function attempt(
  request: HttpRequest,
  { url, pools, signal }: Wire,
  isFresh: boolean,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = begin(request, {
      url,
      agent: pools[url.protocol === 'https:' ? 'https:' : 'http:'],
      isFresh,
    });
    let response: IncomingMessage | undefined;
    let informational = 0;
    let head: Sent | undefined;
    const abort = () => (response ?? call).destroy(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    call.once('close', () => signal.removeEventListener('abort', abort));
    call.once('socket', (socket) => {
      markClean(socket, false);
      const watch = watchHead(socket, (isStrict) => markClean(socket, isStrict));
      head = Object.assign(watch, { sentMs: performance.now() });
    });
    call.on('information', () => {
      informational += 1;
      if (informational > MOST_INFORMATIONAL) call.destroy(new NotHttp('the response never begins'));
    });
    call.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new NotHttp('the server switched to another protocol'));
    });
    call.once('response', (message) => {
      response = message;
      // The reader of the body finds an error that came before it in `errored`; without a listener Node drops it.
      message.on('error', () => undefined);
      if (head?.isFolded === true) unfold(message.rawHeaders);
      if ((message.statusCode ?? 0) >= 200) resolve(message);
      else call.destroy(new NotHttp(`the response is not HTTP (status ${message.statusCode})`));
    });
    call.on('error', (error) => {
      // After a whole response an error concerns the connection only; a broken body ends with its own error.
      if (response === undefined || (response.statusCode ?? 0) < 200)
        reject(
          head !== undefined && wasClosedIdle(error, { call, head, request })
            ? new StaleConnection('closed', { cause: error })
            : error,
        );
      else if (!response.complete && isParseError(error)) response.destroy(error);
    });
    call.end(request.body);
  });
}

function begin(
  request: HttpRequest,
  { url, agent, isFresh }: { url: URL; agent: Agent; isFresh: boolean },
): ClientRequest {
  const { protocol, hostname, port, pathname, search } = url;
  const length = request.body === undefined ? {} : { 'content-length': request.body.length };
  const options: RequestOptions = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: `${pathname}${search}`,
    method: request.method,
    headers: { ...request.headers, ...length },
    // Folded headers, bare line feeds and control characters are read, as other clients do.
    insecureHTTPParser: true,
    maxHeaderSize: MAX_HEAD_BYTES,
    ...(isFresh ? { createConnection: agent.createConnection.bind(agent) } : { agent }),
  };
  return protocol === 'https:' ? tlsRequest(options) : plainRequest(options);
}

/** Whether the error means that the target had closed the connection while it was idle. */
function wasClosedIdle(
  error: Error,
  { call, head, request }: { call: ClientRequest; head: Sent; request: HttpRequest },
): boolean {
  if (!call.reusedSocket || head.hasBegun || !LOST.includes(errorCode(error) ?? '')) return false;
  return IDEMPOTENT.includes(request.method) || performance.now() - head.sentMs < IDLE_CLOSE_MS;
}

/** Whether Node's parser refused the bytes. */
function isParseError(error: unknown): boolean {
  return errorCode(error)?.startsWith('HPE_') === true;
}
