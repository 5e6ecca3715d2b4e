import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Cost of a new hash: N = 2^15, r = 8, p = 1; it takes 32 MiB. */
const COST = { log2N: 15, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const FORM = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;
const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** Creates what hashes passwords, in threads. Callers take turns (`createSignInTurns`). */
export function createPasswordHasher() {
  return {
    /** Returns the text to store: algorithm, parameters, salt and hash. */
    hash,

    /** Returns true if the password has this hash. An undefined hash takes as long, and is never right. */
    async isRight(password: string, stored: string | undefined): Promise<boolean> {
      if (stored === undefined) {
        await hash(password);
        return false;
      }
      const [, log2N, r, p, salt = '', expected = ''] = FORM.exec(stored) ?? [];
      if (log2N === undefined) throw new Error('The stored hash of a password has an unknown form');
      const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
      const key = await derived(password, Buffer.from(salt, 'base64url'), cost);
      return timingSafeEqual(key, Buffer.from(expected, 'base64url'));
    },
  };
}

async function hash(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const { log2N, r, p } = COST;
  const key = await derived(password, salt, COST);
  return ['scrypt', log2N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

function derived(
  password: string,
  salt: Buffer,
  { log2N, r, p }: { log2N: number; r: number; p: number },
): Promise<Buffer> {
  const N = 2 ** log2N;
  // One text may be typed in two ways, by keyboards that compose letters differently.
  return derive(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r });
}
