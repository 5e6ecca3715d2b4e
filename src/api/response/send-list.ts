import type { Response } from 'express';
import type { ListResponse } from '../route.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** Number of characters sent at once; a shorter list is sent like any other response. */
const PIECE_CHARACTERS = 256 * 1024;
/** A connection whose client reads nothing for this time is closed, because its unread data stays in memory. */
const LONGEST_WAIT_MS = 60_000;

export interface SendListOptions {
  /** Called before a piece if the last check is `holdsMs` old or older. @throws if no more may be sent. */
  stillAllowed: () => Promise<void>;
  holdsMs: number;
  longestWaitMs?: number;
}

/**
 * Sends the same text as `res.json`, piece by piece, and loads items only as fast as the client reads. An error before
 * the first piece gets a normal error response; a later one can only cut off the response.
 */
export async function sendList(
  res: Response,
  list: ListResponse,
  { stillAllowed, holdsMs, longestWaitMs = LONGEST_WAIT_MS }: SendListOptions,
): Promise<void> {
  let lookedAt = performance.now();
  const pieces = piecesOf(list);
  let piece = await pieces.next();
  res.type('application/json');
  if (piece.done === true) return void res.send(piece.value);
  try {
    for (;;) {
      if (!res.write(piece.value)) await room(res, longestWaitMs);
      if (res.destroyed) return;
      if (piece.done === true) return void res.end();
      if (performance.now() - lookedAt >= holdsMs) {
        await stillAllowed();
        lookedAt = performance.now();
      }
      piece = await pieces.next();
    }
  } finally {
    // End the generator also if the client has disconnected, so that the producer of the items stops.
    await pieces.return('');
  }
}

/** Yields the pieces of the text; the last one is the return value. */
async function* piecesOf({ plural, items, meta }: ListResponse): AsyncGenerator<string, string, undefined> {
  let text = `{${stringifyJson(plural)}:[`;
  let comma = '';
  for await (const item of items) {
    text += comma + stringifyJson(item);
    comma = ',';
    if (text.length < PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  return `${text}],"meta":${stringifyJson(meta)}}`;
}

/** Resolves when more can be written or the connection is closed; closes it after `longestWaitMs`. */
function room(res: Response, longestWaitMs: number): Promise<void> {
  if (res.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => res.destroy(), longestWaitMs);
    const done = () => {
      clearTimeout(timer);
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}
