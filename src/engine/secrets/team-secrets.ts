import type { Obtained, SealedSecret, SecretSource } from '../../data/face.js';
import type { ForgetsTeams } from '../../people/face.js';
import { keep } from './team-values-loader.js';

/** A credential for the client that sends it. */
export interface Secret {
  name: string;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowedHosts: readonly string[];
  /** Returns the secret in clear; only for a text. @throws if it cannot be decrypted. */
  open(): string;
  /** Present for a credential that is no text: signs, or fetches, what is sent. @throws AgentError, PermanentJobError */
  obtain?(tenantId: number): Promise<Obtained>;
}

/** Returns the credentials of a team in clear; only for clients (decision 0026). */
export interface TeamSecrets {
  /** Finds a credential by name. @throws if the database is unreachable. */
  find(teamId: number, name: string): Promise<Secret | undefined>;
  /** Absent: nothing is cached. */
  forget?: ForgetsTeams['forget'];
}

/** Returns the TeamSecrets over the database; caches encrypted credentials for a few seconds, never decrypted ones. */
export function createTeamSecrets(
  credentials: { listSecrets(teamId: number): Promise<SealedSecret[]> },
  source: SecretSource,
): TeamSecrets {
  const secretsOf = keep(async (teamId) => {
    const secrets = await credentials.listSecrets(teamId);
    // Own credentials come first, and win over those of other teams.
    return new Map(secrets.toReversed().map((secret) => [secret.name, withSource(secret, source)]));
  });
  return {
    async find(teamId, name) {
      const since = performance.now();
      const known = (await secretsOf.of(teamId)).get(name);
      // It may be newer than what is cached.
      return known ?? (await secretsOf.of(teamId, since)).get(name);
    },
    forget: (teamIds) => secretsOf.forget(teamIds),
  };
}

function withSource(secret: SealedSecret, source: SecretSource): Secret {
  if (secret.mode === 'TEXT') return secret;
  const { name, allowedHosts } = secret;
  return {
    name,
    allowedHosts,
    open: () => '',
    obtain: (tenantId) => source.obtain(secret, tenantId),
  };
}
