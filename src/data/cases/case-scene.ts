import {
  type Actor,
  type RequiredRight,
  type LiveEvents,
  requireTeam,
  redactFor,
  visibleTeamIds,
} from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import { NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import { retryConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { ActivityType, CaseView, StoredCase } from './case.js';
import { insertActivity } from './links/case-activity-store.js';
import { findCase, findCases, lockCases, updateCase } from './case-store.js';
import { loadCases } from './view/case-view-store.js';
import { queueForMentioned, queueForSubscribers } from './notifications/notification-store.js';

/** A case that is being changed; its row is locked until the transaction ends. */
export interface CaseScene {
  stored: StoredCase;
  actor: Actor;
  session: Session;
  /** Writes an activity and queues its notifications in the outbox. Returns the activity's id. */
  note(activityType: ActivityType, value: string, options?: NoteOptions): Promise<number>;
}

export interface NoteOptions {
  /** The user shown as the author of the activity. Default: the acting user. */
  userId?: number;
  /** Users that the text mentions. */
  mentions?: number[];
}

/** A case that is only read. */
export type CaseLook = Pick<CaseScene, 'stored' | 'session'>;

/** The database of cases, and who is told of what was changed; absent: nobody is. */
export type CaseDatabase = Pick<Database, 'read' | 'transaction'> & {
  liveEvents?: Pick<LiveEvents, 'add'> | undefined;
};

/**
 * Locks a case and runs `work` on it, in one transaction. Returns the result of `work`.
 * @throws NotFound if the actor cannot see the case; Forbidden if its role does not allow writing.
 */
export function changeCase<T>(
  database: CaseDatabase,
  actor: Actor,
  id: number,
  work: (scene: CaseScene) => Promise<T>,
): Promise<T> {
  return changeCases(database, actor, [id], ([scene]) => work(required(scene)));
}

/** Like `changeCase` for several cases, in the order of `ids`; all of them must exist. */
export async function changeCases<T>(
  database: CaseDatabase,
  actor: Actor,
  ids: number[],
  work: (scenes: CaseScene[]) => Promise<T>,
): Promise<T> {
  let changed: StoredCase[] = [];
  const result = await retryConflicts(() =>
    database.transaction(async (session) => {
      const locked = new Map(
        (await lockCases(ids, actor.tenantId, session)).map((stored) => [stored.id, stored]),
      );
      const scenes = ids.map((id) =>
        createCaseScene(permitted(locked.get(id), actor, 'write'), actor, session),
      );
      changed = [...locked.values()];
      return work(scenes);
    }),
  );
  for (const stored of changed) tellOfCase(database, stored);
  return result;
}

/** Tells who listens that a case was made or changed. Call it after COMMIT. */
export function tellOfCase(
  { liveEvents }: Pick<CaseDatabase, 'liveEvents'>,
  { id, tenantId, teamId }: Pick<StoredCase, 'id' | 'tenantId' | 'teamId'>,
): void {
  liveEvents?.add({ kind: 'case_changed', storyId: 0, at: Date.now(), caseId: id, of: { tenantId, teamId } });
}

/**
 * Returns the problems that `find` reports for a change of a case. Locks and writes nothing.
 * @throws NotFound and Forbidden as `changeCase`.
 */
export function checkCaseChange(
  database: CaseDatabase,
  actor: Actor,
  id: number,
  find?: (look: CaseLook) => Promise<Problem[] | void>,
): Promise<Problem[]> {
  return database.read(async (session) => {
    const stored = permitted(await findCase(id, actor.tenantId, session), actor, 'write');
    return (await find?.({ stored, session })) ?? [];
  });
}

/** Checks that all of the cases may be changed. Locks nothing. @throws NotFound and Forbidden as `changeCases`. */
export function checkCasesChange(
  database: Pick<CaseDatabase, 'read'>,
  actor: Actor,
  ids: readonly number[],
): Promise<void> {
  return database.read(async (session) => {
    const found = (await findCases(ids, session)).filter(({ tenantId }) => tenantId === actor.tenantId);
    const byId = new Map(found.map((stored) => [stored.id, stored]));
    for (const id of ids) permitted(byId.get(id), actor, 'write');
  });
}

/** Creates the scene of a case that this transaction has locked or created. */
export function createCaseScene(stored: StoredCase, actor: Actor, session: Session): CaseScene {
  return {
    stored,
    actor,
    session,
    async note(activityType, value, { userId = actor.userId, mentions = [] } = {}) {
      const caseId = stored.id;
      const activityId = await insertActivity(
        { caseId, activityType, value, userId, actingUserId: actor.userId },
        session,
      );
      // The acting user is not notified; the user shown as the author is.
      const announcement = { caseId, activityId, userId: actor.userId };
      await queueForSubscribers(announcement, session);
      if (mentions.length > 0) await queueForMentioned(announcement, mentions, session);
      await updateCase(caseId, {}, session);
      return activityId;
    },
  };
}

/** Returns the case. @throws NotFound if the actor may not read it. */
async function readableCase(actor: Actor, id: number, session: Session): Promise<StoredCase> {
  return permitted(await findCase(id, actor.tenantId, session), actor, 'read');
}

/** Returns the result of `load`, reduced to what the actor may see. @throws NotFound if the actor may not read the case. */
export function readPart<T>(
  database: Pick<CaseDatabase, 'read'>,
  actor: Actor,
  caseId: number,
  load: (look: CaseLook) => Promise<T>,
): Promise<T> {
  return database.read(async (session) => {
    const stored = await readableCase(actor, caseId, session);
    return redactFor(actor, stored.teamId, await load({ stored, session }));
  });
}

/** Loads the case as responses show it to the actor. */
export async function viewCase(actor: Actor, id: number, session: Session): Promise<CaseView> {
  const [view] = await loadCases([id], visibleTeamIds(actor), session);
  return redactCase(actor, required(view));
}

/** Reduces the case to what the actor may see. */
export function redactCase(actor: Actor, view: CaseView): CaseView {
  const linkedCases = view.linkedCases.map((linked) => redactFor(actor, linked.teamId, linked));
  return redactFor(actor, view.stored.teamId, { ...view, linkedCases });
}

function permitted(stored: StoredCase | undefined, actor: Actor, need: RequiredRight): StoredCase {
  if (stored === undefined) throw new NotFound('Case');
  requireTeam(actor, stored.teamId, need, 'Case');
  return stored;
}

function required<T>(thing: T | undefined): T {
  if (thing === undefined) throw new NotFound('Case');
  return thing;
}

/** @throws Unprocessable if a case already has the maximum number of these. */
export function requireCaseCapacity(count: number, most: number, what: string): void {
  if (count >= most) throw new Unprocessable(`A case can have at most ${most} ${what}`);
}
