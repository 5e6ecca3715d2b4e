import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Which credential a value belongs to; a value moved to another team or name does not decrypt. */
export interface CredentialIdentity {
  teamId: number;
  name: string;
}

/** A stored credential cannot be read: wrong ENCRYPTION_KEY, or the value was tampered with. */
export class CredentialCipherError extends Error {}

/** Of the stored form: version, nonce, tag, ciphertext. Another key or cipher will get another version. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

export type CredentialCipher = ReturnType<typeof createCredentialCipher>;

/** Encrypts credentials with AES-256-GCM under `key` (32 bytes). */
export function createCredentialCipher(key: Buffer) {
  return {
    encrypt(value: string, identity: CredentialIdentity): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(identity));
      const ciphertext = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ciphertext]);
    },

    /** @throws CredentialCipherError; its message holds nothing of the value. */
    decrypt(stored: Buffer, identity: CredentialIdentity): string {
      if (stored[0] !== VERSION || stored.length < HEAD_BYTES) {
        throw new CredentialCipherError(
          `The credential "${identity.name}" is stored in a form that is not known`,
        );
      }
      const nonce = stored.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(identity));
      decipher.setAuthTag(stored.subarray(1 + NONCE_BYTES, HEAD_BYTES));
      try {
        return Buffer.concat([decipher.update(stored.subarray(HEAD_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch (error) {
        throw new CredentialCipherError(
          `The credential "${identity.name}" cannot be decrypted; was it stored under another ENCRYPTION_KEY?`,
          { cause: error },
        );
      }
    },
  };
}

function boundTo({ teamId, name }: CredentialIdentity): Buffer {
  return Buffer.from(`fabula.credential:${teamId}:${name}`, 'utf8');
}
