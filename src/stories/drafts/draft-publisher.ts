import type { Actor } from '../../api/face.js';
import type { CountQuota } from '../../people/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import { lockStory } from '../edit/story-change-store.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { createStoryEditor, requireEditable, type StoryEdit } from '../edit/story-editor.js';
import { forgetStory } from '../story/forget-story.js';
import type { ImportedStory } from '../import/story-import.js';
import type { StoryMerger } from '../merge/story-merger.js';
import { viewStory } from '../settings/story-view.js';
import type { StoryRecord } from '../story/story-store.js';
import { visibleStory } from '../story/visible-story.js';
import type { DraftRecord } from './draft-store.js';
import { type MergeTarget, mergeAndWrite, type MergeWish, type PreparedMerge } from './prepare-merge.js';
import { findNewestVersion } from '../versions/version-store.js';
import { publishDraft } from './publish-draft.js';
import { createTestGate, type JudgeStory, type PublicationVerdict } from '../tests/test-gate.js';

export interface DraftPublisherDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
  countQuota: CountQuota;
  merger: StoryMerger;
  /** Runs the tests of a story. */
  judge: JudgeStory;
}

/** A story after the publication of a draft. */
export interface PublishedStory extends ImportedStory, Pick<PreparedMerge, 'merged' | 'overwritten'> {
  /** Undefined: the story has none, and had none. */
  tests: PublicationVerdict | undefined;
}

/** The publication of a draft, directly or by a change request. */
export interface PublicationOrder
  extends Pick<StoryEdit<never>, 'version' | 'isApproved'>,
    Pick<DraftRecord, 'id' | 'storyId'>,
    Pick<MergeTarget, 'check' | 'sides'> {
  wish: MergeWish;
  keepsDraft: boolean;
  /** Returns the draft under the locks of both; may refuse it, and write what goes with its publication. */
  lockedDraft: (merge: PreparedMerge, session: Session) => Promise<DraftRecord>;
  /** Writes what else changes with it. The story has the content of the draft then; `live` is as it was before. */
  after?: (live: StoryRecord, session: Session) => Promise<void>;
}

/** Whether the story becomes what files have given the draft: nobody has edited it since, and the merge adds nothing to it. */
async function isWholeOfFiles(draftId: number, merge: PreparedMerge, session: Session): Promise<boolean> {
  if (merge.merged.length > 0) return false;
  const newest = await findNewestVersion(draftId, session);
  return newest?.source === 'files' && newest.digest === merge.states.draft;
}

/** Publishes drafts: merges them with what was published since they were made (spec §3.17). */
export function createDraftPublisher(deps: DraftPublisherDeps) {
  const { database, changes, countQuota } = deps;
  const editor = createStoryEditor(deps);
  const gate = createTestGate(deps);

  const write = async (
    actor: Actor,
    order: PublicationOrder,
    merge: PreparedMerge,
  ): Promise<PublishedStory> => {
    const { id, storyId, keepsDraft, isApproved, version } = order;
    const { tenantId, userId } = actor;
    const tests = await gate.pass(actor, { storyId, merge, ignoresFailed: order.wish.ignoresTests });
    const isOfFiles = await database.read((session) => isWholeOfFiles(id, merge, session));
    return editor.edit(actor, {
      storyId,
      part: 'graph',
      ...(isApproved !== undefined && { isApproved }),
      ...(version !== undefined && { version: isOfFiles ? { ...version, source: 'files' } : version }),
      async work(live, { session, warnings }) {
        await lockStory(id, session);
        const draft = await order.lockedDraft(merge, session);
        const publication = { live, draft, merge, tenantId, userId, keepsDraft };
        warnings.push(
          ...(await countQuota.within(tenantId, session, () => publishDraft(publication, session))),
        );
        await order.after?.(live, session);
        const story = await viewStory(await visibleStory(actor, storyId, 'read', session), session);
        return { story, warnings, merged: merge.merged, overwritten: merge.overwritten, tests };
      },
    });
  };

  return {
    /**
     * Gives the story the draft's changes in one step; the draft goes unless it is kept.
     * @throws as `StoryEditor.edit`, as `mergeAndWrite`, and as the gate of tests; QuotaReached for schedules.
     */
    async publish(actor: Actor, order: PublicationOrder): Promise<PublishedStory> {
      const { id, storyId, wish, isApproved = false } = order;
      const target: MergeTarget = {
        id,
        storyId,
        tenantId: actor.tenantId,
        sides: order.sides,
        async check(draft, states, session) {
          const { locked, changeControlEnabled } = await visibleStory(actor, storyId, 'write', session);
          requireEditable({ locked, changeControlEnabled: changeControlEnabled && !isApproved });
          await order.check?.(draft, states, session);
        },
      };
      const published = await mergeAndWrite({ target, wish }, (merge) => write(actor, order, merge), deps);
      if (order.keepsDraft) await changes.announce(id);
      else await forgetStory(id, { database, changes });
      return published;
    },
  };
}
