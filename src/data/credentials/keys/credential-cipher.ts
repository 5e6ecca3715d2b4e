import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The credential that a value belongs to; a value copied to another team, name or mode does not decrypt. */
export interface CredentialIdentity {
  teamId: number;
  name: string;
  /** Absent: `TEXT`. */
  mode?: string | undefined;
}

/** A stored credential cannot be read: wrong ENCRYPTION_KEY, or the value was tampered with. */
export class CredentialCipherError extends Error {}

/** The stored form: version, key id, nonce, tag, ciphertext. */
const VERSION = 2;
/** The form of a release without key ids: version, nonce, tag, ciphertext. Read only. */
const FIRST_VERSION = 1;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type CredentialCipher = ReturnType<typeof createCredentialCipher>;

/**
 * Encrypts credentials with AES-256-GCM under `key` (32 bytes). Decrypts values that are encrypted under it or under
 * one of the `previous` keys.
 */
export function createCredentialCipher(key: Buffer, previous: readonly Buffer[] = []) {
  const keys = [key, ...previous].map((known) => ({ id: keyId(known), key: known }));
  const head = Buffer.concat([Buffer.of(VERSION), keyId(key)]);
  const keysFor = (stored: Buffer): { candidates: Buffer[]; sealed: Buffer } => {
    const first = stored[0] === FIRST_VERSION;
    const id = stored.subarray(1, head.length);
    const candidates = keys.filter((known) => first || known.id.equals(id));
    return {
      candidates: candidates.map((known) => known.key),
      sealed: stored.subarray(first ? 1 : head.length),
    };
  };

  return {
    /** The first bytes of every value that is encrypted under `key`. */
    head,

    /** Names `key`, and tells nothing about it: 16 hexadecimal digits. */
    fingerprint: keyId(key).toString('hex'),

    /** Whether the key with this fingerprint is `key` or a previous one. */
    knows: (fingerprint: string): boolean => keys.some(({ id }) => id.toString('hex') === fingerprint),

    encrypt(value: string, identity: CredentialIdentity): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(identity));
      const ciphertext = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), ciphertext]);
    },

    /** @throws CredentialCipherError; its message contains no part of the value. */
    decrypt(stored: Buffer, identity: CredentialIdentity): string {
      const { candidates, sealed } = keysFor(stored);
      const known = stored[0] === VERSION || stored[0] === FIRST_VERSION;
      if (!known || sealed.length < NONCE_BYTES + TAG_BYTES) {
        throw new CredentialCipherError(`The credential "${identity.name}" is stored in an unknown format`);
      }
      const reasons: unknown[] = [];
      for (const candidate of candidates) {
        try {
          return unseal(candidate, sealed, identity);
        } catch (error) {
          reasons.push(error);
        }
      }
      throw new CredentialCipherError(
        `The credential "${identity.name}" cannot be decrypted; it may have been encrypted with another ENCRYPTION_KEY`,
        { cause: reasons[0] },
      );
    },
  };
}

function unseal(key: Buffer, sealed: Buffer, identity: CredentialIdentity): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(identity));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const ciphertext = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
}

/** Identifies a key and reveals nothing about it. */
function keyId(key: Buffer): Buffer {
  return createHash('sha256').update('fabula.credential-key:').update(key).digest().subarray(0, KEY_ID_BYTES);
}

/** A version that knows no modes cannot decrypt a value of another mode, and so cannot send it as a text. */
function boundTo({ teamId, name, mode = 'TEXT' }: CredentialIdentity): Buffer {
  const kind = mode === 'TEXT' ? '' : `.${mode}`;
  return Buffer.from(`fabula.credential${kind}:${teamId}:${name}`, 'utf8');
}
