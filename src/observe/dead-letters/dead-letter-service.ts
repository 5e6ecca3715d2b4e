import { type Actor, canWrite } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { NO_PAGE, type WalkPage, type WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { Conflict, NotFound } from '../../platform/errors.js';
import {
  asDeadLetter,
  deleteDeadLetters,
  type Dispatcher,
  GRACE_SECONDS,
  type DeadLetterRef,
  reviveDeadLetters,
} from '../../engine/face.js';
import { hideInText } from '../../platform/secrets/hidden-secrets.js';
import { searchFor, visibleDeadLetter } from './dead-letter-access.js';
import type { Within } from './dead-letter-search-store.js';
import {
  beginWalk,
  countLeft,
  findDeadLetters,
  listDeadLetterIds,
  nextDeadLetters,
} from './dead-letter-list-store.js';
import { newestAttemptIds } from '../attempts/attempt-store.js';
import { viewAttempts } from '../attempts/attempt-views.js';
import {
  type DeadLetter,
  type DeadLetterDetails,
  type DeadLetterQuery,
  MOST_ATTEMPTS,
  type NamedDeadLetter,
} from './dead-letter.js';
import { findFirstEventIds } from '../subjects/run-subject-store.js';
import type { RunSubjects } from '../subjects/run-subjects.js';
import { type DeadLetterGroups, HOURS } from './groups/dead-letter-group.js';
import { countErrors, countHours } from './groups/dead-letter-group-store.js';
import { groupByKind, keyOf, trendsOf } from './groups/dead-letter-grouping.js';

/** Rows of one transaction: small transactions do not block the engine. */
const BATCH = 500;

export interface DeadLetterServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  /** If absent (command line), the relay adds the jobs at its next check. */
  dispatcher?: Pick<Dispatcher, 'dispatch' | 'forgetFailed'> | undefined;
  /** Absent: subjects of runs are not told (command line). */
  subjects?: RunSubjects | undefined;
}

const NO_TREND = Array.from({ length: HOURS }, () => 0);

/** The result of an operation on many dead letters. */
export interface ManyDone {
  done: number;
  /** Number of letters beyond the limit of one request; counted up to 100,000. */
  remaining: number;
}

export type DeadLetterService = ReturnType<typeof createDeadLetterService>;

/** Dead letters, with checks of what the actor may see, retry and drop (spec §2.2 and §5.10). */
export function createDeadLetterService(deps: DeadLetterServiceDeps) {
  const { database } = deps;
  const named = async (session: Session, letters: DeadLetter[]): Promise<NamedDeadLetter[]> => {
    if (deps.subjects === undefined) return letters.map((letter) => ({ ...letter, subject: null }));
    const guids = [...new Set(letters.map(({ storyRunGuid }) => storyRunGuid))];
    const firsts = await findFirstEventIds(session, guids);
    const runs = letters.map((letter) => {
      const { storyRunGuid: guid } = letter;
      return { ...letter, guid, firstEventId: firsts.get(guid) ?? null };
    });
    return deps.subjects.of(session, runs);
  };
  const read = async (session: Session, actor: Actor, id: number): Promise<NamedDeadLetter> => {
    const letters = await named(session, await findDeadLetters(session, [id]));
    return shown(actor, found(letters));
  };
  const get = async (actor: Actor, id: number, need: 'read' | 'write'): Promise<NamedDeadLetter> =>
    database.read(async (session) => {
      await visibleDeadLetter(session, actor, { id, need });
      return read(session, actor, id);
    });

  return {
    /** Returns a page, newest first. @throws NotFound for a team, a story or an action that the actor may not see. */
    list(actor: Actor, query: DeadLetterQuery, window: WalkWindow): Promise<WalkPage<NamedDeadLetter>> {
      return database.read(async (session) => {
        const search = await searchFor(session, actor, { query, need: 'read' });
        if (search === undefined) return NO_PAGE;
        const page = await listDeadLetterIds(session, search, window);
        const letters = await named(session, await findDeadLetters(session, page.items));
        return { ...page, items: letters.map((letter) => shown(actor, letter)) };
      });
    },

    /**
     * Returns the dead letters by action and kind of error, of `most` groups those with the last failure. `within` bounds what
     * is read.
     * @throws as `list`.
     */
    groups(
      actor: Actor,
      query: DeadLetterQuery,
      { within, most }: { within?: Within; most?: number } = {},
    ): Promise<DeadLetterGroups> {
      return database.read(async (session) => {
        const search = await searchFor(session, actor, { query, need: 'read' });
        if (search === undefined) return { groups: [], complete: true };
        const { counts, complete } = await countErrors(session, search, within);
        const all = await groupByKind(actor, counts);
        const groups = all.slice(0, most);
        const trends = await trendsOf(actor, await countHours(session, search, within));
        const letters = await findDeadLetters(
          session,
          groups.map(({ newestId }) => newestId),
        );
        const newest = new Map(letters.map((letter) => [letter.id, shown(actor, letter)]));
        const watched = groups.map((group) => ({
          ...group,
          newest: newest.get(group.newestId),
          trend: trends.get(keyOf(group)) ?? NO_TREND,
        }));
        return { groups: watched, complete: complete && groups.length === all.length };
      });
    },

    /** Returns the letter with its newest attempts. @throws as `get`. */
    details(actor: Actor, id: number): Promise<DeadLetterDetails> {
      return database.read(async (session) => {
        const { teamId } = await visibleDeadLetter(session, actor, { id, need: 'read' });
        const letter = await read(session, actor, id);
        const ids = await newestAttemptIds(session, { deliveryId: id, limit: MOST_ATTEMPTS });
        return { letter, attempts: await viewAttempts(session, ids, { actor, teamId }) };
      });
    },

    /** @throws NotFound for one that does not exist or that the actor may not see. */
    get: (actor: Actor, id: number): Promise<NamedDeadLetter> => get(actor, id, 'read'),

    /**
     * Retries the letter as if it had never been attempted. Returns its previous state with the new count of retries.
     * @throws NotFound and Forbidden; NotFound too if another request was faster; Conflict if its run was cancelled.
     */
    async retry(actor: Actor, id: number): Promise<NamedDeadLetter> {
      const letter = await get(actor, id, 'write');
      const ref = await database.read((session) => visibleDeadLetter(session, actor, { id, need: 'write' }));
      if (ref.runCancelled) throw new Conflict('The run was cancelled');
      if ((await retryLetters([ref], deps)) === 0) throw new NotFound('Dead letter');
      return { ...letter, retries: letter.retries + 1 };
    },

    /** @throws NotFound and Forbidden. */
    async drop(actor: Actor, id: number): Promise<void> {
      const ref = await database.read((session) => visibleDeadLetter(session, actor, { id, need: 'write' }));
      if ((await dropLetters([ref], deps)) === 0) throw new NotFound('Dead letter');
    },

    /** Checks that the actor may drop the letter. @throws NotFound and Forbidden. */
    async checkDrop(actor: Actor, id: number): Promise<void> {
      await database.read((session) => visibleDeadLetter(session, actor, { id, need: 'write' }));
    },

    /** Checks that the actor may change everything that the query names. @throws NotFound and Forbidden. */
    async checkSelection(actor: Actor, query: DeadLetterQuery): Promise<void> {
      await database.read((session) => searchFor(session, actor, { query, need: 'write' }));
    },

    /**
     * Retries up to `limit` letters, oldest first, without those of cancelled runs. Each is retried once, even if it fails
     * again meanwhile. @throws NotFound and Forbidden as `checkSelection`.
     */
    retryMany: (actor: Actor, query: DeadLetterQuery, limit: number): Promise<ManyDone> =>
      eachBatch(
        { actor, query, limit, withCancelled: false },
        (letters) => retryLetters(letters, deps),
        deps,
      ),

    /** Deletes up to `limit` letters, oldest first. @throws NotFound and Forbidden as `checkSelection`. */
    dropMany: (actor: Actor, query: DeadLetterQuery, limit: number): Promise<ManyDone> =>
      eachBatch({ actor, query, limit, withCancelled: true }, (letters) => dropLetters(letters, deps), deps),
  };
}

/** Hides links that start runs or respond to prompts from actors who may only read. */
function shown<Letter extends DeadLetter>(actor: Actor, letter: Letter): Letter {
  if (canWrite(actor, letter.teamId) || letter.error === null) return letter;
  return { ...letter, error: hideInText(letter.error) };
}

function found([letter]: NamedDeadLetter[]): NamedDeadLetter {
  if (letter === undefined) throw new NotFound('Dead letter');
  return letter;
}

async function retryLetters(letters: DeadLetterRef[], deps: DeadLetterServiceDeps): Promise<number> {
  const grace = deps.dispatcher === undefined ? 0 : GRACE_SECONDS;
  const revived = await inTransaction(deps, (session) => reviveDeadLetters(session, letters, grace));
  const jobs = revived.map(({ id, ...job }) => ({ ...job, deliveryId: id }));
  deps.dispatcher?.dispatch(jobs);
  deps.dispatcher?.forgetFailed(jobs.map(asDeadLetter));
  return revived.length;
}

async function dropLetters(letters: DeadLetterRef[], deps: DeadLetterServiceDeps): Promise<number> {
  const dropped = await inTransaction(deps, (session) => deleteDeadLetters(session, letters));
  deps.dispatcher?.forgetFailed(letters.map(({ id, ...letter }) => ({ ...letter, deliveryId: id })));
  return dropped;
}

function inTransaction<T>(
  { database }: DeadLetterServiceDeps,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return retryLockConflicts(() => database.transaction(work));
}

/** The letters of an operation, and who asks for it. */
export interface Selection {
  actor: Actor;
  query: DeadLetterQuery;
  limit: number;
  withCancelled: boolean;
  withClaimed?: boolean;
}

/**
 * Processes the matching letters in batches, oldest first; reading them locks nothing.
 * @throws NotFound and Forbidden as `checkSelection`.
 */
export async function eachBatch(
  { actor, query, limit, withCancelled, withClaimed }: Selection,
  work: (letters: DeadLetterRef[]) => Promise<number>,
  { database }: { database: Pick<Database, 'read'> },
): Promise<ManyDone> {
  const search = await database.read((session) => searchFor(session, actor, { query, need: 'write' }));
  if (search === undefined) return { done: 0, remaining: 0 };
  let walk = await database.read(beginWalk);
  for (let done = 0, seen = 0; ; ) {
    const size = Math.min(BATCH, limit - seen);
    const page = { walk, limit: size, withCancelled, withClaimed };
    if (size === 0) return { done, remaining: await database.read((s) => countLeft(s, search, page)) };
    const next = await database.read((session) => nextDeadLetters(session, search, page));
    done += next.letters.length === 0 ? 0 : await work(next.letters);
    seen += next.letters.length;
    if (next.letters.length < size) return { done, remaining: 0 };
    walk = next.walk;
  }
}
