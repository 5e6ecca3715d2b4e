import { type Actor, requireTeam } from '../../api/face.js';
import { Conflict, NotFound } from '../../platform/errors.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Database } from '../../platform/mysql/database.js';
import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import type { WalkPage, WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { storyOrDraft } from '../../stories/face.js';
import { listRuns, type ListedRunFilter } from './listed-run-store.js';
import {
  MOST_SHADOWS,
  MOST_SHADOWS_OF_ALL,
  type Shadow,
  type ShadowDifference,
  type ShadowKind,
  type ShadowRun,
} from './shadow.js';
import { isSeen, listDifferences } from './shadow-difference-store.js';
import {
  countAllOpenShadows,
  countOpenShadows,
  createShadow,
  expireOldShadows,
  findShadows,
  listShadowIds,
  type NewShadow,
  placeBefore,
  stopShadow,
} from './shadow-store.js';

/** A draft below its story. */
export interface ShadowedDraft {
  storyId: number;
  draftId: number;
}

/** A shadow as it is asked for. */
export interface RequestedShadow extends Pick<NewShadow, 'most' | 'percent' | 'hours'> {
  kind: ShadowKind;
}

export type ShadowService = ReturnType<typeof createShadowService>;

/** Shadows of drafts, with checks of what the actor may see and do (notes/runs.md, Shadows). */
export function createShadowService({ database }: { database: Pick<Database, 'read' | 'transaction'> }) {
  const change = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
    retryLockConflicts(() => database.transaction(work));

  return {
    /** Returns a page of the draft's shadows, newest first. @throws NotFound for a draft that the actor may not see. */
    list: (actor: Actor, draft: ShadowedDraft, window: WalkWindow): Promise<WalkPage<Shadow>> =>
      database.read(async (session) => {
        await knownDraft(actor, draft, 'read', session);
        const page = await listShadowIds(session, draft.draftId, window);
        return { ...page, items: await findShadows(session, draft.draftId, page.items) };
      }),

    /** @throws NotFound for one that does not exist or that the actor may not see. */
    get: (actor: Actor, draft: ShadowedDraft, id: number): Promise<Shadow> =>
      database.read((session) => knownShadow(actor, draft, { id, need: 'read' }, session)),

    /** Returns a page of the groups of differences, those of most runs first. @throws as `get`. */
    differences: (
      actor: Actor,
      draft: ShadowedDraft,
      { id, window }: { id: number; window: Window },
    ): Promise<Page<ShadowDifference>> =>
      database.read(async (session) => {
        await knownShadow(actor, draft, { id, need: 'read' }, session);
        return listDifferences(session, seenBy(actor, id), window);
      }),

    /**
     * Returns a page of the runs that differ or were not compared, newest first. @throws as `get`, and NotFound for a group that the actor may
     * not see.
     */
    runs: (
      actor: Actor,
      draft: ShadowedDraft,
      { id, window, ...filter }: { id: number; window: WalkWindow } & Omit<ListedRunFilter, 'shadowId'>,
    ): Promise<WalkPage<ShadowRun>> =>
      database.read(async (session) => {
        await knownShadow(actor, draft, { id, need: 'read' }, session);
        const { differenceId } = filter;
        if (differenceId !== undefined && !(await isSeen(session, seenBy(actor, id), differenceId)))
          throw new NotFound('Difference');
        return listRuns(session, { shadowId: id, ...filter }, window);
      }),

    /** @throws NotFound or Forbidden for a draft that the actor may not change. */
    async check(actor: Actor, draft: ShadowedDraft): Promise<void> {
      await database.read((session) => knownDraft(actor, draft, 'write', session));
    },

    /** @throws as `check`, and NotFound for a shadow that does not exist. */
    async checkStop(actor: Actor, draft: ShadowedDraft, id: number): Promise<void> {
      await database.read((session) => knownShadow(actor, draft, { id, need: 'write' }, session));
    },

    /** Begins one. @throws as `check`; Conflict if one of the draft goes on, or too many of the tenant do. */
    async start(actor: Actor, draft: ShadowedDraft, wanted: RequestedShadow): Promise<Shadow> {
      const id = await change((session) => begin(actor, { ...draft, ...wanted }, session)).catch(
        (error: unknown) => {
          throw isDuplicateKey(error) ? new Conflict('A shadow of this draft is running already') : error;
        },
      );
      return database.read((session) => knownShadow(actor, draft, { id, need: 'read' }, session));
    },

    /** Ends it; what it found stays. @throws as `checkStop`. */
    stop: (actor: Actor, draft: ShadowedDraft, id: number): Promise<Shadow> =>
      change(async (session) => {
        await knownShadow(actor, draft, { id, need: 'write' }, session);
        await stopShadow(session, id, { reason: 'by_hand', userId: actor.userId });
        return knownShadow(actor, draft, { id, need: 'read' }, session);
      }),
  };
}

async function begin(
  actor: Actor,
  { storyId, draftId, ...wanted }: ShadowedDraft & RequestedShadow,
  session: Session,
): Promise<number> {
  const { version: draftVersion } = await knownDraft(actor, { storyId, draftId }, 'write', session);
  if ((await countOpenShadows(session, actor.tenantId, MOST_SHADOWS)) >= MOST_SHADOWS)
    throw new Conflict(`${MOST_SHADOWS} shadows are already running`);
  if ((await countAllOpenShadows(session)) >= MOST_SHADOWS_OF_ALL)
    throw new Conflict('Too many shadows are running on this server; try again later');
  await expireOldShadows(session, draftId);
  const from =
    wanted.kind === 'last' ? ((await placeBefore(session, storyId, wanted.most)) ?? THE_FIRST) : undefined;
  return createShadow(session, actor, { storyId, draftId, draftVersion, ...wanted, from });
}

const seenBy = ({ roles }: Actor, shadowId: number) => ({ shadowId, teamIds: [...roles.keys()] });

/** The place before all runs. */
const THE_FIRST = { at: new Date('2000-01-01T00:00:00Z'), id: 0 };

async function knownDraft(
  actor: Actor,
  { storyId, draftId }: ShadowedDraft,
  need: 'read' | 'write',
  session: Session,
) {
  if (draftId === storyId) throw new NotFound('Draft');
  return storyOrDraft(actor, { storyId, draftId }, need, session);
}

async function knownShadow(
  actor: Actor,
  draft: ShadowedDraft,
  { id, need }: { id: number; need: 'read' | 'write' },
  session: Session,
): Promise<Shadow> {
  const { teamId } = await knownDraft(actor, draft, 'read', session);
  const [shadow] = await findShadows(session, draft.draftId, [id]);
  if (shadow === undefined) throw new NotFound('Shadow');
  requireTeam(actor, teamId, need, 'Shadow');
  return shadow;
}
