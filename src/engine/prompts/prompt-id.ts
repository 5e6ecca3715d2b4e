import { createHmac, timingSafeEqual } from 'node:crypto';

/** In hexadecimal: 96 bits that nobody can guess, and 32 that show that they are ours. */
const BODY_DIGITS = 24;
const CHECK_DIGITS = 8;

/** The id of a prompt, of 32 hexadecimal digits: the same for the same text and secret. */
export function promptId(text: string, secret: string): string {
  const body = digits(text, secret, BODY_DIGITS);
  return body + checkOf(body, secret);
}

/**
 * Whether the id was made with this secret. False for guesses, and for links that were made before ids had a check
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
