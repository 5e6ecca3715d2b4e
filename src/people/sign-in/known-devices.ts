import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SignInCandidate } from '../users/person-store.js';

/** Days for which a browser is known after a sign-in. */
export const KNOWN_DAYS = 180;
const DAY_MS = 24 * 60 * 60_000;
const RANDOM_BYTES = 16;
/** Its end in seconds, a random number, and a MAC of both with the user and the stored hash of the password. */
const FORM = /^(\d{1,12})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/** A user, with the stored hash of the password: a browser is known until the password changes. */
type Known = Pick<SignInCandidate, 'userId' | 'hash'>;

export type KnownDevices = ReturnType<typeof createKnownDevices>;

/**
 * Creates and reads what a browser keeps to show that a person signed in there before (decision 0084). It signs nobody in,
 * and does not tell who the person is: the MAC can only be compared with that of an address that somebody types.
 * `secret`: the same for all processes; without one, each process knows its own alone.
 */
export function createKnownDevices(secret: Buffer = randomBytes(32), nowMs: () => number = Date.now) {
  const key = createHmac('sha256', secret).update('fabula known device').digest();
  const macOf = (end: string, random: string, { userId, hash = '' }: Known) =>
    createHmac('sha256', key).update([end, random, userId, hash].join('.')).digest();

  return {
    /** Returns the value to keep in a browser where the user has just signed in. */
    valueFor(user: Known): string {
      const end = String(Math.floor((nowMs() + KNOWN_DAYS * DAY_MS) / 1000));
      const random = randomBytes(RANDOM_BYTES).toString('base64url');
      return [end, random, macOf(end, random, user).toString('base64url')].join('.');
    },

    /** Returns true if one of a browser's values is of this user and password, and has not ended. */
    knows(values: readonly string[], user: Known): boolean {
      return values.some((value) => {
        const [, end = '', random = '', mac = ''] = FORM.exec(value) ?? [];
        if (Number(end) * 1000 <= nowMs()) return false;
        return timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(end, random, user));
      });
    },
  };
}
