import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Cost of a new hash: N = 2^15, r = 8, p = 1; it takes 32 MiB. */
const COST = { log2N: 15, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Costs that were ever stored, or may be; others are not computed: they might take minutes and gigabytes. */
const FORM = /^scrypt\$(1[4-7])\$(8)\$([1-4])\$([A-Za-z0-9_-]{16,86})\$([A-Za-z0-9_-]{43})$/;
const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** Creates what hashes passwords, in threads. Callers take turns (`createSignInQueue`). */
export function createPasswordHasher() {
  return {
    /** Returns the text to store: algorithm, parameters, salt and hash. */
    hash,

    /**
     * Returns true if the password has this hash. An undefined hash, and one of an unknown form or cost, takes as long as
     * a new one, and is never right.
     */
    async isRight(password: string, stored: string | undefined): Promise<boolean> {
      const [, log2N, r, p, salt = '', expected = ''] = FORM.exec(stored ?? '') ?? [];
      if (log2N === undefined) {
        await hash(password);
        return false;
      }
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

/** Whether a stored text is a hash of a form and cost that are computed here. */
export function isKnownHash(stored: string): boolean {
  return FORM.test(stored);
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
