import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from '../errors.js';

type Decode = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const DECODERS = new Map<string, Decode>([
  ['gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['x-gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, ZlibOptions, Buffer>(inflate)],
  ['br', promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress)],
]);

/** What a body may always become, and how many times what came: logs in JSON come to 30 times, and a bomb to 1,000. */
const FREE_BYTES = 64 * 1024;
const MOST_TIMES = 100;
/** Of what is decompressed, between two looks at its size. */
const PIECE_BYTES = 64 * 1024;

/**
 * Undoes `Content-Encoding` (gzip, deflate or br; one layer), never making more than `limitBytes`, nor more than 64 KiB and 100 times what came.
 * @throws UnsupportedMediaType for another encoding, BadRequest for damaged data, PayloadTooLarge.
 */
export async function decodeContent(
  bytes: Buffer,
  encoding: string | undefined,
  limitBytes: number,
): Promise<Buffer> {
  const name = (encoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity' || bytes.length === 0) return bytes;
  const decode = DECODERS.get(name);
  if (decode === undefined) throw new UnsupportedMediaType('Content-Encoding must be gzip, deflate or br');
  const maxOutputLength = Math.min(limitBytes, FREE_BYTES + MOST_TIMES * bytes.length);
  try {
    return await decode(bytes, { maxOutputLength, chunkSize: PIECE_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const why = maxOutputLength < limitBytes ? `, ${MOST_TIMES} times what was sent` : '';
      throw new PayloadTooLarge(
        `The request body is larger than ${maxOutputLength} bytes when decompressed${why}`,
      );
    }
    throw new BadRequest(`The request body is not valid ${name} data`, { cause: error });
  }
}
