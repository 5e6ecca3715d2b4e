import type { Knex } from 'knex';
import { homeTeamId, requireTeam, visibleTeamIds } from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import type { Config } from '../config/config.js';
import type { Database } from '../platform/mysql/database.js';
import { isDuplicateKey } from '../platform/mysql/db-errors.js';
import type { Page, Window } from '../platform/mysql/page-query.js';
import { retryLockConflicts } from '../platform/mysql/retry-conflicts.js';
import type { Session } from '../platform/mysql/session.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../platform/errors.js';
import { attempt } from '../platform/validation/validate.js';
import { slugOf } from '../platform/text/slug.js';
import type { ActorKeyService } from '../access/tenants/actor-key-service.js';
import type { Usable } from '../platform/validation/partial-input.js';
import { hostsMissing } from './allowed-hosts-field.js';
import { type KeyOfCredential, keyOfStoriesProblems } from './connect-key-rules.js';
import type { CredentialService } from './credential-service.js';
import {
  type CredentialRecord,
  deleteCredential,
  findCredential,
  insertCredential,
  listCredentials,
  lockCredential,
  updateCredential,
} from './credential-store.js';

/** A new credential: with a value, or with an API key of this server that is created with it. */
export interface CredentialRequest {
  name: string;
  teamId?: number | undefined;
  description?: string | null | undefined;
  /** Patterns of the hosts it may be sent to; empty: any host. */
  allowedHosts?: string[] | undefined;
  content: { value: string } | { key: KeyOfCredential };
}

export interface CredentialChange {
  name?: string | undefined;
  value?: string | undefined;
  description?: string | null | undefined;
  /** Replaces its hosts; empty: any host. */
  allowedHosts?: string[] | undefined;
}

export interface TeamCredentialDeps {
  database: Pick<Database, 'knex' | 'read' | 'transaction'>;
  credentials: Pick<CredentialService, 'cipher'>;
  apiKeys: Pick<ActorKeyService, 'create' | 'check' | 'revokeWithin'>;
  config: Pick<Config, 'requireCredentialHosts' | 'credentialKeysAboveEditor'>;
}

export type TeamCredentialService = ReturnType<typeof createTeamCredentialService>;

/**
 * Credentials of teams: every member of the team sees their names, its TEAM_ADMINs manage them, and no value is
 * ever returned (spec §2.7).
 */
export function createTeamCredentialService(deps: TeamCredentialDeps) {
  const { database } = deps;
  return {
    async list(actor: Actor, teamId: number | undefined, window: Window): Promise<Page<CredentialRecord>> {
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      const teamIds = teamId === undefined ? visibleTeamIds(actor) : [teamId];
      return database.read((session) => listCredentials(teamIds, window, session));
    },

    get: (actor: Actor, id: number): Promise<CredentialRecord> =>
      database.read((session) => visibleCredential(actor, id, 'read', session)),

    /** @throws Conflict if the team has a credential of this name. */
    async create(actor: Actor, request: CredentialRequest): Promise<CredentialRecord> {
      const problems = contentProblems(request, deps);
      if (problems.length > 0) throw new Unprocessable(problems);
      const teamId = homeTeamId(actor, request.teamId, 'manage');
      const id = await retryLockConflicts(() => store(actor, { ...request, teamId }, deps)).catch(nameTaken);
      return database.read((session) => visibleCredential(actor, id, 'read', session));
    },

    /**
     * Returns the faults of a new credential outside its fields: those of its API key, and a missing ENCRYPTION_KEY of
     * this server. @throws NotFound and Forbidden as `create`.
     */
    async checkCreate(actor: Actor, { teamId, key, allowedHosts }: WantedCredential): Promise<Problem[]> {
      const sealing = await attempt(() => deps.credentials.cipher());
      const others = [...hostsProblems(allowedHosts ?? [], deps), ...sealing.problems];
      // An actor without a team gets that problem from another check.
      if (key === undefined || teamId === undefined) return others;
      const wanted = { ...key, teamId: key.kind === 'team' ? teamId : undefined };
      const ofKey = deps.apiKeys.check(actor, wanted, 'key.');
      return [...ofKey, ...keyOfStoriesProblems(key, deps.config), ...others];
    },

    /** Returns the faults in the usable parts of an update. @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, id: number, change: Usable<CredentialChange>): Promise<Problem[]> =>
      database.read(async (session) =>
        changeProblems(change, await visibleCredential(actor, id, 'manage', session), deps),
      ),

    /** @throws Unprocessable for a new value if the credential contains an API key of this server. */
    async update(actor: Actor, id: number, change: CredentialChange): Promise<CredentialRecord> {
      return retryLockConflicts(() =>
        database.transaction(async (session) => {
          await visibleCredential(actor, id, 'manage', session);
          await applyChange(id, change, deps, session).catch(nameTaken);
          return visibleCredential(actor, id, 'manage', session);
        }),
      );
    },

    /**
     * Deletes the credential, and revokes an API key that was created with it, because nobody else has that key.
     * @throws Forbidden, also if its key is valid and the actor may not revoke it.
     */
    delete: (actor: Actor, id: number): Promise<void> =>
      retryLockConflicts(() =>
        database.transaction(async (session) => {
          const { apiKeyId } = await visibleCredential(actor, id, 'manage', session);
          if (apiKeyId !== null) await deps.apiKeys.revokeWithin(actor, apiKeyId, session);
          const deleted = await deleteCredential(id, session);
          if (!deleted) throw new NotFound('Credential');
        }),
      ),
  };
}

/** The usable parts of a new credential. */
interface WantedCredential {
  teamId: number | undefined;
  key: Usable<KeyOfCredential> | undefined;
  allowedHosts?: string[] | undefined;
}

type Rules = Pick<TeamCredentialDeps, 'config'>;

function contentProblems({ content, allowedHosts = [] }: CredentialRequest, deps: Rules): Problem[] {
  const ofKey = 'key' in content ? keyOfStoriesProblems(content.key, deps.config) : [];
  return [...ofKey, ...hostsProblems(allowedHosts, deps)];
}

function hostsProblems(hosts: readonly string[], { config }: Rules): Problem[] {
  return config.requireCredentialHosts && hosts.length === 0 ? [hostsMissing()] : [];
}

async function visibleCredential(
  actor: Actor,
  id: number,
  need: 'read' | 'manage',
  session: Session,
): Promise<CredentialRecord> {
  const credential = await findCredential(id, session);
  if (credential === undefined) throw new NotFound('Credential');
  requireTeam(actor, credential.teamId, need, 'Credential');
  return credential;
}

type Placed = CredentialRequest & { teamId: number };

/** Stores the credential; its API key is created in the same transaction. */
async function store(actor: Actor, request: Placed, deps: TeamCredentialDeps): Promise<number> {
  const { content, name, teamId } = request;
  const seal = (value: string) => deps.credentials.cipher().encrypt(value, { teamId, name });
  const insert = async (value: string, apiKeyId: number | null, trx: Knex): Promise<number> => {
    const { description = null, allowedHosts = [] } = request;
    const named = { teamId, name, slug: slugOf(name), description, allowedHosts };
    const row = { ...named, encryptedValue: seal(value), apiKeyId };
    const id = await insertCredential(row, trx);
    if (id === undefined) throw new NotFound('Team');
    return id;
  };
  if ('value' in content) {
    const { value } = content;
    return deps.database.knex.transaction((trx) => insert(value, null, trx));
  }
  let id = 0;
  const { key } = content;
  const wanted = { ...key, name, teamId: key.kind === 'team' ? teamId : undefined };
  await deps.apiKeys.create(actor, wanted, async (made, trx) => {
    id = await insert(made.key, made.id, trx);
  });
  return id;
}

function valueProblems({ value }: Usable<CredentialChange>, { apiKeyId }: CredentialRecord): Problem[] {
  if (value === undefined || apiKeyId === null) return [];
  const message = '"value" cannot be given: the credential holds an API key of this server';
  return [{ message, details: 'value' }];
}

function changeProblems(change: Usable<CredentialChange>, record: CredentialRecord, deps: Rules): Problem[] {
  const hosts = (change.allowedHosts ?? record.allowedHosts) as string[];
  return [...valueProblems(change, record), ...hostsProblems(hosts, deps)];
}

/** The encrypted value is bound to the name, so a new name needs a new encryption. */
async function applyChange(
  id: number,
  change: CredentialChange,
  deps: TeamCredentialDeps,
  session: Session,
): Promise<void> {
  const sealed = await lockCredential(id, session);
  const record = await findCredential(id, session);
  if (sealed === undefined || record === undefined) throw new NotFound('Credential');
  const problems = changeProblems(change, record, deps);
  if (problems.length > 0) throw new Unprocessable(problems);
  const { name = record.name, description, allowedHosts } = change;
  const cipher = deps.credentials.cipher;
  const resealed = change.value !== undefined || name !== record.name;
  const value = () => change.value ?? cipher().decrypt(sealed.encryptedValue, sealed);
  await updateCredential(
    id,
    {
      ...(name !== record.name && { name, slug: slugOf(name) }),
      ...(description !== undefined && { description }),
      ...(allowedHosts !== undefined && { allowedHosts }),
      ...(resealed && { encryptedValue: cipher().encrypt(value(), { teamId: record.teamId, name }) }),
    },
    session,
  );
}

function nameTaken(error: unknown): never {
  if (!isDuplicateKey(error)) throw error;
  throw new Conflict([{ message: 'The team has a credential of this name already', details: 'name' }]);
}
