import { createHmac, timingSafeEqual } from 'node:crypto';

/** Hexadecimal digits: 96 unguessable bits and 32 check bits. */
const BODY_DIGITS = 24;
const CHECK_DIGITS = 8;

/** Returns the id of a prompt, 32 hexadecimal digits: the same for the same text and secret. */
export function promptId(text: string, secret: string): string {
  const body = digits(text, secret, BODY_DIGITS);
  return body + checkOf(body, secret);
}

/**
 * Returns true if the id was made with this secret; false for a guessed id, or one made before ids had check digits
 * (decision 0031).
 */
export function isPromptId(id: string, secret: string): boolean {
  const body = id.slice(0, BODY_DIGITS);
  const given = Buffer.from(id.slice(BODY_DIGITS));
  const expected = Buffer.from(checkOf(body, secret));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function checkOf(body: string, secret: string): string {
  return digits(`check:${body}`, secret, CHECK_DIGITS);
}

function digits(text: string, secret: string, count: number): string {
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, count);
}
