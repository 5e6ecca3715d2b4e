import { createHmac } from 'node:crypto';

/** The signature header, the same as for webhook requests to this server (spec §4.2). */
export const SIGNATURE_HEADER_NAME = 'X-Service-Signature';

/** Returns `ts=<seconds>;sig1=<hex>`, where `sig1` is the HMAC-SHA256 of `<ts>.<url>.<body>` with the secret. */
export function signCall(call: { url: string; body: Buffer; secret: string; nowMs: number }): string {
  const seconds = Math.floor(call.nowMs / 1000);
  const hmac = createHmac('sha256', call.secret).update(`${seconds}.${call.url}.`).update(call.body);
  return `ts=${seconds};sig1=${hmac.digest('hex')}`;
}
