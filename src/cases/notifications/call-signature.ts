import { createHmac } from 'node:crypto';

/** The header that webhooks of this server are signed with as well (spec §4.2). */
export const SIGNATURE_HEADER_NAME = 'X-Service-Signature';

/** `ts=<seconds>;sig1=<hex>`: the HMAC-SHA256 by the secret of `<ts>.<url>.<body>`. */
export function signCall(call: { url: string; body: Buffer; secret: string; nowMs: number }): string {
  const seconds = Math.floor(call.nowMs / 1000);
  const hmac = createHmac('sha256', call.secret).update(`${seconds}.${call.url}.`).update(call.body);
  return `ts=${seconds};sig1=${hmac.digest('hex')}`;
}
