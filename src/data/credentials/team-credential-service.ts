import { type Actor, requireShared, requireTeam } from '../../api/face.js';
import {
  type ActorKeyService,
  NO_VALUE_CHANGES,
  replaceShares,
  type ValueChanges,
} from '../../people/face.js';
import { Conflict, NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import type { FindMentions } from '../find-mentions.js';
import { type CredentialChange, planChange } from './credential-plan.js';
import {
  type CredentialFilter,
  type CredentialRecord,
  deleteCredential,
  findCredential,
  listCredentialNames,
  listCredentials,
  updateCredential,
} from './credential-record-store.js';
import { findSealed, lockCredential } from './credential-store.js';
import { requireKnownKey } from './keys/installation-key.js';
import {
  createCredential,
  type NewCredential,
  type NewCredentialDeps,
  type NewCredentialParts,
  newCredentialProblems,
} from './create-credential.js';
import { deleteTestValue, planTestValue, storeTestValue } from './test-value.js';
import { deleteToken } from './tokens/token-store.js';

const MOST_CREDENTIALS = 10_000;

export interface TeamCredentialDeps extends NewCredentialDeps {
  database: Pick<Database, 'knex' | 'read' | 'transaction'>;
  apiKeys: Pick<ActorKeyService, 'create' | 'check' | 'revokeWithin'>;
  valueChanges?: ValueChanges;
  findMentions: FindMentions;
}

export type TeamCredentialService = ReturnType<typeof createTeamCredentialService>;

/**
 * Credentials of teams: every member of a team that may use one sees its name, the TEAM_ADMINs of its own team manage it,
 * and no secret is ever returned (spec §2.7).
 */
export function createTeamCredentialService(deps: TeamCredentialDeps) {
  const { database, findMentions, valueChanges = NO_VALUE_CHANGES } = deps;
  const changing = async <Result>(
    { tenantId }: Actor,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> => {
    const result = await retryLockConflicts(() => database.transaction(work));
    await valueChanges.announce(tenantId);
    return result;
  };
  return {
    /** Returns a page of credentials; `isUnused`: those that no action names. */
    async list(
      actor: Actor,
      { isUnused = false, ...asked }: CredentialFilter & { isUnused?: boolean },
      window: Window,
    ): Promise<Page<CredentialRecord>> {
      if (asked.teamId !== undefined) requireTeam(actor, asked.teamId, 'read');
      const exceptIds = isUnused ? await usedCredentialIds(actor, asked, { database, findMentions }) : [];
      return database.read((session) => listCredentials(actor, { ...asked, exceptIds }, window, session));
    },

    get: (actor: Actor, id: number): Promise<CredentialRecord> =>
      database.read((session) => visibleCredential(actor, id, 'read', session)),

    /** Returns a function that gives the ids of the actions that name one of these credentials. */
    mentions: (actor: Actor, credentials: readonly CredentialRecord[]) => findMentions(actor, credentials),

    /** @throws Unprocessable that names every fault; Conflict if the team has a credential of this name. */
    async create(
      actor: Actor,
      credential: NewCredential,
      earlier: readonly Problem[] = [],
    ): Promise<CredentialRecord> {
      const id = await createCredential(actor, credential, deps, earlier).catch(nameTaken);
      await valueChanges.announce(actor.tenantId);
      return database.read((session) => visibleCredential(actor, id, 'read', session));
    },

    /** Returns the faults in the usable parts of a new credential. @throws NotFound and Forbidden as `create`. */
    checkCreate: (actor: Actor, credential: NewCredentialParts): Promise<Problem[]> =>
      newCredentialProblems(actor, credential, deps),

    /** Returns the faults in the usable parts of an update. @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, id: number, change: CredentialChange): Promise<Problem[]> =>
      database.read(async (session) => {
        const record = await visibleCredential(actor, id, 'manage', session);
        const sealed = await findSealed(id, session);
        const plan = await planFor(actor, { record, change, sealed }, deps, session);
        return [...plan.problems, ...((await planTest({ record, change }, deps, session))?.problems ?? [])];
      }),

    /** @throws Unprocessable for a new value if the credential contains an API key of this server. */
    update: (actor: Actor, id: number, change: CredentialChange): Promise<CredentialRecord> =>
      changing(actor, async (session) => {
        await visibleCredential(actor, id, 'manage', session);
        const sealed = await lockCredential(id, session);
        const record = await visibleCredential(actor, id, 'manage', session);
        const plan = await planFor(actor, { record, change, sealed }, deps, session);
        const test = await planTest({ record, change }, deps, session);
        const problems = [...plan.problems, ...(test?.problems ?? [])];
        if (problems.length > 0) throw new Unprocessable(problems);
        const isSealed = plan.columns.encryptedValue !== undefined || test !== undefined;
        if (isSealed) await requireKnownKey(session, deps.credentials.cipher());
        // Like resources: a test value that is given is meant to be used.
        const testEnabled = change.testEnabled ?? (test === undefined ? undefined : true);
        await updateCredential(id, { ...plan.columns, testEnabled }, session).catch(nameTaken);
        if (test !== undefined) await storeTestValue(record, test, sealingIn(deps, session));
        if (plan.sharing !== undefined) await replaceShares('credential', id, plan.sharing.teamIds, session);
        if (plan.columns.encryptedValue !== undefined) await deleteToken(id, session);
        return visibleCredential(actor, id, 'manage', session);
      }),

    /**
     * Deletes the credential, and revokes an API key that was created with it, because nobody else has that key.
     * @throws Forbidden, also if its key is valid and the actor may not revoke it.
     */
    delete: (actor: Actor, id: number): Promise<void> =>
      changing(actor, async (session) => {
        const record = await visibleCredential(actor, id, 'manage', session);
        const { apiKeyId } = record;
        await deleteTestValue(record, session);
        if (apiKeyId !== null) await deps.apiKeys.revokeWithin(actor, apiKeyId, session);
        const deleted = await deleteCredential(id, session);
        if (!deleted) throw new NotFound('Credential');
        await deleteToken(id, session);
      }),
  };
}

/** The part of the dependencies by which values are encrypted. */
type SealDeps = Pick<TeamCredentialDeps, 'credentials' | 'config'>;

function sealingIn({ credentials, config }: SealDeps, session: Session) {
  return { cipher: () => credentials.cipher(), config, session };
}

interface AskedChange {
  record: CredentialRecord;
  change: CredentialChange;
}

function planFor(
  actor: Actor,
  { record, change, sealed }: AskedChange & { sealed: Awaited<ReturnType<typeof findSealed>> },
  deps: SealDeps,
  session: Session,
) {
  if (sealed === undefined) throw new NotFound('Credential');
  const own = change.isTest === true ? withoutValue(change) : change;
  return planChange(actor, own, { record, sealed }, sealingIn(deps, session));
}

/** Returns the plan of the test value that a request gives; undefined if it gives none. */
async function planTest({ record, change }: AskedChange, deps: SealDeps, session: Session) {
  const { isTest = false, settings = {}, allowedHosts } = change;
  const named = [...Object.values(settings), allowedHosts].some((value) => value !== undefined);
  return isTest && named ? planTestValue(record, change, sealingIn(deps, session)) : undefined;
}

/** Returns the credential if the actor has this right. @throws NotFound, Forbidden */
export async function visibleCredential(
  actor: Actor,
  id: number,
  need: 'read' | 'manage',
  session: Session,
): Promise<CredentialRecord> {
  const credential = await findCredential(id, session);
  if (credential === undefined || credential.liveId !== null) throw new NotFound('Credential');
  const sharedTeamIds = credential.sharedTeams.map((team) => team.id);
  requireShared(actor, { ...credential, sharedTeamIds }, need, 'Credential');
  return credential;
}

/** Returns what a request changes besides the test value. */
function withoutValue(change: CredentialChange): CredentialChange {
  return { ...change, settings: undefined, allowedHosts: undefined, mode: undefined };
}

function nameTaken(error: unknown): never {
  if (!isDuplicateKey(error)) throw error;
  throw new Conflict([{ message: 'The team already has a credential with this name', details: 'name' }]);
}

/** Returns the ids of the credentials that an action of a team that the actor may see names. */
async function usedCredentialIds(
  actor: Actor,
  filter: CredentialFilter,
  { database, findMentions }: { database: Pick<Database, 'read'>; findMentions: FindMentions },
): Promise<number[]> {
  const all = await database.read((session) =>
    listCredentialNames(actor, filter, MOST_CREDENTIALS + 1, session),
  );
  if (all.length > MOST_CREDENTIALS) {
    throw new Unprocessable(
      `More than ${MOST_CREDENTIALS} credentials would have to be searched: specify a team`,
    );
  }
  const mentioned = await findMentions(actor, all);
  return all.filter((credential) => mentioned(credential).length > 0).map(({ id }) => id);
}
