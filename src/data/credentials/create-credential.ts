import type { Knex } from 'knex';
import { type Actor, defaultTeamId, homeTeamId, homeTeamProblems, type Role } from '../../api/face.js';
import {
  type ActorKeyService,
  insertShares,
  planSharing,
  type Sharing,
  type SharingInput,
} from '../../people/face.js';
import type { Config } from '../../config/face.js';
import { folderProblems } from '../folders/folder-of-team.js';
import { NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import { slugOf } from '../../platform/text/slug.js';
import { isFaulty, type Usable } from '../../platform/validation/partial-input.js';
import { attempt } from '../../platform/validation/validate.js';
import { hostsProblems } from './reach/allowed-hosts-field.js';
import { sealedText } from './credential-plan.js';
import { insertCredential } from './credential-record-store.js';
import type { CredentialService } from './credential-service.js';
import { requireKnownKey } from './keys/installation-key.js';
import {
  type CredentialMode,
  foreignSettings,
  type ModeSettings,
  modeSettingsProblems,
  publicSettings,
} from './modes/credential-modes.js';

/** The API key of this server that is created with a credential. */
export interface KeyOfCredential {
  kind: Actor['kind'];
  role?: Role | undefined;
  expires_at?: Date | null | undefined;
}

/** A credential to create: with settings, or with an API key of this server that is created with it (spec §2.7). */
export interface NewCredential extends SharingInput {
  name: string;
  team_id?: number | undefined;
  folderId?: number | null | undefined;
  description?: string | null | undefined;
  metadata?: JsonObject | undefined;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowedHosts?: string[] | undefined;
  mode: CredentialMode;
  /** Absent with a key. */
  settings?: Partial<ModeSettings> | undefined;
  testEnabled?: boolean | undefined;
  /** With the mode `TEXT`, instead of settings. */
  key?: Usable<KeyOfCredential> | undefined;
}

/** The usable parts of a new credential. */
export type NewCredentialParts = { [Key in keyof NewCredential]?: NewCredential[Key] | undefined };

export interface NewCredentialDeps {
  database: Pick<Database, 'knex' | 'read'>;
  credentials: Pick<CredentialService, 'cipher'>;
  apiKeys: Pick<ActorKeyService, 'create' | 'check'>;
  config: Pick<Config, 'requireCredentialHosts' | 'credentialKeysAboveEditor'>;
}

const NOT_SHARED: Sharing = { readAccess: 'TEAM', teamIds: [] };

/** Returns the faults in the usable parts of a new credential. @throws NotFound and Forbidden as creating it does. */
export async function newCredentialProblems(
  actor: Actor,
  credential: NewCredentialParts,
  deps: NewCredentialDeps,
): Promise<Problem[]> {
  return (await planNew(actor, credential, deps)).problems;
}

async function planNew(actor: Actor, credential: NewCredentialParts, deps: NewCredentialDeps) {
  const { mode, settings, folderId, allowedHosts = [], key } = credential;
  const ofTeam = homeTeamProblems(actor, credential, 'manage');
  const teamId = isFaulty(credential, 'team_id') ? undefined : (credential.team_id ?? defaultTeamId(actor));
  const { ofFolder, planned } = await deps.database.read(async (session) => ({
    ofFolder: await folderProblems(actor, { folderId, teamId }, session),
    planned: await planSharing(actor.tenantId, credential, NOT_SHARED, session),
  }));
  const sealing = await attempt(() => deps.credentials.cipher());
  const problems = [
    ...ofTeam,
    ...(mode === undefined || settings === undefined
      ? []
      : [...foreignSettings(mode, settings), ...modeSettingsProblems(mode, settings)]),
    ...keyProblems(actor, { key, teamId }, deps),
    ...hostsProblems(allowedHosts, deps.config),
    ...ofFolder,
    ...planned.problems,
    ...sealing.problems,
  ];
  return { problems, sharing: planned.sharing ?? NOT_SHARED };
}

/**
 * Creates the credential and returns its id; its API key is created in the same transaction.
 * @throws Unprocessable with all problems, those that were found `earlier` too.
 */
export async function createCredential(
  actor: Actor,
  credential: NewCredential,
  deps: NewCredentialDeps,
  earlier: readonly Problem[] = [],
): Promise<number> {
  const { problems, sharing } = await planNew(actor, credential, deps);
  if (problems.length + earlier.length > 0) throw new Unprocessable([...problems, ...earlier]);
  const teamId = homeTeamId(actor, credential.team_id, 'manage');
  return retryLockConflicts(() => store(actor, { ...credential, teamId, sharing }, deps));
}

/** An actor without a team gets that problem from another check. */
function keyProblems(
  actor: Actor,
  { key, teamId }: { key: NewCredential['key']; teamId: number | undefined },
  { apiKeys, config }: Pick<NewCredentialDeps, 'apiKeys' | 'config'>,
): Problem[] {
  if (key === undefined || teamId === undefined) return [];
  return [...apiKeys.check(actor, keyOf(key, teamId), 'key.'), ...keyOfStoriesProblems(key, config)];
}

function keyOf({ expires_at: expiresAt, ...key }: Usable<KeyOfCredential>, teamId: number) {
  return { ...key, expiresAt: expiresAt ?? undefined, teamId: key.kind === 'team' ? teamId : undefined };
}

async function store(
  actor: Actor,
  credential: NewCredential & { teamId: number; sharing: Sharing },
  deps: NewCredentialDeps,
): Promise<number> {
  const { name, teamId, mode, settings = {}, key, sharing } = credential;
  const { description = null, allowedHosts = [], folderId = null, metadata, testEnabled } = credential;
  await deps.database.read((session) => requireKnownKey(session, deps.credentials.cipher()));
  const insert = async (content: string, apiKeyId: number | null, trx: Knex): Promise<number> => {
    const encryptedValue = deps.credentials.cipher().encrypt(content, { teamId, name, mode });
    const named = { teamId, name, slug: slugOf(name), mode, description, allowedHosts, folderId, metadata };
    const shown = key === undefined ? publicSettings(settings) : {};
    const row = {
      ...named,
      settings: shown,
      encryptedValue,
      apiKeyId,
      readAccess: sharing.readAccess,
      testEnabled,
    };
    const id = await insertCredential(row, trx);
    if (id === undefined) throw new NotFound('Team');
    await insertShares('credential', id, sharing.teamIds, trx);
    return id;
  };
  if (key === undefined) {
    return deps.database.knex.transaction((trx) => insert(sealedText(mode, settings), null, trx));
  }
  let id = 0;
  const made = { ...keyOf(key, teamId), kind: key.kind ?? 'team', name };
  await deps.apiKeys.create(actor, made, async (apiKey, trx) => {
    id = await insert(apiKey.key, apiKey.id, trx);
  });
  return id;
}

/**
 * Returns the faults of an API key for a credential. Everyone who edits stories of the team has the key's rights.
 * Therefore the key must not have more rights than an EDITOR of the team, unless the operator allows it (decision 0026).
 */
function keyOfStoriesProblems(
  { kind, role }: { kind?: Actor['kind'] | undefined; role?: Role | undefined },
  { credentialKeysAboveEditor }: Pick<Config, 'credentialKeysAboveEditor'>,
): Problem[] {
  if (credentialKeysAboveEditor) return [];
  if (kind === 'tenant' || kind === 'personal') return [tooStrong('key.kind', `A ${kind} key`)];
  return role === 'TEAM_ADMIN' ? [tooStrong('key.role', 'A TEAM_ADMIN key')] : [];
}

function tooStrong(details: string, key: string): Problem {
  return {
    message: `${key} cannot be stored as a credential: every editor of the team’s stories would get its permissions. Use a team key with the role EDITOR or VIEWER`,
    details,
  };
}
