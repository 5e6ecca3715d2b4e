import Joi from 'joi';
import { Unprocessable } from '../platform/errors.js';
import { valid } from '../platform/validation/validate.js';
import { slugOf } from '../platform/text/slug.js';
import { nameField } from '../access/tenants/name-field.js';
import { allowedHostsField, hostsMissing } from './allowed-hosts-field.js';
import { createCredentialCipher, type CredentialCipher } from './credential-cipher.js';
import type { CredentialStore } from './credential-store.js';
import { createSecretSigner, type SecretSigner, withoutOwnReferences } from './secret-signer.js';

/** A credential in clear: for the engine alone, never stored, never logged. */
export interface CredentialValue {
  name: string;
  slug: string;
  value: string;
}

/** What templates get in the place of a credential. */
export interface CredentialReference {
  name: string;
  slug: string;
  /** A reference; see text/secret-reference.ts. */
  value: string;
}

/** A credential for the client that sends it. */
export interface SealedSecret {
  name: string;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowedHosts: string[];
  /** The secret in clear. @throws CredentialCipherError */
  open(): string;
}

/** Of a credential's value, in characters. */
export const MAX_VALUE_CHARACTERS = 1_000_000;

const credentialInput = Joi.object<{ name: string; value: string; allowed_hosts?: string[] }>({
  name: nameField.required(),
  // The value itself stays out of messages.
  value: Joi.string().max(MAX_VALUE_CHARACTERS).required(),
  allowed_hosts: allowedHostsField,
});

export interface CredentialServiceDeps {
  store: CredentialStore;
  /** 32 bytes; undefined where ENCRYPTION_KEY is not configured. */
  encryptionKey: Buffer | undefined;
  /** For reading what was stored under a key of before. */
  encryptionKeysPrevious?: readonly Buffer[];
  /** Whether a credential without allowed hosts is refused. */
  requireHosts?: boolean;
}

export type CredentialService = ReturnType<typeof createCredentialService>;

/** Secrets of a team, encrypted where they are stored. It does not ask who is acting: routes check first. */
export function createCredentialService(deps: CredentialServiceDeps) {
  const { store, encryptionKey, encryptionKeysPrevious, requireHosts = false } = deps;
  const keyed = encryptionKey === undefined ? undefined : keyedBy(encryptionKey, encryptionKeysPrevious);
  const { cipher, signer } = {
    cipher: (): CredentialCipher => required(keyed).cipher,
    signer: (): SecretSigner => required(keyed).signer,
  };

  return {
    /** What values are encrypted with. @throws Unprocessable when no key is configured. */
    cipher,

    /** Makes and knows references. @throws Unprocessable when no key is configured. */
    signer,

    /** JSON text as it may come in from outside: without references of this server. */
    admit: (json: string): string => (keyed === undefined ? json : withoutOwnReferences(json, keyed.signer)),

    /**
     * Makes the credential, or gives it a new value; without `allowedHosts` it keeps the hosts it has.
     * @throws Unprocessable for input that is wrong.
     */
    async set(
      teamId: number,
      name: string,
      value: string,
      allowedHosts?: string[],
    ): Promise<{ name: string; slug: string }> {
      const given = { name, value, ...(allowedHosts !== undefined && { allowed_hosts: allowedHosts }) };
      const input = valid(credentialInput, given);
      if (requireHosts) {
        const hosts = input.allowed_hosts ?? (await store.findHosts(teamId, input.name)) ?? [];
        if (hosts.length === 0) throw new Unprocessable([hostsMissing()]);
      }
      const slug = slugOf(input.name);
      const encryptedValue = cipher().encrypt(input.value, { teamId, name: input.name });
      await store.save(teamId, {
        name: input.name,
        slug,
        encryptedValue,
        allowedHosts: input.allowed_hosts,
      });
      return { name: input.name, slug };
    },

    /** The hosts that a credential may be sent to; none: any host, or there is no such credential. */
    hostsOf: async (teamId: number, name: string): Promise<string[]> =>
      (await store.findHosts(teamId, name)) ?? [],

    /** The credentials of the team that may be sent to any host. */
    async listUnrestricted(teamId: number): Promise<{ name: string; slug: string }[]> {
      const stored = await store.list(teamId);
      return stored
        .filter(({ allowedHosts }) => allowedHosts.length === 0)
        .map(({ name, slug }) => ({ name, slug }));
    },

    /**
     * A reference to every credential of the team. A team without any needs no key.
     * @throws Unprocessable when no key is configured.
     */
    async listReferences(teamId: number): Promise<CredentialReference[]> {
      const stored = await store.list(teamId);
      return stored.map(({ name, slug }) => ({
        name,
        slug,
        value: signer().sign({ team: teamId, credential: name }),
      }));
    },

    /** Every credential of the team, each still sealed. */
    async listSecrets(teamId: number): Promise<SealedSecret[]> {
      const stored = await store.list(teamId);
      return stored.map(({ name, allowedHosts, encryptedValue }) => ({
        name,
        allowedHosts,
        open: () => cipher().decrypt(encryptedValue, { teamId, name }),
      }));
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

interface Keyed {
  cipher: CredentialCipher;
  signer: SecretSigner;
}

function keyedBy(key: Buffer, previous: readonly Buffer[] | undefined): Keyed {
  return { cipher: createCredentialCipher(key, previous), signer: createSecretSigner(key, previous) };
}

function required(keyed: Keyed | undefined): Keyed {
  if (keyed === undefined) throw new Unprocessable('Credentials need ENCRYPTION_KEY to be configured');
  return keyed;
}
