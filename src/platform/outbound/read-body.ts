import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { errorCode } from './error-code.js';

/** More compressions on top of each other are not an honest answer. */
const MAX_ENCODINGS = 3;

/** What may come of any answer, and how many times its size of a larger one: honest data stay far below. */
const MODEST_BYTES = 1024 * 1024;
const MAX_RATIO = 200;

/** The answer is over the limit, on the wire or once decompressed. */
export class BodyTooLarge extends Error {
  constructor(limit: number, what = 'the answer is larger') {
    super(`${what} than ${limit} bytes`);
    this.name = 'BodyTooLarge';
  }
}

/** The answer is compressed, but does not decompress. */
export class BodyUnreadable extends Error {
  constructor(encoding: string, cause: unknown) {
    super(`the answer is not valid ${encoding}`, { cause });
    this.name = 'BodyUnreadable';
  }
}

type Decompress = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const gunzip: Decompress = promisify(zlib.gunzip);
const inflate: Decompress = promisify(zlib.inflate);
const inflateRaw: Decompress = promisify(zlib.inflateRaw);

/** `deflate` means zlib's format; some servers send the bare stream. */
const inflateEither: Decompress = (body, options) =>
  ((body[0] ?? 0) & 0x0f) === 8 ? inflate(body, options) : inflateRaw(body, options);

const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflateEither],
  ['br', promisify(zlib.brotliDecompress) as Decompress],
]);

/**
 * Reads an answer's body whole, at most `limit` bytes on the wire and after decompression, and of a compressed one at
 * most 200 times its size or 1 MiB.
 * @throws BodyTooLarge, BodyUnreadable, and what the connection throws.
 */
export async function readBody(
  stream: AsyncIterable<Buffer>,
  { encoding, limit }: { encoding: string | undefined; limit: number },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    // Leaving the loop destroys the stream, and its connection with it.
    if (size > limit) throw new BodyTooLarge(limit);
    chunks.push(chunk);
  }
  return await decompress(Buffer.concat(chunks, size), encoding, limit);
}

async function decompress(body: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  const encodings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (body.length === 0 || encodings.length > MAX_ENCODINGS) return body;
  const most = Math.min(limit, Math.max(MODEST_BYTES, body.length * MAX_RATIO));
  let plain = body;
  for (const name of encodings.toReversed()) {
    const step = DECOMPRESS.get(name);
    if (step === undefined) return plain;
    plain = await step(plain, { maxOutputLength: most }).catch((error: unknown) => {
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
    : new BodyTooLarge(most, 'so short an answer decompresses to more');
}
