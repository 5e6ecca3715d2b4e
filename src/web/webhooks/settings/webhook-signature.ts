import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { hmacOfCall } from '../../../platform/crypto/call-signature.js';

/** A signature header that is well-formed (spec §4.2). */
export interface WebhookSignature {
  /** The text that was sent: it is part of the signed text. */
  timestamp: string;
  timestampMs: number;
  hmac: Buffer;
}

const MILLISECOND_DIGITS = 13;
const HMAC_BYTES = 32;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** Reads `ts=<digits>;sig1=<hex or base64>`, with spaces round `;`. Undefined when it has another form. */
export function parseSignature(header: string): WebhookSignature | undefined {
  const fields = new Map(header.split(';').map(splitField));
  const timestamp = fields.get('ts') ?? '';
  const hmac = decodeHmac(fields.get('sig1') ?? '');
  if (!/^\d{1,16}$/.test(timestamp) || hmac === undefined) return undefined;
  const scale = timestamp.length >= MILLISECOND_DIGITS ? 1 : 1000;
  return { timestamp, timestampMs: Number(timestamp) * scale, hmac };
}

function splitField(field: string): [string, string] {
  const equals = field.indexOf('=');
  return [field.slice(0, equals).trim().toLowerCase(), field.slice(equals + 1).trim()];
}

function decodeHmac(text: string): Buffer | undefined {
  if (HEX.test(text)) return Buffer.from(text, 'hex');
  if (!BASE64.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === HMAC_BYTES ? bytes : undefined;
}

/** Whether the signature's time is within `toleranceSeconds` of `nowMs`, in the past or the future. */
export function isFresh(signature: WebhookSignature, toleranceSeconds: number, nowMs: number): boolean {
  return Math.abs(nowMs - signature.timestampMs) <= toleranceSeconds * 1000;
}

/** The signed parts besides the timestamp. */
export interface SignedRequest {
  /** The possible forms of the URL that the client used; all are tried. */
  urls: string[];
  /** The received bytes, before any decompression. */
  rawBody: Buffer;
}

/** Whether `signature` is the HMAC-SHA256 of `<timestamp>.<url>.<body>` with the webhook's secret as key. */
export function isSignedBy(key: KeyObject, signature: WebhookSignature, request: SignedRequest): boolean {
  const outcomes = request.urls.map((url) => {
    const { timestamp } = signature;
    return timingSafeEqual(hmacOfCall(key, { timestamp, url, body: request.rawBody }), signature.hmac);
  });
  return outcomes.includes(true);
}
