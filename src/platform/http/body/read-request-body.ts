import type { Request } from 'express';
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from '../../errors.js';
import { ClientGone, readRawBody } from './body-reader.js';
import { decodeContent } from './content-encoding.js';
import type { RawBody } from './json-body-reader.js';

/** For the whole body, so that a slow sender cannot keep the connection open. */
const TIMEOUT_MS = 120_000;
/** Longer bodies, and those of unknown length, pass additional checks before they are read. */
export const LONG_BYTES = 16 * 1024;

/**
 * Reads the body of a request, decompressed.
 * @throws PayloadTooLarge, UnsupportedMediaType for another encoding, BadRequest for one that ends early or is damaged, BodyTimeout.
 */
export async function readRequestBody(request: Request, limitBytes: number): Promise<RawBody> {
  const { headers } = request;
  try {
    const sent = await readRawBody(request, { limitBytes, timeoutMs: TIMEOUT_MS });
    const bytes = await decodeContent(sent, headers['content-encoding'], limitBytes);
    return { bytes, contentType: headers['content-type'] };
  } catch (error) {
    throw inWordsOfTheApi(error);
  }
}

/** Returns true if the request may have a body that is expensive to read. */
export function hasLongBody({ headers }: Request): boolean {
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > LONG_BYTES;
}

function inWordsOfTheApi(error: unknown): unknown {
  if (error instanceof ClientGone) return new BadRequest('The body ended early', { cause: error });
  if (error instanceof PayloadTooLarge)
    return new PayloadTooLarge('The body is larger than this server accepts');
  if (error instanceof UnsupportedMediaType) {
    return new UnsupportedMediaType('The content-encoding is not supported; use gzip, deflate, br or none');
  }
  return error;
}
