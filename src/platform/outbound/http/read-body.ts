import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { type ContentCoding, contentCodings } from '../../headers/content-codings.js';
import { errorCode } from '../error-code.js';

/** Limits after decompression: always 1 MiB, or 200 times the compressed size; honest data stay far below. */
const MODEST_BYTES = 1024 * 1024;
const MAX_RATIO = 200;

/** The response is over the limit, as received or decompressed. */
export class BodyTooLarge extends Error {
  constructor(limit: number, what = 'the response is larger') {
    super(`${what} than ${limit} bytes`);
    this.name = 'BodyTooLarge';
  }
}

/** The response is compressed, but cannot be decompressed. */
export class BodyUnreadable extends Error {
  constructor(encoding: string, cause: unknown) {
    super(`the response is not valid ${encoding}`, { cause });
    this.name = 'BodyUnreadable';
  }
}

/** The connection was closed before the end of the response. */
export class BodyCut extends Error {
  constructor() {
    super('the connection was closed before the response was complete');
    this.name = 'BodyCut';
  }
}

type Decompress = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const gunzip: Decompress = promisify(zlib.gunzip);
const inflate: Decompress = promisify(zlib.inflate);
const inflateRaw: Decompress = promisify(zlib.inflateRaw);

/** `deflate` is zlib's format; some servers send the raw stream. */
const inflateEither: Decompress = (body, options) =>
  ((body[0] ?? 0) & 0x0f) === 8 ? inflate(body, options) : inflateRaw(body, options);

const DECOMPRESS: Record<ContentCoding, Decompress> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflateEither,
  br: promisify(zlib.brotliDecompress) as Decompress,
};

/**
 * Reads a whole response body: at most `limit` bytes as received and decompressed, and a compressed body at most 200
 * times its size or 1 MiB.
 * @throws BodyTooLarge, BodyUnreadable, and what the connection throws.
 */
export async function readResponseBody(
  stream: Readable,
  { encoding, limit }: { encoding: string | undefined; limit: number },
): Promise<Buffer> {
  return await decompress(await collect(stream, limit), encoding, limit);
}

/**
 * Reads a stream to its end. A longer one than `limit` is destroyed, and its connection with it.
 * @throws BodyTooLarge, and what the connection throws.
 */
export function collect(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) stream.destroy(new BodyTooLarge(limit));
      else chunks.push(chunk);
    });
    if (stream.errored !== null) reject(stream.errored);
    else if (stream.destroyed) reject(new BodyCut());
    const onClose = () => reject(new BodyCut());
    stream.once('close', onClose);
    stream.once('error', reject);
    stream.once('end', () => {
      stream.off('close', onClose);
      resolve(Buffer.concat(chunks, size));
    });
  });
}

async function decompress(body: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  const codings = contentCodings(encoding);
  if (body.length === 0 || codings === undefined) return body;
  const most = Math.min(limit, Math.max(MODEST_BYTES, body.length * MAX_RATIO));
  let plain = body;
  for (const name of codings) {
    plain = await DECOMPRESS[name](plain, { maxOutputLength: most }).catch((error: unknown) => {
      throw errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
        ? tooLarge(most, limit)
        : new BodyUnreadable(name, error);
    });
  }
  return plain;
}

function tooLarge(most: number, limit: number): BodyTooLarge {
  return most === limit
    ? new BodyTooLarge(limit)
    : new BodyTooLarge(most, 'the compressed response decompresses to more');
}
