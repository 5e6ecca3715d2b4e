import { type Actor, requireTeam } from '../../api/face.js';
import { NotFound } from '../../platform/errors.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import { retryConflicts, retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { forgetStory } from '../story/forget-story.js';
import { deleteStory, lockStory } from '../edit/story-change-store.js';
import { lockedStory } from '../edit/story-editor.js';
import { visibleStory } from '../story/visible-story.js';
import { type DraftRecord, findDraft, listDrafts, renameDraft } from './draft-store.js';
import { storyOrDraft } from './story-or-draft.js';
import { copyToDraft } from './make-draft.js';
import { createDraftPublisher, type DraftPublisherDeps, type PublishedStory } from './draft-publisher.js';
import { compareDraft, type DraftComparison } from './compare-draft.js';
import { createDraftUpdater, type DraftUpdate } from './draft-updater.js';
import type { MergeWish } from './prepare-merge.js';

export type DraftServiceDeps = DraftPublisherDeps;

/** A draft, and the story that a path names with it; undefined: none. */
export interface DraftPlace {
  id: number;
  storyId?: number;
}

/** A draft that has the changes of its story. */
export interface UpdatedDraft extends DraftUpdate {
  draft: DraftRecord;
}

export type DraftService = ReturnType<typeof createDraftService>;

/** Drafts of stories, with checks of what the actor may see and change (spec §3.17). */
export function createDraftService(deps: DraftServiceDeps) {
  const { database, changes } = deps;
  const publisher = createDraftPublisher(deps);
  const updater = createDraftUpdater(deps);

  const change = <Result>(
    actor: Actor,
    place: DraftPlace,
    work: (draft: DraftRecord, session: Session) => Promise<Result>,
  ): Promise<Result> =>
    retryLockConflicts(() =>
      database.transaction(async (session) => {
        await knownDraft(actor, place, 'write', session);
        await lockStory(place.id, session);
        return work(await knownDraft(actor, place, 'write', session), session);
      }),
    );

  return {
    /** Returns a page of the story's drafts, oldest first. @throws NotFound for a story that the actor may not see. */
    list: (actor: Actor, storyId: number, window: Window): Promise<Page<DraftRecord>> =>
      database.read(async (session) => {
        await visibleStory(actor, storyId, 'read', session);
        return listDrafts(storyId, window, session);
      }),

    /** Returns the id of the story, or of the draft that `draftId` names. @throws NotFound as `storyOrDraft`. */
    async storyIdOf(
      actor: Actor,
      { storyId, draftId }: { storyId: number; draftId?: number | null | undefined },
    ): Promise<number> {
      if (draftId === undefined || draftId === null) return storyId;
      return (await database.read((session) => storyOrDraft(actor, { storyId, draftId }, 'read', session)))
        .id;
    },

    /** @throws NotFound for a draft that does not exist or that the actor may not see. */
    get: (actor: Actor, place: DraftPlace): Promise<DraftRecord> =>
      database.read((session) => knownDraft(actor, place, 'read', session)),

    /** @throws NotFound or Forbidden for a story that the actor may not change. */
    checkStory: (actor: Actor, storyId: number): Promise<void> =>
      database.read(async (session) => {
        await visibleStory(actor, storyId, 'write', session);
      }),

    /** @throws NotFound or Forbidden for a draft that the actor may not change. */
    check: (actor: Actor, place: DraftPlace): Promise<void> =>
      database.read(async (session) => {
        await knownDraft(actor, place, 'write', session);
      }),

    /**
     * Copies the story into a new draft. @throws NotFound or Forbidden as `checkStory`; Unprocessable for a draft;
     * Conflict for more drafts than a story may have.
     */
    create: (actor: Actor, storyId: number, name: string): Promise<DraftRecord> =>
      retryConflicts(() =>
        database.transaction(async (session) => {
          const live = await lockedStory(actor, storyId, session);
          const { tenantId, userId } = actor;
          const id = await copyToDraft(live, { tenantId, userId, name }, session);
          return knownDraft(actor, { id }, 'write', session);
        }),
      ),

    /** Gives the draft another name. @throws as `check`. */
    rename: (actor: Actor, place: DraftPlace, name: string): Promise<DraftRecord> =>
      change(actor, place, async (_draft, session) => {
        await renameDraft(place.id, name, session);
        return knownDraft(actor, place, 'write', session);
      }),

    /** Deletes the draft with all that waits in it. @throws as `check`. */
    async delete(actor: Actor, place: DraftPlace): Promise<void> {
      await change(actor, place, (draft, session) => deleteStory(draft.id, session));
      await forgetStory(place.id, { database, changes });
    },

    /**
     * Returns what a publication of the draft would do. Nothing is written. The list of conflicts begins after `skipped`.
     * @throws as `check`; Unprocessable for stories that are too expensive to merge; ThreadsBusy.
     */
    async compare(actor: Actor, place: DraftPlace, skipped: number): Promise<DraftComparison> {
      const draft = await database.read((session) => knownDraft(actor, place, 'write', session));
      return compareDraft(draft, { tenantId: actor.tenantId, skipped }, deps);
    },

    /**
     * Gives the story the draft's changes, in one step; the draft goes.
     * @throws as `DraftPublisher.publish`.
     */
    async publish(actor: Actor, place: DraftPlace, wish: MergeWish): Promise<PublishedStory> {
      const { id, storyId, name } = await database.read((session) =>
        knownDraft(actor, place, 'write', session),
      );
      return publisher.publish(actor, {
        id,
        storyId,
        wish,
        keepsDraft: false,
        version: { source: 'draft', description: `The draft “${name}”` },
        lockedDraft: (_merge, session) => knownDraft(actor, { id, storyId }, 'write', session),
      });
    },

    /**
     * Gives the draft what the live story has changed since the draft was made, or was brought up to date.
     * @throws as `check`, and as `mergeAndWrite`; Conflict for a locked draft.
     */
    async bringUpToDate(actor: Actor, place: DraftPlace, wish: MergeWish): Promise<UpdatedDraft> {
      const { id, storyId } = await database.read((session) => knownDraft(actor, place, 'write', session));
      const updated = await updater.update(actor, {
        id,
        storyId,
        wish,
        lockedDraft: (session) => knownDraft(actor, { id, storyId }, 'write', session),
      });
      return {
        ...updated,
        draft: await database.read((session) => knownDraft(actor, place, 'write', session)),
      };
    },
  };
}

async function knownDraft(
  actor: Actor,
  { id, storyId }: DraftPlace,
  need: 'read' | 'write',
  session: Session,
): Promise<DraftRecord> {
  const draft = await findDraft({ id, tenantId: actor.tenantId }, session);
  if (draft === undefined || (storyId !== undefined && draft.storyId !== storyId))
    throw new NotFound('Draft');
  requireTeam(actor, draft.teamId, need, 'Draft');
  return draft;
}
