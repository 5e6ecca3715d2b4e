import { createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** A webhook's secret, made ready for comparisons that take the same time whatever is sent. */
export interface WebhookSecret {
  /** Whether `candidate` is the secret. An empty secret matches nothing. */
  matches(candidate: string): boolean;
  /** Key for signatures; undefined when the webhook has no secret. */
  key: KeyObject | undefined;
}

/** Prepares `secret` (any text; numbers in imports count as text). */
export function createWebhookSecret(secret: string): WebhookSecret {
  if (secret === '') return { matches: () => false, key: undefined };
  const expected = Buffer.from(secret);
  return {
    matches(candidate) {
      const given = Buffer.from(candidate);
      const fits = given.length === expected.length;
      // As many bytes are compared whatever was given: neither content nor length of the secret shows in the time taken.
      return timingSafeEqual(fits ? given : expected, expected) && fits;
    },
    key: createSecretKey(expected),
  };
}
