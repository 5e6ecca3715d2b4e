import type { IncomingMessage } from 'node:http';
import { AppError, PayloadTooLarge, Unavailable } from '../../errors.js';
import type { BodyBudget } from './body-budget.js';

/** The client closed the connection before the body was complete: no response can be sent. */
export class ClientGone extends Error {}

/** 408: the body did not arrive in time. */
class BodyTimeout extends AppError {
  constructor(timeoutMs: number) {
    super(408, `The request body did not arrive within ${timeoutMs / 1000} seconds`);
  }
}

export interface BodyLimits {
  limitBytes: number;
  /** For the whole body, so that a slow sender cannot keep the connection open. */
  timeoutMs: number;
  /** Limit for all bodies that are read at the same time; absent: no limit. */
  budget?: BodyBudget | undefined;
}

const EMPTY = Buffer.alloc(0);

/**
 * Reads the raw body. The limit is enforced while reading: bytes beyond it are discarded.
 * @throws PayloadTooLarge, BodyTimeout, ClientGone; Unavailable when the budget is used up.
 */
export function readRawBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { headers } = request;
  const declared = headers['content-length'];
  if (declared === undefined && headers['transfer-encoding'] === undefined) return Promise.resolve(EMPTY);
  if (Number(declared) > limits.limitBytes) return Promise.reject(tooLarge(limits));
  // A request emits `close` only once: if that was earlier, only `destroyed` shows it.
  if (request.destroyed) return Promise.reject(new ClientGone('The client closed the connection'));
  return collect(request, limits);
}

function collect(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => finish(new BodyTimeout(limits.timeoutMs)), limits.timeoutMs);

    const onData = (chunk: Buffer) => {
      if (limits.budget?.take(chunk.length) === false)
        return finish(new Unavailable('Too many request bodies are being received'));
      size += chunk.length;
      if (size > limits.limitBytes) return finish(tooLarge(limits));
      chunks.push(chunk);
    };
    const onEnd = () => finish();
    const onClose = () => finish(new ClientGone('The client closed the connection'));
    let over = false;
    const finish = (error?: Error) => {
      // The connection may report an error after the end of the body.
      if (over) return;
      over = true;
      clearTimeout(timer);
      limits.budget?.give(size);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      if (error !== undefined) return reject(error);
      return resolve(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks, size));
    };

    request.on('data', onData).on('end', onEnd).on('close', onClose);
    // A broken connection emits `error`, then `close`; an `error` without a listener would end the process.
    request.once('error', onClose);
  });
}

function tooLarge(limits: BodyLimits): PayloadTooLarge {
  return new PayloadTooLarge(`The request body is larger than ${limits.limitBytes} bytes`);
}
