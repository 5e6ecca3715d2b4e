import { SIGNATURE_HEADER, signCall } from '../crypto/call-signature.js';
import type { HttpClient } from './http-exchange.js';

/** The result of one attempt to send; `interrupted`: the process ends, and nothing is known. */
export type SendOutcome = 'done' | 'interrupted' | { error: string; permanent: boolean };

/** A JSON body for an address that a user has given. */
export interface SignedPost {
  url: string;
  body: Buffer;
  /** Signs the request; undefined: it is not signed. */
  secret: string | undefined;
  /** The same for each attempt. */
  idempotencyKey: string;
  /** The database's time: receivers check the age of a signature. */
  nowMs: number;
  /** The owner, which has connections of its own: the tenant. */
  group?: number | undefined;
}

const TIMEOUT_MS = 10_000;

/** Sends the body; redirects are not followed, as the signature covers the address. Never throws for faults of the receiver. */
export async function postSigned(
  http: Pick<HttpClient, 'request'>,
  { url, body, secret, idempotencyKey, nowMs, group }: SignedPost,
  signal: AbortSignal | undefined,
): Promise<SendOutcome> {
  const response = await http.request({
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
      ...(secret !== undefined && { [SIGNATURE_HEADER]: signCall({ url, body, secret, nowMs }) }),
    },
    body,
    timeoutMs: TIMEOUT_MS,
    followRedirects: false,
    ...(group !== undefined && { group }),
    ...(signal !== undefined && { signal }),
  });
  if (!response.answered) {
    if (response.interrupted) return 'interrupted';
    return { error: response.reason, permanent: response.forbidden === true };
  }
  if (response.status >= 200 && response.status < 300) return 'done';
  return { error: `The response had status ${response.status}`, permanent: false };
}
