import { keep } from './team-values-loader.js';

/** A credential for the client that sends it. */
export interface Secret {
  name: string;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowedHosts: readonly string[];
  /** Returns the secret in clear. @throws if it cannot be decrypted. */
  open(): string;
}

/** Returns the credentials of a team in clear; only for clients (decision 0026). */
export interface TeamSecrets {
  /** Finds a credential by name. @throws if the database is unreachable. */
  find(teamId: number, name: string): Promise<Secret | undefined>;
}

/** Returns the TeamSecrets over the database; caches encrypted credentials for a few seconds, never decrypted ones. */
export function createTeamSecrets(credentials: {
  listSecrets(teamId: number): Promise<Secret[]>;
}): TeamSecrets {
  const secretsOf = keep(async (teamId) => {
    const secrets = await credentials.listSecrets(teamId);
    return new Map(secrets.map((secret) => [secret.name, secret]));
  });
  return { find: async (teamId, name) => (await secretsOf(teamId)).get(name) };
}
