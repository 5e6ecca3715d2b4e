import { keep } from './team-values-loader.js';

/** A credential as the client that sends it knows it. */
export interface Secret {
  name: string;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowedHosts: readonly string[];
  /** The secret in clear. @throws where it cannot be decrypted. */
  open(): string;
}

/** Gives the credentials of a team in clear, to clients alone (decision 0026). */
export interface TeamSecrets {
  /** By its name. @throws when the database cannot be reached. */
  find(teamId: number, name: string): Promise<Secret | undefined>;
}

/** TeamSecrets over the database: sealed ones are kept for a few seconds, what they hold is not kept. */
export function createTeamSecrets(credentials: {
  listSecrets(teamId: number): Promise<Secret[]>;
}): TeamSecrets {
  const secretsOf = keep(async (teamId) => {
    const secrets = await credentials.listSecrets(teamId);
    return new Map(secrets.map((secret) => [secret.name, secret]));
  });
  return { find: async (teamId, name) => (await secretsOf(teamId)).get(name) };
}
