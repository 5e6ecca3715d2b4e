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

/**
 * Undoes `Content-Encoding` (gzip, deflate or br; one layer), never making more than `limitBytes`.
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
  try {
    return await decode(bytes, { maxOutputLength: limitBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new PayloadTooLarge(`The request body is larger than ${limitBytes} bytes when decompressed`);
    }
    throw new BadRequest(`The request body is not valid ${name} data`, { cause: error });
  }
}
