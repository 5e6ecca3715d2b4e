import { type Actor, canWrite } from '../../api/face.js';
import { countActivity, NO_ACTIVITY, type StoryActivity } from '../activity/story-activity-store.js';
import type { Database } from '../../platform/mysql/database.js';
import type { WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import { retryConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import { NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { firstProblems } from '../../platform/validation/validate.js';
import { removeStories, removeStory } from './delete-stories.js';
import { exportStory } from '../export/export.js';
import { changedExport, type ExportChanges } from '../export/export-changes.js';
import { exportWithoutSecrets, redactStory } from '../agents/hidden-options.js';
import { importProblems, type ReadImport, readImport } from '../import/read-import.js';
import { listPendingActions, type PendingAction } from '../agents/pending-action-store.js';
import { createStoryPeople } from '../settings/story-people.js';
import { type StoryView, viewStory } from '../settings/story-view.js';
import {
  changeStory,
  checkStoryChange,
  type StoryChange,
  type StoryCheck,
  type RequestedHome,
  switchStory,
} from '../edit/story-change.js';
import type { Changed, Expecting } from '../edit/story-version.js';
import { createStory, type NewStory } from './create-story.js';
import { createStoryEditor } from '../edit/story-editor.js';
import { homeOf } from './story-home.js';
import { storyOrDraft, type StoryOrDraft } from '../drafts/story-or-draft.js';
import { visibleStory } from './visible-story.js';
import { NO_STORY_CHANGES, type StoryChanges } from '../edit/story-changes.js';
import { type ReplacedWith, type Replacement, replaceStory } from '../import/replace-story.js';
import { type ImportedStory, importStory, type StoryImportDeps } from '../import/story-import.js';
import { listAllStories, listStoryPage, type StoryPage, type StoryQuery } from '../list/story-list.js';
import type { StoryRecord } from './story-store.js';

export type StoryServiceDeps = StoryImportDeps & {
  database: Pick<Database, 'read' | 'transaction'>;
  /** Notified of every change; absent without Redis. */
  changes?: StoryChanges;
  /** See `StoryService.listsAsObject`; false unless given. */
  listsAsObject?: boolean;
};
export type StoryService = ReturnType<typeof createStoryService>;

const AS_IT_IS: ExportChanges = { randomizeUrls: false, clearRecipients: false };

/** Stories, with checks of what the actor may see and change (spec §2.2 and §3). */
export function createStoryService(deps: StoryServiceDeps) {
  const { database, changes = NO_STORY_CHANGES } = deps;
  const editor = createStoryEditor({ database, changes });

  /** Imports a body that `readImport` has read. @throws as `import`. */
  const importRead = async (actor: Actor, read: ReadImport): Promise<ImportedStory> => {
    const { request, usable, templateFaults } = read;
    const { teamId, problems: ofHome } = await homeOf(actor, usable, database);
    const problems = importProblems(read, ofHome);
    if (request === undefined || teamId === undefined || problems.length > 0) {
      throw new Unprocessable(firstProblems(problems));
    }
    const { tenantId, userId } = actor;
    const home = { tenantId, teamId, folderId: request.folderId, userId };
    const imported = await importStory({ request, templateFaults, actor }, home, deps);
    await changes.announce(imported.story.id);
    return imported;
  };

  /** Returns the story in the export form, and its version. @throws NotFound as `get`. */
  const exportWithVersion = async (
    actor: Actor,
    id: number,
    { forFiles = false, ...changed }: ExportChanges & { forFiles?: boolean } = AS_IT_IS,
  ) => {
    const found = await database.read((session) => visibleStory(actor, id, 'read', session));
    const { exported, version } = await retryConflicts(() =>
      database.transaction(async (session) => ({
        exported: await exportStory({ ...found, forFiles }, new Date(), session),
        // Under the lock of the export.
        version: (await visibleStory(actor, id, 'read', session)).version,
      })),
    );
    if (exported === undefined) throw new NotFound('Story');
    const form = changedExport(exported, changed);
    return { form: canWrite(actor, found.teamId) ? form : await exportWithoutSecrets(form), version };
  };

  return {
    /**
     * Imports a story in the export form; `body` is that of spec §3.3.
     * @throws Unprocessable naming every invalid place; NotFound for an unknown team or folder.
     */
    async import(actor: Actor, body: unknown): Promise<ImportedStory> {
      return importRead(actor, readImport(body, deps));
    },

    importRead,

    /** Returns the faults of an import. @throws NotFound and Forbidden as `import`. */
    checkImport: async (actor: Actor, read: ReadImport): Promise<Problem[]> =>
      importProblems(read, (await homeOf(actor, read.usable, database)).problems),

    /** True: the list without parameters is an object too (`STORIES_LIST`). */
    listsAsObject: deps.listsAsObject ?? false,

    /** Returns every story that the actor may see. @throws NotFound for an unknown team or folder. */
    list: (actor: Actor, query: StoryQuery): Promise<StoryRecord[]> => listAllStories(actor, query, database),

    /** Returns a page of whole stories. @throws NotFound as `list`. */
    listPage: (
      actor: Actor,
      query: StoryQuery & { window: WalkWindow; withActivity: boolean },
    ): Promise<StoryPage> => listStoryPage(actor, query, database),

    /**
     * Makes a story without actions.
     * @throws Unprocessable for an actor without a team; NotFound for an unknown team or folder.
     */
    async create(actor: Actor, place: RequestedHome, story: NewStory): Promise<StoryView> {
      const { teamId, problems } = await homeOf(actor, place, database);
      if (teamId === undefined || problems.length > 0) throw new Unprocessable(problems);
      const { tenantId, userId } = actor;
      const home = { tenantId, teamId, folderId: place.folder_id ?? undefined, userId };
      return createStory(story, home, deps);
    },

    /** Returns the problems of the place of a new story. @throws NotFound as `create`. */
    checkCreate: async (actor: Actor, place: RequestedHome): Promise<Problem[]> =>
      (await homeOf(actor, place, database)).problems,

    /** @throws NotFound for a story that does not exist or that the actor may not see. */
    get: (actor: Actor, id: number): Promise<StoryView> =>
      database.read(async (session) =>
        viewStory(redactStory(actor, await visibleStory(actor, id, 'read', session)), session),
      ),

    /** Returns what waits in a story. @throws NotFound as `get`. */
    activity: (actor: Actor, id: number): Promise<StoryActivity> =>
      database.read(async (session) => {
        await visibleStory(actor, id, 'read', session);
        return (await countActivity([id], session)).get(id) ?? NO_ACTIVITY;
      }),

    /**
     * Changes the given fields; the events of a story that is enabled again continue at once.
     * @throws NotFound for an unknown story, team or folder; Unprocessable for a folder of another team; PreconditionFailed for
     * another version than `If-Match` names.
     */
    update: (actor: Actor, asked: Expecting, change: StoryChange): Promise<StoryView & Changed> =>
      changeStory(actor, { ...asked, change }, editor),

    /** Disables or enables the story; undefined: the other way round. @throws NotFound and Forbidden as `update`. */
    disable: (actor: Actor, asked: Expecting, disabled: boolean | undefined): Promise<StoryView & Changed> =>
      switchStory(actor, { ...asked, disabled }, editor),

    /** Returns the problems of the valid parts of a body. @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, id: number, asked: StoryCheck): Promise<Problem[]> =>
      checkStoryChange(actor, { id, ...asked }, database),

    /** Returns a page of the story's actions that have work waiting. @throws NotFound as `get`. */
    pendingActions: (
      actor: Actor,
      id: number,
      query: { search?: string | undefined; window: Window },
    ): Promise<Page<PendingAction>> =>
      database.read(async (session) => {
        await visibleStory(actor, id, 'read', session);
        return listPendingActions(id, query, session);
      }),

    people: createStoryPeople(editor),

    /** Deletes the story with its pending deliveries; its webhooks respond 404 from then on. */
    delete: (actor: Actor, asked: Expecting): Promise<void> =>
      removeStory(actor, asked, { database, changes }),

    /** @throws NotFound and Forbidden as `deleteMany`, for the valid ids of a body. */
    checkDeleteMany: (actor: Actor, ids: readonly (number | undefined)[]): Promise<void> =>
      database.read(async (session) => {
        for (const id of ids) if (id !== undefined) await visibleStory(actor, id, 'write', session);
      }),

    /** Deletes these stories, all or none. @throws NotFound and Forbidden naming the story. */
    deleteMany: (actor: Actor, ids: readonly number[]): Promise<void> =>
      removeStories(actor, ids, { database, changes }),

    exportWithVersion,

    /** Returns the story in the export form. @throws NotFound as `get`. */
    export: async (actor: Actor, id: number): Promise<JsonObject> =>
      (await exportWithVersion(actor, id)).form,

    /** Returns the faults of a new content. @throws NotFound and Forbidden as `replace`. */
    checkReplace: async (actor: Actor, place: StoryOrDraft, read: ReadImport): Promise<Problem[]> => {
      await database.read((session) => storyOrDraft(actor, place, 'write', session));
      return importProblems(read, []);
    },

    /** Gives a story or a draft the content of an export. @throws Unprocessable naming every invalid place; as `replaceStory`. */
    async replace(
      actor: Actor,
      read: ReadImport,
      replacement: Omit<Replacement, 'request' | 'templateFaults'>,
    ): Promise<ReplacedWith> {
      const { request, templateFaults } = read;
      const problems = importProblems(read, []);
      if (request === undefined || problems.length > 0) {
        await database.read((session) => storyOrDraft(actor, replacement.place, 'write', session));
        throw new Unprocessable(firstProblems(problems));
      }
      return replaceStory(actor, { ...replacement, request, templateFaults }, { ...deps, changes });
    },
  };
}
