import type { Response } from 'express';
import type { ListAnswer } from './route.js';

/** Characters that are sent at once; a list that has no more goes as every other answer. */
const PIECE_CHARACTERS = 256 * 1024;
/** A client that takes nothing for so long is not waited for: what it does not take is held here. */
const LONGEST_WAIT_MS = 60_000;

export interface SendListOptions {
  /** Asked before a piece that comes `holdsMs` after the last look, or later. @throws when no more may be sent. */
  stillAllowed: () => Promise<void>;
  holdsMs: number;
  longestWaitMs?: number;
}

/**
 * Sends the very text that `res.json` would send, piece by piece, and takes items only as fast as the client reads. An
 * error before the first piece is answered as any other; after that it can only cut the answer off.
 */
export async function sendList(
  res: Response,
  list: ListAnswer,
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
    // Also where the client is gone, so that whoever makes the items knows that it is over.
    await pieces.return('');
  }
}

/** The pieces of the text; the last one is returned. */
async function* piecesOf({ plural, items, meta }: ListAnswer): AsyncGenerator<string, string, undefined> {
  let text = `{${JSON.stringify(plural)}:[`;
  let comma = '';
  for await (const item of items) {
    text += comma + JSON.stringify(item);
    comma = ',';
    if (text.length < PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  return `${text}],"meta":${JSON.stringify(meta)}}`;
}

/** Resolves when more can be written, or never will be: then the connection is cut. */
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
