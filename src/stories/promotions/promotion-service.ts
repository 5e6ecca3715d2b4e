import { type Actor, canWrite, visibleTeamIds } from '../../api/face.js';
import type { CountQuota, TenantQuotas } from '../../people/face.js';
import { Conflict, Forbidden, NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import { retryConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { WalkPage, WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../platform/mysql/session.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { createStoryEditor } from '../edit/story-editor.js';
import { forgetStory } from '../story/forget-story.js';
import { visibleStory } from '../story/visible-story.js';
import type { SnapshotReader } from '../versions/snapshot-reader.js';
import { type Bundle, makeBundle } from './bundle/make-bundle.js';
import { planPromotion, type PromotionPlan } from './plan/plan-promotion.js';
import { createPromotionMerger } from './plan/promotion-merger.js';
import { refusalOf } from './plan/promotion-refusal.js';
import {
  findPromotion,
  findPromotionStories,
  listPromotions,
  type PromotionRecord,
  type PromotionScope,
  type PromotionStoryRecord,
} from './promotion-store.js';
import type { PromotionOrder, ReadPromotion } from './plan/read-promotion.js';
import { type RevertOrder, revertPromotion } from './write/revert-promotion.js';
import { findWebhookPaths, type StoredWebhook } from './target-store.js';
import { planRevert } from './write/plan-revert.js';
import { preparePromotion, TargetMoved, writePromotion } from './write/write-promotion.js';

/** A promotion with its stories. */
export interface PromotionView {
  promotion: PromotionRecord;
  stories: PromotionStoryRecord[];
  /** The webhooks that its stories have now. */
  webhooks: StoredWebhook[];
  /** What was not done as asked; empty if there is nothing to say. */
  warnings: string[];
}

export interface PromotionServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
  countQuota: CountQuota;
  threads: Pick<ThreadPool, 'run'>;
  quotas: Pick<TenantQuotas, 'requireArrival'>;
  read: SnapshotReader;
}

export type PromotionService = ReturnType<typeof createPromotionService>;

const MOST_TRIES = 5;

/** Brings stories of one tenant into another (decision 0111). */
export function createPromotionService({
  database,
  changes,
  countQuota,
  threads,
  quotas,
  read,
}: PromotionServiceDeps) {
  const editor = createStoryEditor({ database, changes });
  const merger = createPromotionMerger(threads);

  const plan = (actor: Actor, order: PromotionOrder): Promise<PromotionPlan> => {
    quotas.requireArrival(actor.tenantId);
    return planPromotion(actor, order, { database, merger });
  };

  const view = async (actor: Actor, id: number, warnings: string[] = []): Promise<PromotionView> =>
    database.read(async (session) => {
      const promotion = await visiblePromotion(actor, id, session);
      const stories = await findPromotionStories([id], session);
      const ids = stories.map(({ storyId }) => storyId);
      return { promotion, stories, webhooks: await findWebhookPaths(ids, session), warnings };
    });

  /** Plans and writes; does both again if the tenant was changed in between. */
  const write = async (actor: Actor, order: PromotionOrder) => {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const planned = await plan(actor, order);
      const refusal = refusalOf(planned);
      if (refusal !== undefined) throw refusal;
      const prepared = await preparePromotion(planned);
      try {
        return await retryConflicts(() =>
          editor.together(actor, (session, change) =>
            writePromotion(actor, prepared, { session, change, countQuota }),
          ),
        );
      } catch (error) {
        if (!(error instanceof TargetMoved)) throw error;
      }
    }
    throw new Conflict('Other changes to the stories keep conflicting with this one; try again');
  };

  return {
    /** @throws as `makeBundle`. */
    bundle(actor: Actor, asked: { ids: readonly number[]; withCalled: boolean }): Promise<Bundle> {
      quotas.requireArrival(actor.tenantId);
      return makeBundle(actor, asked, { database, threads });
    },

    /** @throws NotFound as `bundle`, for the valid ids of a body. */
    checkBundle: (actor: Actor, ids: readonly (number | undefined)[]): Promise<void> =>
      database.read(async (session) => {
        for (const id of ids) if (id !== undefined) await visibleStory(actor, id, 'read', session);
      }),

    /** Returns what a promotion would do. @throws Unprocessable for an invalid body; Forbidden; QuotaReached. */
    check: async (actor: Actor, body: ReadPromotion): Promise<PromotionPlan> =>
      plan(actor, orderIn(actor, body)),

    /** Returns the problems of a body. @throws Forbidden for an actor who may change no story. */
    checkBody(actor: Actor, { problems }: ReadPromotion): Problem[] {
      requireWriter(actor);
      return problems;
    },

    /**
     * Writes all stories, or none.
     * @throws as `check`; Unprocessable, Conflict or PreconditionFailed naming all that stands in the way.
     */
    async promote(actor: Actor, body: ReadPromotion): Promise<PromotionView> {
      const { id, newIds, warnings } = await write(actor, orderIn(actor, body));
      for (const storyId of newIds) await changes.announce(storyId);
      return view(actor, id, warnings);
    },

    /** Returns a page of the promotions into teams that the actor sees. */
    list: (actor: Actor, window: WalkWindow): Promise<WalkPage<PromotionRecord>> =>
      database.read((session) => listPromotions(scopeOf(actor), window, session)),

    /** @throws NotFound for a promotion into a team that the actor does not see. */
    get: (actor: Actor, id: number): Promise<PromotionView> => view(actor, id),

    /** @throws NotFound; Forbidden for an actor who may not change the stories of its teams. */
    checkRevert: (actor: Actor, id: number): Promise<void> =>
      database.read(async (session) => {
        await revertible(actor, id, session);
      }),

    /** Takes a promotion back, whole or not at all. @throws as `checkRevert` and `revertPromotion`. */
    async revert(actor: Actor, id: number, order: RevertOrder): Promise<PromotionView> {
      const promotion = await database.read((session) => revertible(actor, id, session));
      if (promotion.revertedAt !== null) throw new Conflict('The promotion is already reverted');
      const planned = await planRevert(actor.tenantId, promotion, { database, read });
      const { deleted, warnings } = await editor.together(actor, (session, change) =>
        revertPromotion(actor, planned, { ...order, session, change }),
      );
      for (const { id: gone, place } of deleted) await forgetStory(gone, { database, changes }, place);
      return view(actor, id, warnings);
    },
  };
}

function orderIn(actor: Actor, { order, problems }: ReadPromotion): PromotionOrder {
  requireWriter(actor);
  if (order === undefined) throw new Unprocessable(problems);
  return order;
}

function scopeOf(actor: Actor): PromotionScope {
  return { tenantId: actor.tenantId, teamIds: visibleTeamIds(actor) };
}

function requireWriter(actor: Actor): void {
  if (!visibleTeamIds(actor).some((id) => canWrite(actor, id))) throw new Forbidden();
}

async function visiblePromotion(actor: Actor, id: number, session: Session): Promise<PromotionRecord> {
  const promotion = await findPromotion(id, scopeOf(actor), session);
  if (promotion === undefined) throw new NotFound('Promotion');
  return promotion;
}

async function revertible(actor: Actor, id: number, session: Session): Promise<PromotionRecord> {
  const promotion = await visiblePromotion(actor, id, session);
  const stories = await findPromotionStories([id], session);
  if (stories.some(({ teamId }) => !canWrite(actor, teamId))) throw new Forbidden();
  return promotion;
}
