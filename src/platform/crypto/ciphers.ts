import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  type DecipherGCM,
  createHmac,
  randomBytes,
} from 'node:crypto';
import { KeyError } from './signing-key.js';

const TAG_BYTES = 16;

interface Cipher {
  keyBytes: number;
  ivBytes: number;
  isAuthenticated?: true;
}

const CIPHERS: Record<string, Cipher> = {
  'aes-128-cbc': { keyBytes: 16, ivBytes: 16 },
  'aes-256-cbc': { keyBytes: 32, ivBytes: 16 },
  'aes-128-ecb': { keyBytes: 16, ivBytes: 0 },
  'aes-256-ecb': { keyBytes: 32, ivBytes: 0 },
  'aes-128-gcm': { keyBytes: 16, ivBytes: 12, isAuthenticated: true },
  'aes-256-gcm': { keyBytes: 32, ivBytes: 12, isAuthenticated: true },
};

export interface Encrypted {
  encrypted: Buffer;
  /** For ciphers that have one. */
  iv?: Buffer;
  /** For ciphers that detect changes. */
  tag?: Buffer;
}

export interface CipherInput {
  cipher: string;
  key: Buffer;
  iv?: Buffer;
  /** Further data that is authenticated, not encrypted. */
  aad?: Buffer;
}

/** @throws KeyError for an unknown cipher, and for a key, IV or further data that does not fit it. */
export function encrypt(clear: Buffer, input: CipherInput): Encrypted {
  const { ivBytes, isAuthenticated } = fitting(input);
  const iv = input.iv ?? randomBytes(ivBytes);
  if (iv.length !== ivBytes) throw new KeyError(`${input.cipher} needs an IV of ${ivBytes} bytes`);
  // The methods of a counter mode are not called for other ciphers.
  const cipher = createCipheriv(input.cipher, input.key, ivBytes === 0 ? null : iv) as CipherGCM;
  if (input.aad !== undefined) cipher.setAAD(input.aad);
  const encrypted = Buffer.concat([cipher.update(clear), cipher.final()]);
  return {
    encrypted,
    ...(ivBytes > 0 && { iv }),
    ...(isAuthenticated && { tag: cipher.getAuthTag() }),
  };
}

/** @throws KeyError where the key, IV, tag or further data are not those of the encryption. */
export function decrypt(encrypted: Buffer, input: CipherInput & { tag?: Buffer }): Buffer {
  const { ivBytes, isAuthenticated } = fitting(input);
  const { iv = Buffer.alloc(0), tag } = input;
  // Galois counter mode takes an IV of any length; others wrote it.
  const fits = isAuthenticated ? iv.length > 0 : iv.length === ivBytes;
  if (!fits) throw new KeyError(`${input.cipher} needs an IV of ${ivBytes} bytes`);
  if (isAuthenticated && tag?.length !== TAG_BYTES)
    throw new KeyError(`${input.cipher} needs an authentication tag of ${TAG_BYTES} bytes`);
  try {
    const decipher = createDecipheriv(input.cipher, input.key, ivBytes === 0 ? null : iv) as DecipherGCM;
    if (isAuthenticated && tag !== undefined) decipher.setAuthTag(tag);
    if (input.aad !== undefined) decipher.setAAD(input.aad);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch (error) {
    throw new KeyError('cannot be decrypted with this key', { cause: error });
  }
}

function fitting({ cipher, key, aad }: CipherInput): Cipher {
  const found = Object.hasOwn(CIPHERS, cipher) ? CIPHERS[cipher] : undefined;
  if (found === undefined)
    throw new KeyError(`the algorithm "${cipher.slice(0, 50)}" is not ${Object.keys(CIPHERS).join(', ')}`);
  if (key.length !== found.keyBytes)
    throw new KeyError(`${cipher} needs a key of ${found.keyBytes} bytes; this one has ${key.length}`);
  if (aad !== undefined && !found.isAuthenticated) throw new KeyError(`${cipher} takes no further data`);
  return found;
}

const SEALED = 'v1';
const SEAL_CIPHER = 'aes-256-gcm';
const SALT_BYTES = 16;
const MIN_KEY_BYTES = 32;

/**
 * Returns the bytes encrypted so that `unseal` opens them with the same key until they expire: base64 parts joined by dots.
 * The key of each text is derived from a random salt, so that no IV repeats.
 * @param expiresAt in ms; undefined: never.
 * @throws KeyError for a key of fewer than 32 bytes.
 */
export function seal(clear: Buffer, key: Buffer, expiresAt?: number): string {
  const salt = randomBytes(SALT_BYTES);
  const expiry = Buffer.from(expiresAt === undefined ? '' : String(expiresAt));
  const { encrypted, iv, tag } = encrypt(clear, {
    cipher: SEAL_CIPHER,
    key: sealKey(key, salt),
    aad: expiry,
  });
  const parts = [Buffer.from(SEALED), salt, expiry, iv ?? Buffer.alloc(0), tag ?? Buffer.alloc(0), encrypted];
  return parts.map((part) => part.toString('base64')).join('.');
}

/** @throws KeyError for a text that `seal` has not made with this key, was changed, or has expired at `now` (ms). */
export function unseal(text: string, key: Buffer, now: number): Buffer {
  const parts = text.split('.').map((part) => Buffer.from(part, 'base64'));
  const [version, salt, expiry, iv, tag, encrypted] = parts;
  if (encrypted === undefined || parts.length !== 6 || version?.toString() !== SEALED)
    throw new KeyError('the text was not encrypted by this server');
  const input = { cipher: SEAL_CIPHER, key: sealKey(key, salt ?? Buffer.alloc(0)), iv, aad: expiry, tag };
  const clear = decrypt(encrypted, input as CipherInput & { tag: Buffer });
  if (expiry !== undefined && expiry.length > 0 && Number(expiry.toString()) <= now)
    throw new KeyError('it has expired');
  return clear;
}

function sealKey(key: Buffer, salt: Buffer): Buffer {
  if (key.length < MIN_KEY_BYTES)
    throw new KeyError(`the key has ${key.length} bytes; it needs ${MIN_KEY_BYTES} or more`);
  return createHmac('sha256', key).update('fabula seal ').update(salt).digest();
}
