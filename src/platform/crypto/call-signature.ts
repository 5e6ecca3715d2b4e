import { type BinaryLike, createHmac, type KeyObject } from 'node:crypto';

/** The signature header of calls, in both directions (spec §4.2), in lower case. */
export const SIGNATURE_HEADER = 'x-service-signature';

/** The signed parts of a call. `timestamp`: seconds or milliseconds, as the header has it. */
export interface SignedParts {
  timestamp: string;
  url: string;
  body: Buffer;
}

/** Returns the HMAC-SHA256 of `<timestamp>.<url>.<body>`. */
export function hmacOfCall(secret: BinaryLike | KeyObject, { timestamp, url, body }: SignedParts): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.${url}.`).update(body).digest();
}

/** Returns `ts=<seconds>;sig1=<hex>`, the value of the header. */
export function signCall(call: { url: string; body: Buffer; secret: string; nowMs: number }): string {
  const timestamp = String(Math.floor(call.nowMs / 1000));
  return `ts=${timestamp};sig1=${hmacOfCall(call.secret, { ...call, timestamp }).toString('hex')}`;
}
