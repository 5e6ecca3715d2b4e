import Joi from 'joi';
import { Unprocessable } from '../errors.js';
import { valid } from '../problems.js';
import { slugOf } from '../stories/story-graph.js';
import { nameField } from '../tenants/name-field.js';
import { createCredentialCipher, type CredentialCipher } from './credential-cipher.js';
import type { CredentialStore } from './credential-store.js';

/** A credential in clear: for the engine alone, never stored, never logged. */
export interface CredentialValue {
  name: string;
  slug: string;
  value: string;
}

/** Of a credential's value, in characters. */
export const MAX_VALUE_CHARACTERS = 1_000_000;

const credentialInput = Joi.object<{ name: string; value: string }>({
  name: nameField.required(),
  // The value itself stays out of messages.
  value: Joi.string().max(MAX_VALUE_CHARACTERS).required(),
});

export interface CredentialServiceDeps {
  store: CredentialStore;
  /** 32 bytes; undefined where ENCRYPTION_KEY is not configured. */
  encryptionKey: Buffer | undefined;
  /** For reading what was stored under a key of before. */
  encryptionKeysPrevious?: readonly Buffer[];
}

export type CredentialService = ReturnType<typeof createCredentialService>;

/** Secrets of a team, encrypted where they are stored. It does not ask who is acting: routes check first. */
export function createCredentialService(deps: CredentialServiceDeps) {
  const { store, encryptionKey, encryptionKeysPrevious } = deps;
  const known =
    encryptionKey === undefined ? undefined : createCredentialCipher(encryptionKey, encryptionKeysPrevious);
  const cipher = (): CredentialCipher => {
    if (known === undefined) throw new Unprocessable('Credentials need ENCRYPTION_KEY to be configured');
    return known;
  };

  return {
    /** What values are encrypted with. @throws Unprocessable when no key is configured. */
    cipher,

    /** Makes the credential, or gives it a new value. */
    async set(teamId: number, name: string, value: string): Promise<{ name: string; slug: string }> {
      const input = valid(credentialInput, { name, value });
      const slug = slugOf(input.name);
      const encryptedValue = cipher().encrypt(input.value, { teamId, name: input.name });
      await store.save(teamId, { name: input.name, slug, encryptedValue });
      return { name: input.name, slug };
    },

    /**
     * Every credential of the team, in clear. A team without any needs no key.
     * @throws CredentialCipherError when one cannot be decrypted.
     */
    async listValues(teamId: number): Promise<CredentialValue[]> {
      const stored = await store.list(teamId);
      return stored.map(({ name, slug, encryptedValue }) => ({
        name,
        slug,
        value: cipher().decrypt(encryptedValue, { teamId, name }),
      }));
    },
  };
}
