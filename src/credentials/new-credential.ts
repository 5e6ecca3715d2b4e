import type { Knex } from 'knex';
import { defaultTeamId, homeTeamId, homeTeamProblems } from '../access/auth/access.js';
import type { Actor, Role } from '../access/auth/actor.js';
import type { ActorKeyService } from '../access/tenants/actor-key-service.js';
import type { Config } from '../config/config.js';
import { NotFound, type Problem, Unprocessable } from '../platform/errors.js';
import type { Database } from '../platform/mysql/database.js';
import { retryLockConflicts } from '../platform/mysql/retry-conflicts.js';
import { slugOf } from '../platform/text/slug.js';
import type { Usable } from '../platform/validation/partial-input.js';
import { attempt } from '../platform/validation/validate.js';
import { hostsProblems } from './allowed-hosts-field.js';
import { keyOfStoriesProblems } from './connect-key-rules.js';
import type { CredentialService } from './credential-service.js';
import { insertCredential } from './credential-store.js';

/** A credential to create: with a value, or with an API key of this server that is created with it (spec §2.7). */
export interface NewCredential {
  name: string;
  team_id?: number;
  description?: string | null;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowed_hosts?: string[];
  mode: 'text' | 'fabula';
  value?: string;
  key?: { kind: Actor['kind']; role?: Role; expires_at?: Date | null };
}

export interface NewCredentialDeps {
  database: Pick<Database, 'knex'>;
  credentials: Pick<CredentialService, 'cipher'>;
  apiKeys: Pick<ActorKeyService, 'create' | 'check'>;
  config: Pick<Config, 'requireCredentialHosts' | 'credentialKeysAboveEditor'>;
}

/** Returns the faults in the usable parts of a new credential. @throws NotFound and Forbidden as creating it does. */
export async function newCredentialProblems(
  actor: Actor,
  credential: Usable<NewCredential>,
  deps: Omit<NewCredentialDeps, 'database'>,
): Promise<Problem[]> {
  const ofTeam = homeTeamProblems(actor, credential, 'manage');
  const sealing = await attempt(() => deps.credentials.cipher());
  return [
    ...ofTeam,
    ...contentProblems(credential),
    ...keyProblems(actor, credential, deps),
    ...hostsProblems(credential.allowed_hosts ?? [], deps.config),
    ...sealing.problems,
  ];
}

/** Creates the credential and returns its id; its API key is created in the same transaction. @throws Unprocessable */
export async function createCredential(
  actor: Actor,
  credential: NewCredential,
  deps: NewCredentialDeps,
): Promise<number> {
  const problems = await newCredentialProblems(actor, credential, deps);
  if (problems.length > 0) throw new Unprocessable(problems);
  const teamId = homeTeamId(actor, credential.team_id, 'manage');
  return retryLockConflicts(() => store(actor, { ...credential, teamId }, deps));
}

/** Value and key belong to one mode each; without a valid mode they are not checked. */
function contentProblems({ mode, value, key }: Usable<NewCredential>): Problem[] {
  if (mode === undefined) return [];
  const [wanted, misplaced] = mode === 'text' ? (['value', { key }] as const) : (['key', { value }] as const);
  const given = mode === 'text' ? value : key;
  const problems = Object.entries(misplaced)
    .filter(([, other]) => other !== undefined)
    .map(([details]) => ({ message: `"${details}" is not allowed with the mode "${mode}"`, details }));
  if (given !== undefined) return problems;
  return [...problems, { message: `"${wanted}" is required with the mode "${mode}"`, details: wanted }];
}

/** An actor without a team gets that problem from another check. */
function keyProblems(
  actor: Actor,
  { mode, key, team_id = defaultTeamId(actor) }: Usable<NewCredential>,
  { apiKeys, config }: Pick<NewCredentialDeps, 'apiKeys' | 'config'>,
): Problem[] {
  if (mode !== 'fabula' || key === undefined || team_id === undefined) return [];
  return [...apiKeys.check(actor, keyOf(key, team_id), 'key.'), ...keyOfStoriesProblems(key, config)];
}

function keyOf<Key extends Usable<NonNullable<NewCredential['key']>>>(
  { expires_at: expiresAt, ...key }: Key,
  teamId: number,
) {
  return { ...key, expiresAt: expiresAt ?? undefined, teamId: key.kind === 'team' ? teamId : undefined };
}

async function store(
  actor: Actor,
  credential: NewCredential & { teamId: number },
  deps: NewCredentialDeps,
): Promise<number> {
  const { name, teamId, value = '', key, description = null, allowed_hosts: allowedHosts = [] } = credential;
  const insert = async (content: string, apiKeyId: number | null, trx: Knex): Promise<number> => {
    const encryptedValue = deps.credentials.cipher().encrypt(content, { teamId, name });
    const named = { teamId, name, slug: slugOf(name), description, allowedHosts };
    const id = await insertCredential({ ...named, encryptedValue, apiKeyId }, trx);
    if (id === undefined) throw new NotFound('Team');
    return id;
  };
  if (key === undefined) return deps.database.knex.transaction((trx) => insert(value, null, trx));
  let id = 0;
  await deps.apiKeys.create(actor, { ...keyOf(key, teamId), kind: key.kind, name }, async (made, trx) => {
    id = await insert(made.key, made.id, trx);
  });
  return id;
}
