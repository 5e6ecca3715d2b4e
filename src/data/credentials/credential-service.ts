import Joi from 'joi';
import { Unprocessable } from '../../platform/errors.js';
import { valid } from '../../platform/validation/validate.js';
import { slugOf } from '../../platform/text/slug.js';
import { nameField } from '../../people/face.js';
import { allowedHostsField, hostsMissing } from './reach/allowed-hosts-field.js';
import { createCredentialCipher, type CredentialCipher } from './keys/credential-cipher.js';
import type { CredentialStore } from './credential-store.js';
import type { CredentialMode } from './modes/credential-modes.js';
import { MAX_VALUE_CHARACTERS } from './modes/mode-fields.js';
import {
  createSecretSigner,
  type SecretSigner,
  withoutOwnReferences,
} from '../../platform/secrets/secret-signer.js';

/** A decrypted credential: only for the engine, never stored, never logged. */
export interface CredentialValue {
  name: string;
  slug: string;
  value: string;
}

/** The value that templates get instead of a credential. */
export interface CredentialReference {
  name: string;
  slug: string;
  /** A reference (src/platform/secrets/secret-reference.ts). */
  value: string;
  /** True for a credential of another team. */
  isForeign?: boolean;
}

/** A credential for the client that sends it, still encrypted. */
export interface SealedSecret {
  id: number;
  /** The team that it belongs to: another one may share it. */
  teamId: number;
  name: string;
  mode: CredentialMode;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowedHosts: string[];
  /** Returns the secret in clear: with another mode than `TEXT`, its settings as JSON. @throws CredentialCipherError */
  open(): string;
}

const credentialInput = Joi.object<{ name: string; value: string; allowed_hosts?: string[] }>({
  name: nameField.required(),
  // The value itself stays out of messages.
  value: Joi.string().max(MAX_VALUE_CHARACTERS).required(),
  allowed_hosts: allowedHostsField,
});

export interface CredentialServiceDeps {
  store: CredentialStore;
  /** 32 bytes; undefined if ENCRYPTION_KEY is not configured. */
  encryptionKey: Buffer | undefined;
  /** Earlier keys, to decrypt values that are stored under them. */
  encryptionKeysPrevious?: readonly Buffer[];
  /** Whether a credential without allowed hosts is refused. */
  requireHosts?: boolean;
}

export type CredentialService = ReturnType<typeof createCredentialService>;

/** Secrets of a team, stored encrypted. It checks no permissions: routes do that first. */
export function createCredentialService(deps: CredentialServiceDeps) {
  const { store, encryptionKey, encryptionKeysPrevious, requireHosts = false } = deps;
  const keyed = encryptionKey === undefined ? undefined : keyedBy(encryptionKey, encryptionKeysPrevious);
  const { cipher, signer } = {
    cipher: (): CredentialCipher => required(keyed).cipher,
    signer: (): SecretSigner => required(keyed).signer,
  };

  return {
    /** The cipher of stored values. @throws Unprocessable if no key is configured. */
    cipher,

    /** Creates and verifies references. @throws Unprocessable if no key is configured. */
    signer,

    /** Returns JSON text from outside, with this server's references replaced by markers. */
    admit: (json: string): string => (keyed === undefined ? json : withoutOwnReferences(json, keyed.signer)),

    /**
     * Creates the credential, or replaces its value; without `allowedHosts` it keeps its hosts.
     * @throws Unprocessable for invalid input.
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

    /** Returns the hosts that a credential may be sent to; empty: any host, or there is no such credential. */
    hostsOf: async (teamId: number, name: string): Promise<string[]> =>
      (await store.findHosts(teamId, name)) ?? [],

    /** Returns the credentials of the team that may be sent to any host. */
    async listUnrestricted(teamId: number): Promise<{ name: string; slug: string }[]> {
      const stored = await store.list(teamId);
      return stored
        .filter(({ allowedHosts, liveId }) => liveId === null && allowedHosts.length === 0)
        .map(({ name, slug }) => ({ name, slug }));
    },

    /**
     * Returns a reference to every credential that the team may use; `isTest`: to the test value, where enabled. Without
     * credentials no key is needed.
     * @throws Unprocessable if no key is configured.
     */
    async listReferences(teamId: number, isTest = false): Promise<CredentialReference[]> {
      const stored = await store.listUsable(teamId);
      return stored.map(({ teamId: owner, name, slug, test }) => ({
        name,
        slug,
        value: signer().sign({ team: teamId, credential: (isTest ? test?.name : undefined) ?? name }),
        ...(owner !== teamId && { isForeign: true }),
      }));
    },

    /** Returns every credential that the team may use, and test values, still encrypted, its own first. */
    async listSecrets(teamId: number): Promise<SealedSecret[]> {
      const stored = await store.listUsable(teamId);
      return stored
        .flatMap(({ test, ...live }) => (test === undefined ? [live] : [live, test]))
        .map(({ encryptedValue, allowedHosts, id, ...identity }) => ({
          id,
          teamId: identity.teamId,
          name: identity.name,
          mode: identity.mode as CredentialMode,
          allowedHosts,
          open: () => cipher().decrypt(encryptedValue, identity),
        }));
    },

    /**
     * Returns every credential of the team, decrypted. A team without credentials needs no key.
     * @throws CredentialCipherError if one cannot be decrypted.
     */
    async listValues(teamId: number): Promise<CredentialValue[]> {
      const stored = await store.list(teamId);
      return stored.map(({ name, slug, mode, encryptedValue }) => ({
        name,
        slug,
        value: cipher().decrypt(encryptedValue, { teamId, name, mode }),
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
