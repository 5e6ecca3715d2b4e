import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from '../../errors.js';
import { type ContentCoding, contentCodings } from '../../headers/content-codings.js';

type Decode = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const inflateZlib = promisify<Buffer, ZlibOptions, Buffer>(inflate);
const inflateBare = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw);

/** Some senders leave out the zlib wrapper that `deflate` means (RFC 9110 §8.4.1.2). */
const inflateAny: Decode = (bytes, options) => (isZlib(bytes) ? inflateZlib : inflateBare)(bytes, options);

/** Its first two bytes name the method, and are a multiple of 31 (RFC 1950 §2.2). */
function isZlib(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0;
}

const DECODERS: Record<ContentCoding, Decode> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: inflateAny,
  br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress),
};

/** A decompressed body may always have 64 KiB, else 100 times its sent size: JSON logs reach 30 times, a zip bomb 1,000. */
const FREE_BYTES = 64 * 1024;
const MOST_TIMES = 100;
/** Bytes decompressed between two checks of the size. */
const PIECE_BYTES = 64 * 1024;

/**
 * Decodes `Content-Encoding`: gzip, deflate or br, at most three of them. The result has at most `limitBytes`, and at most 64 KiB + 100 times the sent size.
 * @throws UnsupportedMediaType for another coding, BadRequest for damaged data, PayloadTooLarge.
 */
export async function decodeContent(
  bytes: Buffer,
  encoding: string | undefined,
  limitBytes: number,
): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  const codings = contentCodings(encoding);
  if (codings === undefined) throw new UnsupportedMediaType('Content-Encoding must be gzip, deflate or br');
  const maxOutputLength = Math.min(limitBytes, FREE_BYTES + MOST_TIMES * bytes.length);
  const why = maxOutputLength < limitBytes ? `, ${MOST_TIMES} times what was sent` : '';
  let plain = bytes;
  for (const name of codings) {
    plain = await DECODERS[name](plain, { maxOutputLength, chunkSize: PIECE_BYTES }).catch(
      (error: unknown) => {
        throw errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
          ? new PayloadTooLarge(
              `The request body is larger than ${maxOutputLength} bytes when decompressed${why}`,
            )
          : new BadRequest(`The request body is not valid ${name} data`, { cause: error });
      },
    );
  }
  return plain;
}

function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
