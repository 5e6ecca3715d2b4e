import { canWrite, defaultTeamId, requireTeam, teamProblems, visibleTeamIds } from '../access/auth/access.js';
import type { Actor } from '../access/auth/actor.js';
import type { Database } from '../platform/mysql/database.js';
import { retryConflicts } from '../platform/mysql/retry-conflicts.js';
import { NotFound, type Problem, Unprocessable } from '../platform/errors.js';
import type { JsonObject } from '../platform/json.js';
import { limited } from '../platform/validation/validate.js';
import { isFaulty } from '../platform/validation/partial-input.js';
import { exportStory } from './export.js';
import { exportWithoutSecrets, shownStory } from './hidden-options.js';
import { importProblems, type ReadImport, readImport } from './import/read-import.js';
import {
  changeStory,
  checkStoryChange,
  FOLDER_OF_ANOTHER_TEAM,
  removeStory,
  type StoryPlace,
} from './story-change.js';
import type { StoryColumns } from './story-change-store.js';
import { createStoryEditor } from './story-editor.js';
import { visibleStory } from './visible-story.js';
import { NO_STORY_CHANGES, type StoryChanges } from './story-changes.js';
import { type ImportedStory, importStory, type StoryImportDeps } from './story-import.js';
import {
  countStories,
  findFolderTeam,
  listStories,
  type StoryFilter,
  type StoryRecord,
} from './story-store.js';

/** The filters of a list of stories (spec §3.2). */
export interface StoryQuery {
  teamId?: number | undefined;
  folderId?: number | undefined;
  search?: string | undefined;
  /** If absent, all stories are returned. Pages count from 1. */
  page?: { number: number; size: number } | undefined;
}

export interface StoryList {
  stories: StoryRecord[];
  /** Over all pages; without pages, the length of the list. */
  total: number;
}

export type StoryServiceDeps = StoryImportDeps & {
  database: Pick<Database, 'read' | 'transaction'>;
  /** Notified of every change; absent without Redis. */
  changes?: StoryChanges;
};
export type StoryService = ReturnType<typeof createStoryService>;

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
      throw new Unprocessable(limited(problems));
    }
    const { tenantId, userId } = actor;
    const home = { tenantId, teamId, folderId: request.folderId, userId };
    const imported = await importStory({ request, templateFaults }, home, deps);
    await changes.announce(imported.story.id);
    return imported;
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

    /** Returns the stories that the actor may see, newest first. @throws NotFound for an unknown team or folder. */
    async list(actor: Actor, query: StoryQuery): Promise<StoryList> {
      const filter = await filterOf(actor, query, database);
      const { page } = query;
      return database.read(async (session) => {
        if (page === undefined) {
          const stories = await listStories(filter, undefined, session);
          return { stories: stories.map((story) => shownStory(actor, story)), total: stories.length };
        }
        const total = await countStories(filter, session);
        const window = { limit: page.size, offset: (page.number - 1) * page.size };
        const stories = await listStories(filter, window, session);
        return { stories: stories.map((story) => shownStory(actor, story)), total };
      });
    },

    /** @throws NotFound for a story that does not exist or that the actor may not see. */
    get: (actor: Actor, id: number): Promise<StoryRecord> =>
      database.read(async (session) => shownStory(actor, await visibleStory(actor, id, 'read', session))),

    /**
     * Changes the given fields; the events of a story that is enabled again continue at once.
     * @throws NotFound for an unknown story, team or folder; Unprocessable for a folder of another team.
     */
    update: (actor: Actor, id: number, change: StoryColumns): Promise<StoryRecord> =>
      changeStory(actor, { id, change }, editor),

    /** @throws NotFound, Forbidden and Unprocessable as `update`, for the valid team and folder of a body. */
    checkUpdate: (actor: Actor, id: number, body: StoryPlace): Promise<void> =>
      checkStoryChange(actor, { id, body }, database),

    /** Deletes the story with its pending deliveries; its webhooks respond 404 from then on. */
    delete: (actor: Actor, id: number): Promise<void> => removeStory(actor, id, { database, changes }),

    /** Returns the story in the export form. @throws NotFound as `get`. */
    async export(actor: Actor, id: number): Promise<JsonObject> {
      const found = await database.read((session) => visibleStory(actor, id, 'read', session));
      const exported = await retryConflicts(() =>
        database.transaction((session) => exportStory(found, new Date(), session)),
      );
      if (exported === undefined) throw new NotFound('Story');
      return canWrite(actor, found.teamId) ? exported : exportWithoutSecrets(exported);
    },
  };
}

/** Returns the team to import into: the named one, else that of the folder, else the actor's own. */
async function homeOf(
  actor: Actor,
  place: StoryPlace,
  database: Pick<Database, 'read'>,
): Promise<{ teamId: number | undefined; problems: Problem[] }> {
  const folderTeam = await visibleFolderTeam(actor, place.folder_id ?? undefined, database);
  const named = place.team_id ?? folderTeam;
  const isUnclear = isFaulty(place, 'team_id') || (named === undefined && isFaulty(place, 'folder_id'));
  if (isUnclear) return { teamId: undefined, problems: [] };
  const teamId = named ?? defaultTeamId(actor);
  const problems = teamProblems(actor, teamId, 'write');
  if (folderTeam !== undefined && folderTeam !== teamId) problems.push(FOLDER_OF_ANOTHER_TEAM);
  return { teamId, problems };
}

async function visibleFolderTeam(
  actor: Actor,
  folderId: number | undefined,
  database: Pick<Database, 'read'>,
): Promise<number | undefined> {
  if (folderId === undefined) return undefined;
  const teamId = await database.read((session) => findFolderTeam(folderId, session));
  if (teamId === undefined) throw new NotFound('Folder');
  requireTeam(actor, teamId, 'read', 'Folder');
  return teamId;
}

async function filterOf(
  actor: Actor,
  query: StoryQuery,
  database: Pick<Database, 'read'>,
): Promise<StoryFilter> {
  if (query.teamId !== undefined) requireTeam(actor, query.teamId, 'read');
  await visibleFolderTeam(actor, query.folderId, database);
  return {
    tenantId: actor.tenantId,
    teamIds: query.teamId === undefined ? visibleTeamIds(actor) : [query.teamId],
    folderId: query.folderId,
    search: query.search,
  };
}
