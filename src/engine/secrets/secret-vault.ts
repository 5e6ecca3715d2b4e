import type { Config } from '../../config/face.js';
import {
  createOauthGrants,
  createSecretSource,
  createTokenCache,
  type CredentialService,
} from '../../data/face.js';
import type { ForgetsTeams } from '../../people/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import type { SecretSigner } from '../../platform/secrets/secret-signer.js';
import { markerOf } from '../../platform/secrets/secret-reference.js';
import { createOpenedSecrets, type OpenedSecrets } from './opened-secrets.js';
import { createTeamSecrets, type TeamSecrets } from './team-secrets.js';

/** Signs references to secrets, and resolves them. */
export interface SecretVault {
  /** Returns the secrets for the clients of one agent execution. */
  forTeam(teamId: number, tenantId: number): OpenedSecrets;
  /** Returns the signer of references. @throws if no key is configured. */
  signer(): SecretSigner;
  hasKey: boolean;
  /** Returns a vault of the same secrets, for references that this signer made. */
  signedBy(signer: SecretSigner): SecretVault;
  /** Has the credentials of teams read again. */
  forget: ForgetsTeams['forget'];
}

export interface SecretVaultDeps {
  secrets: TeamSecrets;
  /** @throws if no key is configured. */
  signer(): SecretSigner;
  /** Without a key this server has signed no reference. */
  hasKey: boolean;
  /** Whether a credential without allowed hosts is refused (REQUIRE_CREDENTIAL_HOSTS). */
  requireHosts: boolean;
}

export function createSecretVault(deps: SecretVaultDeps): SecretVault {
  const { secrets, hasKey, requireHosts } = deps;
  const verify = (body: string) => (hasKey ? deps.signer().verify(body) : undefined);
  return {
    forTeam: (teamId, tenantId) => createOpenedSecrets({ teamId, tenantId, secrets, verify, requireHosts }),
    signer: () => deps.signer(),
    hasKey,
    forget: (teamIds) => secrets.forget?.(teamIds),
    signedBy: (signer) => createSecretVault({ ...deps, signer: () => signer, hasKey: true }),
  };
}

/** For secrets that are never obtained. */
const NO_SOURCE = { obtain: () => Promise.reject(new Error('A marked secret was obtained')) };

/** Returns the credentials of teams, each of which is its own marker. It decrypts nothing. */
export function createMarkedSecrets(credentials: Pick<CredentialService, 'listSecrets'>): TeamSecrets {
  const secrets = createTeamSecrets(credentials, NO_SOURCE);
  return {
    forget: (teamIds) => secrets.forget?.(teamIds),
    async find(teamId, name) {
      const secret = await secrets.find(teamId, name);
      if (secret === undefined) return undefined;
      const { allowedHosts } = secret;
      return { name: secret.name, allowedHosts, open: () => markerOf(secret.name) };
    },
  };
}

/** Returns a vault of such secrets: what is built with it may be shown. */
export function createMarkedVault(
  { encryptionKey }: Pick<Config, 'encryptionKey'>,
  credentials: Pick<CredentialService, 'listSecrets' | 'signer'>,
): SecretVault {
  return createSecretVault({
    secrets: createMarkedSecrets(credentials),
    signer: () => credentials.signer(),
    hasKey: encryptionKey !== undefined,
    requireHosts: false,
  });
}

/** Returns the vault over the database; only for clients that send. */
export function createTeamVault(
  { encryptionKey, requireCredentialHosts }: Pick<Config, 'encryptionKey' | 'requireCredentialHosts'>,
  credentials: Pick<CredentialService, 'listSecrets' | 'signer' | 'cipher'>,
  { http, database }: { http: HttpClient; database: Pick<Database, 'read' | 'transaction'> },
): SecretVault {
  const cipher = () => credentials.cipher();
  const tokens = createTokenCache({ database, cipher });
  const grants = createOauthGrants({ database, cipher });
  return createSecretVault({
    secrets: createTeamSecrets(credentials, createSecretSource({ http, tokens, grants })),
    signer: () => credentials.signer(),
    hasKey: encryptionKey !== undefined,
    requireHosts: requireCredentialHosts,
  });
}
