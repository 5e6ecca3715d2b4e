import { requireTeam, visibleTeamIds } from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import type { Database } from '../platform/mysql/database.js';
import { isDuplicateKey } from '../platform/mysql/db-errors.js';
import type { Page, Window } from '../platform/mysql/page-query.js';
import { retryLockConflicts } from '../platform/mysql/retry-conflicts.js';
import type { Session } from '../platform/mysql/session.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../platform/errors.js';
import { slugOf } from '../platform/text/slug.js';
import type { ActorKeyService } from '../access/tenants/actor-key-service.js';
import type { Usable } from '../platform/validation/partial-input.js';
import { hostsProblems } from './allowed-hosts-field.js';
import {
  type CredentialRecord,
  deleteCredential,
  findCredential,
  listCredentials,
  lockCredential,
  updateCredential,
} from './credential-store.js';
import {
  createCredential,
  type NewCredential,
  type NewCredentialDeps,
  newCredentialProblems,
} from './new-credential.js';

export interface CredentialChange {
  name?: string | undefined;
  value?: string | undefined;
  description?: string | null | undefined;
  /** Replaces its hosts; empty: any host. */
  allowedHosts?: string[] | undefined;
}

export interface TeamCredentialDeps extends NewCredentialDeps {
  database: Pick<Database, 'knex' | 'read' | 'transaction'>;
  apiKeys: Pick<ActorKeyService, 'create' | 'check' | 'revokeWithin'>;
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

    /** @throws Unprocessable that names every fault; Conflict if the team has a credential of this name. */
    async create(actor: Actor, credential: NewCredential): Promise<CredentialRecord> {
      const id = await createCredential(actor, credential, deps).catch(nameTaken);
      return database.read((session) => visibleCredential(actor, id, 'read', session));
    },

    /** Returns the faults in the usable parts of a new credential. @throws NotFound and Forbidden as `create`. */
    checkCreate: (actor: Actor, credential: Usable<NewCredential>): Promise<Problem[]> =>
      newCredentialProblems(actor, credential, deps),

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

function valueProblems({ value }: Usable<CredentialChange>, { apiKeyId }: CredentialRecord): Problem[] {
  if (value === undefined || apiKeyId === null) return [];
  const message = '"value" cannot be given: the credential holds an API key of this server';
  return [{ message, details: 'value' }];
}

function changeProblems(
  change: Usable<CredentialChange>,
  record: CredentialRecord,
  { config }: Pick<TeamCredentialDeps, 'config'>,
): Problem[] {
  const hosts = (change.allowedHosts ?? record.allowedHosts) as string[];
  return [...valueProblems(change, record), ...hostsProblems(hosts, config)];
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
