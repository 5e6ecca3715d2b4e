import { defaultTeamId, requireTeam, visibleTeamIds } from '../auth/access.js';
import type { Actor } from '../auth/actor.js';
import type { Database } from '../db/database.js';
import { NotFound, Unprocessable } from '../errors.js';
import type { JsonObject } from '../json.js';
import { exportStory } from './export.js';
import { type ImportRequest, parseImportRequest } from './import/import-request.js';
import { retryConflicts } from './retry-conflicts.js';
import { type ImportedStory, importStory, type StoryImportDeps } from './story-import.js';
import {
  countStories,
  findFolderTeam,
  findStory,
  listStories,
  type StoryFilter,
  type StoryRecord,
} from './story-store.js';

/** What a list of stories may be narrowed by (decisions §3). */
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

export type StoryServiceDeps = StoryImportDeps & { database: Pick<Database, 'read' | 'transaction'> };
export type StoryService = ReturnType<typeof createStoryService>;

/** Import, export and list of stories, for somebody who may or may not do this (decisions §2, §3). */
export function createStoryService(deps: StoryServiceDeps) {
  const { database } = deps;
  return {
    /**
     * Imports a story in the export form; `body` is that of api-spec §4.
     * @throws Unprocessable naming every place that is wrong; NotFound for an unknown team or folder.
     */
    async import(actor: Actor, body: unknown): Promise<ImportedStory> {
      const request = parseImportRequest(body);
      const teamId = await homeOf(actor, request, database);
      const { tenantId, userId } = actor;
      return importStory(request, { tenantId, teamId, folderId: request.folderId, userId }, deps);
    },

    /** The stories the actor may see, newest first. @throws NotFound for an unknown team or folder. */
    async list(actor: Actor, query: StoryQuery): Promise<StoryList> {
      const filter = await filterOf(actor, query, database);
      const { page } = query;
      return database.read(async (session) => {
        if (page === undefined) {
          const stories = await listStories(filter, undefined, session);
          return { stories, total: stories.length };
        }
        const total = await countStories(filter, session);
        const window = { limit: page.size, offset: (page.number - 1) * page.size };
        return { stories: await listStories(filter, window, session), total };
      });
    },

    /** The story in the export form. @throws NotFound when there is none that the actor may see. */
    async export(actor: Actor, id: number): Promise<JsonObject> {
      const found = await database.read((session) => findStory(id, actor.tenantId, session));
      if (found === undefined) throw new NotFound('Story');
      requireTeam(actor, found.teamId, 'read', 'Story');
      const exported = await retryConflicts(() =>
        database.transaction((session) => exportStory(found, new Date(), session)),
      );
      if (exported === undefined) throw new NotFound('Story');
      return exported;
    },
  };
}

/** The team to import into: the one named, else that of the folder, else the actor's own. */
async function homeOf(
  actor: Actor,
  request: ImportRequest,
  database: Pick<Database, 'read'>,
): Promise<number> {
  const folderTeam = await visibleFolderTeam(actor, request.folderId, database);
  const teamId = request.teamId ?? folderTeam ?? defaultTeamId(actor);
  if (teamId === undefined) {
    throw new Unprocessable([{ message: 'team_id is required: you are in no team', details: 'team_id' }]);
  }
  requireTeam(actor, teamId, 'write');
  if (folderTeam !== undefined && folderTeam !== teamId) {
    throw new Unprocessable([{ message: 'folder_id is a folder of another team', details: 'folder_id' }]);
  }
  return teamId;
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
