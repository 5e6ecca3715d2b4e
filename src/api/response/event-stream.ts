import type { Request, Response } from 'express';
import { Unauthorized } from '../../platform/errors.js';

/** Comments keep proxies from closing a silent connection. */
const HEARTBEAT_MS = 15_000;
/** A client that is cut off waits for this long before it connects again. */
const RETRY_MS = 3_000;
/** How much of what the client has not read may wait in memory. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** How often the rights of the client are checked, and how long the check may fail because of a store. */
const CHECK_EVERY_MS = 2_000;
const MAX_UNCHECKED_MS = 10_000;

/** Takes the events of a handler. */
export interface EventSink {
  /** Sends the text of events, as `streamEventText` gives it. Returns false, and sends nothing, if the client reads too slowly. */
  send(text: string): boolean;
  /** Ends the response. */
  end(): void;
}

/** A response of server-sent events, which goes on until either side ends it. */
export class EventStream {
  constructor(
    /**
     * Begins to send; the first event comes later than this call. Returns what stops it, which is called once.
     * @throws AppError if the stream cannot begin: then nothing was sent.
     */
    readonly begin: (sink: EventSink) => () => void,
    readonly options: { longestMs: number },
  ) {}
}

/** Returns an event in the form of server-sent events. `data` has no line breaks. */
export function streamEventText({ id, event, data }: { id?: string; event: string; data: string }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

export interface EventStreamOptions {
  stream: EventStream;
  /** @throws Unauthorized if the client may receive no more; another error may pass. */
  stillAllowed: () => Promise<void>;
}

/** Sends the events of a stream until the client leaves, loses its rights, or the time is over. @throws what `begin` throws. */
export function sendEventStream(
  req: Request,
  res: Response,
  { stream, stillAllowed }: EventStreamOptions,
): void {
  // Express serves HEAD like GET: there is nothing to wait for.
  if (req.method === 'HEAD') return void res.set(HEADERS).end();
  if (res.closed) return;
  const end = () => void (res.writableEnded || res.end());
  const stop = stream.begin({
    end,
    send(text) {
      if (res.writableEnded || res.destroyed || res.writableLength > MAX_UNREAD_BYTES) return false;
      res.write(text);
      return true;
    },
  });
  const timers = [
    setInterval(() => res.writableLength === 0 && res.write(': \n\n'), HEARTBEAT_MS),
    setInterval(watch(stillAllowed, end), CHECK_EVERY_MS),
    setTimeout(end, stream.options.longestMs),
  ];
  res.once('close', () => {
    for (const timer of timers) clearTimeout(timer);
    stop();
  });
  res.set(HEADERS).flushHeaders();
  res.write(`retry: ${RETRY_MS}\n\n`);
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  // Proxies such as nginx would hold events back.
  'X-Accel-Buffering': 'no',
};

/** Returns the check that ends the stream when the client may receive no more, or that cannot be known for long. */
function watch(stillAllowed: () => Promise<void>, end: () => void): () => void {
  let allowedAt = performance.now();
  let checking = false;
  const check = async (): Promise<void> => {
    try {
      await stillAllowed();
      allowedAt = performance.now();
    } catch (error) {
      if (error instanceof Unauthorized) end();
    }
  };
  return () => {
    if (performance.now() - allowedAt > MAX_UNCHECKED_MS) return end();
    if (checking) return;
    checking = true;
    void check().finally(() => (checking = false));
  };
}
