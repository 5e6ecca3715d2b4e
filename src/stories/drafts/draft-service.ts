import { requireTeam } from '../../access/auth/access.js';
import type { Actor } from '../../access/auth/actor.js';
import type { StockGuard } from '../../access/quotas/stock-guard.js';
import { NotFound } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Page, Window } from '../../platform/mysql/page-query.js';
import { retryConflicts, retryLockConflicts } from '../../platform/mysql/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { forgetStory } from '../forget-story.js';
import { deleteStory, lockStory } from '../edit/story-change-store.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { createStoryEditor, lockedStory } from '../edit/story-editor.js';
import { viewStory } from '../settings/story-view.js';
import type { ImportedStory } from '../import/story-import.js';
import { visibleStory } from '../visible-story.js';
import { type DraftRecord, findDraft, listDrafts, renameDraft } from './draft-store.js';
import { storyOrDraft } from './story-or-draft.js';
import { copyToDraft } from './make-draft.js';
import { publishDraft } from './publish-draft.js';

export interface DraftServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
  stock: StockGuard;
}

/** A draft, and the story that a path names with it; undefined: none. */
export interface DraftPlace {
  id: number;
  storyId?: number;
}

export type DraftService = ReturnType<typeof createDraftService>;

/** Drafts of stories, with checks of what the actor may see and change (spec §3.17). */
export function createDraftService({ database, changes, stock }: DraftServiceDeps) {
  const editor = createStoryEditor({ database, changes });

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
     * Makes the draft's content that of its story, in one step; the draft goes.
     * @throws as `StoryEditor.edit`; QuotaReached for schedules.
     */
    async publish(actor: Actor, place: DraftPlace): Promise<ImportedStory> {
      const { id, storyId, name } = await database.read((session) =>
        knownDraft(actor, place, 'write', session),
      );
      const { tenantId } = actor;
      const published = await editor.edit(actor, {
        storyId,
        part: 'graph',
        version: { source: 'draft', description: `The draft “${name}”` },
        async work(live, { session }) {
          await lockStory(id, session);
          const draft = await knownDraft(actor, { id, storyId }, 'write', session);
          const publication = { live, draft, tenantId, keepsDraft: false };
          const publish = () => publishDraft(publication, session);
          const warnings = await stock.within(tenantId, session, publish);
          const story = await viewStory(await visibleStory(actor, storyId, 'read', session), session);
          return { story, warnings };
        },
      });
      await forgetStory(id, { database, changes });
      return published;
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
