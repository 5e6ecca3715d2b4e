import type { Response } from 'express';
import type { ListAnswer } from './route.js';

/** Characters that are sent at once; a list that has no more goes as every other answer. */
const PIECE_CHARACTERS = 256 * 1024;

/**
 * Sends the very text that `res.json` would send, piece by piece, and takes items only as fast as the client reads. An
 * error before the first piece is answered as any other; after that it can only cut the answer off.
 */
export async function sendList(res: Response, list: ListAnswer): Promise<void> {
  const pieces = piecesOf(list);
  let piece = await pieces.next();
  res.type('application/json');
  if (piece.done === true) return void res.send(piece.value);
  try {
    for (;;) {
      if (!res.write(piece.value)) await room(res);
      if (res.destroyed) return;
      if (piece.done === true) return void res.end();
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

/** Resolves when more can be written, or never will be. */
function room(res: Response): Promise<void> {
  if (res.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}
