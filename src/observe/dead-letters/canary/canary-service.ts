import { type Actor, canWrite, requireTeam } from '../../../api/face.js';
import type { DeadLetterRef, Dispatcher } from '../../../engine/face.js';
import { Conflict, NotFound } from '../../../platform/errors.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { Database } from '../../../platform/mysql/database.js';
import { NO_PAGE, type WalkPage, type WalkWindow } from '../../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../../platform/mysql/session.js';
import { hideInText } from '../../../platform/secrets/hidden-secrets.js';
import { visibleStory } from '../../../stories/face.js';
import { searchFor } from '../dead-letter-access.js';
import { eachBatch } from '../dead-letter-service.js';
import type { DeadLetterQuery } from '../dead-letter.js';
import { advanceCanary } from './advance-canary.js';
import { type Canary, type CanaryQuery, MOST_AT_ONCE } from './canary.js';
import { claimLetters, releaseWaiting } from './canary-letter-store.js';
import {
  countOpenOf,
  createCanary,
  findCanaries,
  listCanaryIds,
  lockCanary,
  saveStop,
} from './canary-store.js';

export interface CanaryServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  /** If absent (command line), the relay adds the jobs at its next check. */
  dispatcher?: Pick<Dispatcher, 'dispatch' | 'forgetFailed'> | undefined;
}

/** The dead letters of a retry: those of one story. */
export type CanarySelection = DeadLetterQuery & { storyId: number };

export type CanaryService = ReturnType<typeof createCanaryService>;

/** Retries that begin with few dead letters, with checks of what the actor may see and do (notes/runs.md, Canary retries). */
export function createCanaryService(deps: CanaryServiceDeps) {
  const { database } = deps;
  const find = (actor: Actor, id: number, need: 'read' | 'write') =>
    database.read((session) => visibleCanary(session, actor, { id, need }));

  return {
    /** Returns a page, newest first. @throws NotFound for a story that the actor may not see. */
    list(actor: Actor, query: CanaryQuery, window: WalkWindow): Promise<WalkPage<Canary>> {
      return database.read(async (session) => {
        if (query.storyId !== undefined) await visibleStory(actor, query.storyId, 'read', session);
        const teamIds = [...actor.roles.keys()];
        if (teamIds.length === 0) return NO_PAGE;
        const page = await listCanaryIds(session, { ...query, tenantId: actor.tenantId, teamIds }, window);
        const canaries = await findCanaries(session, actor.tenantId, page.items);
        return { ...page, items: canaries.map((canary) => shown(actor, canary)) };
      });
    },

    /** @throws NotFound for one that does not exist or that the actor may not see. */
    get: (actor: Actor, id: number): Promise<Canary> => find(actor, id, 'read'),

    /** Checks that the actor may retry the letters. @throws NotFound and Forbidden. */
    async check(actor: Actor, query: DeadLetterQuery): Promise<void> {
      await database.read((session) => searchFor(session, actor, { query, need: 'write' }));
    },

    /** Checks that the actor may stop it. @throws NotFound and Forbidden. */
    async checkStop(actor: Actor, id: number): Promise<void> {
      await find(actor, id, 'write');
    },

    /**
     * Begins to retry up to `limit` letters, oldest first, without those of cancelled runs and of retries that run.
     * @throws NotFound and Forbidden as `check`; Conflict if no letter is left, or too many retries run.
     */
    async start(actor: Actor, query: CanarySelection, limit: number): Promise<Canary> {
      const letters: DeadLetterRef[] = [];
      const { remaining: leftOut } = await eachBatch(
        { actor, query, limit, withCancelled: false, withClaimed: false },
        (some) => Promise.resolve(letters.push(...some)),
        deps,
      );
      if (letters.length === 0) throw new Conflict('No dead letter is left to retry');
      const id = await retryLockConflicts(() =>
        database.transaction((session) => claim(session, actor, { query, letters, leftOut })),
      );
      await advanceCanary(deps, id);
      return find(actor, id, 'read');
    },

    /** Leaves the letters that wait as they are; those that run end by themselves. @throws NotFound and Forbidden. */
    async stop(actor: Actor, id: number): Promise<Canary> {
      await find(actor, id, 'write');
      await retryLockConflicts(() => database.transaction((session) => stopByHand(session, actor, id)));
      await advanceCanary(deps, id);
      return find(actor, id, 'read');
    },
  };
}

interface Claim {
  query: CanarySelection;
  letters: DeadLetterRef[];
  leftOut: number;
}

async function claim(session: Session, actor: Actor, { query, letters, leftOut }: Claim): Promise<number> {
  if ((await countOpenOf(session, actor.tenantId, MOST_AT_ONCE)) >= MOST_AT_ONCE) {
    throw new Conflict(`${MOST_AT_ONCE} canary retries are already running`);
  }
  const { storyId, agentIds, errorKind } = query;
  const about = { storyId, agentId: agentIds[0], errorKind };
  const id = await createCanary(session, actor, { ...about, letters: letters.length, leftOut });
  const claimed = await claimLetters(session, id, letters);
  if (claimed === 0) throw new Conflict('These dead letters are being retried');
  return id;
}

async function stopByHand(session: Session, actor: Actor, id: number): Promise<void> {
  const canary = await lockCanary(session, id);
  if (canary === undefined || canary.hasEnded || canary.stopReason !== null) return;
  await saveStop(session, id, { reason: 'by_hand', userId: actor.userId });
  await releaseWaiting(session, id);
}

async function visibleCanary(
  session: Session,
  actor: Actor,
  { id, need }: { id: number; need: 'read' | 'write' },
): Promise<Canary> {
  const [canary] = await findCanaries(session, actor.tenantId, [id]);
  if (canary === undefined) throw new NotFound('Canary');
  requireTeam(actor, canary.teamId, need, 'Canary');
  return shown(actor, canary);
}

/** Hides links that start runs or respond to prompts from actors who may only read. */
function shown(actor: Actor, canary: Canary): Canary {
  if (canWrite(actor, canary.teamId) || canary.stopError === null) return canary;
  return { ...canary, stopError: hideInText(canary.stopError) };
}
