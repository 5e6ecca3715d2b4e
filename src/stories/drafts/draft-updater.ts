import type { Actor } from '../../api/face.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { lockStory } from '../edit/story-change-store.js';
import { createStoryEditor } from '../edit/story-editor.js';
import { saveDraftBase } from './draft-base-store.js';
import type { DraftPublisherDeps } from './draft-publisher.js';
import type { DraftRecord } from './draft-store.js';
import { mergeAndWrite, type MergeWish, type PreparedMerge, requireUnmoved } from './prepare-merge.js';
import { updateDraft } from './publish-draft.js';

/** What an update has done. */
export interface DraftUpdate extends Pick<PreparedMerge, 'merged'> {
  /** Messages for the owner; empty if there are none. */
  warnings: string[];
}

/** A draft to be brought up to date. */
export interface DraftToUpdate {
  id: number;
  storyId: number;
  wish: MergeWish;
  /** Returns the draft once it is locked. @throws NotFound or Forbidden if the actor may not change it. */
  lockedDraft(session: Session): Promise<DraftRecord>;
}

/** Gives a draft what its live story has changed since the draft was made, or was brought up to date. */
export interface DraftUpdater {
  /** @throws as `mergeAndWrite` and `lockedDraft`; Conflict for a locked draft. */
  update(actor: Actor, draft: DraftToUpdate): Promise<DraftUpdate>;
}

export function createDraftUpdater(deps: DraftPublisherDeps): DraftUpdater {
  const { database } = deps;
  const editor = createStoryEditor(deps);

  /** A draft that has got nothing stays as it was approved. */
  const moveBase = ({ id, storyId }: DraftToUpdate, merge: PreparedMerge): Promise<DraftUpdate> =>
    retryLockConflicts(() =>
      database.transaction(async (session) => {
        await lockStory(storyId, session);
        await lockStory(id, session);
        await requireUnmoved(merge, { id, storyId }, session);
        await saveDraftBase({ id, storyId }, session);
        return { merged: merge.merged, warnings: [] };
      }),
    );

  const change = (actor: Actor, asked: DraftToUpdate, merge: PreparedMerge): Promise<DraftUpdate> =>
    editor.edit(actor, {
      storyId: asked.id,
      part: 'graph',
      before: (session) => lockStory(asked.storyId, session),
      version: { source: 'draft', description: 'Updated from the live story' },
      async work(story, { session }) {
        const draft = await asked.lockedDraft(session);
        const { tenantId } = actor;
        return {
          merged: merge.merged,
          warnings: await updateDraft({ story, draft, merge, tenantId }, session),
        };
      },
    });

  return {
    update(actor, draft) {
      const { id, storyId, wish } = draft;
      const write = (merge: PreparedMerge) =>
        merge.merged.length === 0 ? moveBase(draft, merge) : change(actor, draft, merge);
      return mergeAndWrite({ target: { id, storyId, tenantId: actor.tenantId }, wish }, write, deps);
    },
  };
}
