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
  visibleStory,
} from './story-change.js';
import type { StoryColumns } from './story-change-store.js';
import { NO_STORY_CHANGES, type StoryChanges } from './story-changes.js';
import { type ImportedStory, importStory, type StoryImportDeps } from './story-import.js';
import {
  countStories,
  findFolderTeam,
  listStories,
  type StoryFilter,
  type StoryRecord,
} from './story-store.js';

/** What a list of stories may be narrowed by (spec §3.2). */
export interface StoryQuery {
  teamId?: number | undefined;
  folderId?: number | undefined;
  search?: string | undefined;
  /** Absent: all stories at once. Pages count from 1. */
  page?: { number: number; size: number } | undefined;
}

export interface StoryList {
  stories: StoryRecord[];
  /** Over all pages; only counted when there are pages. */
  total: number;
}

export type StoryServiceDeps = StoryImportDeps & {
  database: Pick<Database, 'read' | 'transaction'>;
  /** Told of every change; absent where there is no Redis. */
  changes?: StoryChanges;
};
export type StoryService = ReturnType<typeof createStoryService>;

/** Stories, for somebody who may or may not see and change them (spec §2.2 and §3). */
export function createStoryService(deps: StoryServiceDeps) {
  const { database, changes = NO_STORY_CHANGES } = deps;

  /** Imports what was read. @throws as `import`. */
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
     * @throws Unprocessable naming every place that is wrong; NotFound for an unknown team or folder.
     */
    async import(actor: Actor, body: unknown): Promise<ImportedStory> {
      return importRead(actor, readImport(body, deps));
    },

    importRead,

    /** What is wrong with an import. @throws NotFound and Forbidden as `import`. */
    checkImport: async (actor: Actor, read: ReadImport): Promise<Problem[]> =>
      importProblems(read, (await homeOf(actor, read.usable, database)).problems),

    /** The stories the actor may see, newest first. @throws NotFound for an unknown team or folder. */
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

    /** @throws NotFound when there is no such story that the actor may see. */
    get: (actor: Actor, id: number): Promise<StoryRecord> =>
      database.read(async (session) => shownStory(actor, await visibleStory(actor, id, 'read', session))),

    /**
     * Changes what is given; a story that is enabled again goes on at once.
     * @throws NotFound for an unknown story, team or folder; Unprocessable for a folder of another team.
     */
    update: (actor: Actor, id: number, change: StoryColumns): Promise<StoryRecord> =>
      changeStory(actor, { id, change }, { database, changes }),

    /** @throws NotFound, Forbidden and Unprocessable as `update`, for team and folder of a body as far as they can be used. */
    checkUpdate: (actor: Actor, id: number, body: StoryPlace): Promise<void> =>
      checkStoryChange(actor, { id, body }, database),

    /** Deletes the story with all that waits for it; its webhooks are unknown from now on. */
    delete: (actor: Actor, id: number): Promise<void> => removeStory(actor, id, { database, changes }),

    /** The story in the export form. @throws NotFound when there is none that the actor may see. */
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

/** The team to import into: the one named, else that of the folder, else the actor's own. */
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
