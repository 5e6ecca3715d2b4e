import { createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** A webhook's secret, prepared for comparisons in constant time. */
export interface WebhookSecret {
  /** Whether `candidate` is the secret. An empty secret matches nothing. */
  matches(candidate: string): boolean;
  /** Key for signatures; undefined if the webhook has no secret. */
  key: KeyObject | undefined;
}

/** Prepares `secret` (any text; a number in an import counts as text). */
export function createWebhookSecret(secret: string): WebhookSecret {
  if (secret === '') return { matches: () => false, key: undefined };
  const expected = Buffer.from(secret);
  return {
    matches(candidate) {
      const given = Buffer.from(candidate);
      const fits = given.length === expected.length;
      // Always compares the same number of bytes: the duration reveals neither the secret's content nor its length.
      return timingSafeEqual(fits ? given : expected, expected) && fits;
    },
    key: createSecretKey(expected),
  };
}
