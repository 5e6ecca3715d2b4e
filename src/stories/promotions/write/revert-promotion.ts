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
import { readSnapshot, unpackSnapshot } from '../../versions/version-snapshot.js';
import { findVersion, readVersionBytes } from '../../versions/version-store.js';
import {
  findPromotedLater,
  findPromotionStories,
  markReverted,
  type PromotionRecord,
  type PromotionStoryRecord,
} from '../promotion-store.js';
import { hasRuns } from '../target-store.js';

/** How a promotion is taken back. */
export interface RevertOrder {
  overwrites: boolean;
  reason: string | null;
}

/** What a revert leaves to do after its commit. */
export interface RevertedPromotion {
  /** Stories that were deleted. */
  deleted: { id: number; place: StoryOwner | undefined }[];
  warnings: string[];
}

interface RevertDeps {
  session: Session;
  change: ChangeStory;
  read: (text: string) => Promise<StoredStory>;
}

/** A story of the promotion that it had changed or made, and the text of its state before; undefined: it made it. */
interface Reverted {
  row: PromotionStoryRecord;
  before: string | undefined;
}

/**
 * Gives the stories of a promotion their states before it, in the caller's transaction. Stories that it made are deleted if
 * no run of them is stored, else disabled.
 * @throws Conflict naming each story that is not as the promotion left it; NotFound and Forbidden for stories that the actor
 * may not change; as `StoryEditor.edit`.
 */
export async function revertPromotion(
  actor: Actor,
  promotion: PromotionRecord,
  { overwrites, reason, ...deps }: RevertOrder & RevertDeps,
): Promise<RevertedPromotion> {
  const { session } = deps;
  const rows = (await findPromotionStories([promotion.id], session)).filter(
    ({ state }) => state !== 'unchanged',
  );
  const byId = rows.toSorted((one, other) => one.storyId - other.storyId);
  const problems: Problem[] = [];
  const reverted: Reverted[] = [];
  const storyIds = rows.map(({ storyId }) => storyId);
  const later = await findPromotedLater({ id: promotion.id, storyIds }, session);
  for (const row of byId) {
    const seen = later.has(row.storyId) ? LATER : await lookAt(actor, row, { overwrites, session });
    if (seen.refusal !== undefined)
      problems.push({ message: `"${row.name}" ${seen.refusal}`, details: `stories.${row.storyId}` });
    else if (!seen.isGone) reverted.push({ row, before: seen.before });
  }
  if (problems.length > 0) throw new Conflict(problems);
  const result: RevertedPromotion = { deleted: [], warnings: [] };
  for (const each of reverted) await revertStory(actor, promotion, each, { ...deps, result });
  if (!(await markReverted(promotion.id, { userId: actor.userId, reason }, session)))
    throw new Conflict('The promotion is already reverted');
  return result;
}

/** A story of the promotion as it is now. */
interface SeenStory {
  /** Why it cannot be reverted. */
  refusal?: string | undefined;
  isGone?: boolean;
  /** Its state before the promotion. */
  before?: string | undefined;
}

const LATER: SeenStory = { refusal: 'came with a later promotion: revert that first' };

/** Locks the story, and reads what is needed of it. */
async function lookAt(
  actor: Actor,
  row: PromotionStoryRecord,
  { overwrites, session }: { overwrites: boolean; session: Session },
): Promise<SeenStory> {
  const { storyId, versionBefore, digestAfter } = row;
  if ((await findStory(storyId, actor.tenantId, session)) === undefined)
    return { refusal: overwrites ? undefined : 'was deleted', isGone: true };
  await lockedStory(actor, storyId, session);
  const snapshot = await readSnapshot(storyId, session);
  if (snapshot?.digest !== digestAfter && !overwrites) return { refusal: 'was changed since' };
  if (row.state === 'new') return {};
  const place = versionBefore === null ? undefined : { storyId, id: versionBefore };
  const version = place && (await findVersion(place, session));
  if (version === undefined) return { refusal: 'has no version of before any more' };
  return { before: await unpackSnapshot(await readVersionBytes(version.id, session)) };
}

async function revertStory(
  actor: Actor,
  { name }: PromotionRecord,
  { row, before }: Reverted,
  { session, change, read, result }: RevertDeps & { result: RevertedPromotion },
): Promise<void> {
  const { storyId } = row;
  const { tenantId } = actor;
  const version = { source: 'restore' as const, name: `Before ${name}`.slice(0, 255) };
  if (before !== undefined) {
    await change({
      storyId,
      part: 'graph',
      version,
      async work(story) {
        const earlier = await read(before);
        result.warnings.push(...(await restoreState({ story, tenantId }, earlier, session)));
        await giveNameBack(story, earlier, session);
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
