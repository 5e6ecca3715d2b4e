import type { Actor } from '../../../api/face.js';
import { Conflict, type Problem } from '../../../platform/errors.js';
import type { Session } from '../../../platform/mysql/session.js';
import { deleteStory, updateStory } from '../../edit/story-change-store.js';
import { type ChangeStory, lockedStory } from '../../edit/story-editor.js';
import { findDraftIds } from '../../drafts/draft-store.js';
import type { StoredStory } from '../../export/story-export-store.js';
import { findStory, type StoryRecord } from '../../story/story-store.js';
import { findStoryPlaces, type StoryOwner } from '../../story/story-place-store.js';
import { restoreState } from '../../versions/restore-version.js';
import { readSnapshot } from '../../versions/version-snapshot.js';
import { findPromotedLater, markReverted, type PromotionRecord } from '../promotion-store.js';
import { hasRuns } from '../target-store.js';
import type { PlannedRevert, RevertPlan } from './plan-revert.js';

/** How a promotion is taken back. */
export interface RevertOrder {
  overwrites: boolean;
  reason: string | null;
}

/** The end of a revert after its commit. */
export interface RevertedPromotion {
  /** Stories that were deleted. */
  deleted: { id: number; place: StoryOwner | undefined }[];
  warnings: string[];
}

interface RevertDeps {
  session: Session;
  change: ChangeStory;
}

/**
 * Gives the stories of a promotion their states before it, in the caller's transaction: locks all of them, compares them with
 * what the promotion left, then writes. Stories that it made are deleted if no run of them is stored, else disabled.
 * @throws Conflict naming each story that is not as the promotion left it; NotFound and Forbidden for stories that the actor
 * may not change; as `StoryEditor.edit`.
 */
export async function revertPromotion(
  actor: Actor,
  { promotion, stories }: RevertPlan,
  { overwrites, reason, ...deps }: RevertOrder & RevertDeps,
): Promise<RevertedPromotion> {
  const { session } = deps;
  const present: PlannedRevert[] = [];
  const gone: PlannedRevert[] = [];
  for (const each of stories) {
    const story = await findStory(each.row.storyId, actor.tenantId, session);
    if (story === undefined) gone.push(each);
    else {
      await lockedStory(actor, story.id, session);
      present.push(each);
    }
  }
  // Under the locks: no promotion of these stories can come in between.
  const storyIds = stories.map(({ row }) => row.storyId);
  const later = await findPromotedLater({ id: promotion.id, storyIds }, session);
  const problems: Problem[] = [];
  const refuse = ({ row: { name } }: PlannedRevert, why: string) =>
    problems.push({ message: `"${name}" ${why}` });
  for (const each of gone) if (!overwrites) refuse(each, 'was deleted');
  for (const each of present) {
    const { storyId, digestAfter } = each.row;
    if (later.has(storyId)) refuse(each, 'came with a later promotion: revert that first');
    else if (!overwrites && (await readSnapshot(storyId, session))?.digest !== digestAfter)
      refuse(each, 'was changed since');
    else if (each.before === undefined) refuse(each, 'has no version of before any more');
  }
  if (problems.length > 0) throw new Conflict(problems);
  const result: RevertedPromotion = { deleted: [], warnings: [] };
  for (const each of present) await revertStory(actor, promotion, each, { ...deps, result });
  if (!(await markReverted(promotion.id, { userId: actor.userId, reason }, session)))
    throw new Conflict('The promotion is already reverted');
  return result;
}

async function revertStory(
  actor: Actor,
  { name }: PromotionRecord,
  { row: { storyId }, before }: PlannedRevert,
  { session, change, result }: RevertDeps & { result: RevertedPromotion },
): Promise<void> {
  const { tenantId } = actor;
  const version = { source: 'restore' as const, name: `Before ${name}`.slice(0, 255) };
  if (before !== undefined && before !== 'new') {
    await change({
      storyId,
      part: 'graph',
      version,
      async work(story) {
        result.warnings.push(...(await restoreState({ story, tenantId }, before, session)));
        await giveNameBack(story, before, session);
      },
    });
  } else if (await hasRuns(storyId, session)) {
    await change({
      storyId,
      part: 'settings',
      version,
      work: () => updateStory(storyId, { disabled: true }, session),
    });
  } else {
    result.deleted.push(...(await removeStory(storyId, session)));
  }
}

async function giveNameBack(
  { id, name }: StoryRecord,
  { columns }: StoredStory,
  session: Session,
): Promise<void> {
  if (typeof columns.name === 'string' && columns.name !== name)
    await updateStory(id, { name: columns.name }, session);
}

async function removeStory(id: number, session: Session): Promise<RevertedPromotion['deleted']> {
  const ids = [id, ...(await findDraftIds(id, session))];
  const places = await findStoryPlaces(session, ids);
  await deleteStory(id, session);
  return ids.map((gone) => ({ id: gone, place: places.get(gone) }));
}
