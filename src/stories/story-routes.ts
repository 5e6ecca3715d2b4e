import Joi from 'joi';
import { type AnyRoute, defineRoute, RouteAnswer } from '../http/route.js';
import { pageLinks } from './page-links.js';
import { presentImportedStory, presentListedStory } from './story-presenter.js';
import type { StoryService } from './story-service.js';

interface Services {
  stories: Pick<StoryService, 'import' | 'list' | 'export'>;
}

interface ListQuery {
  team_id?: number;
  folder_id?: number;
  search?: string;
  per_page?: number;
  page?: number;
}

const id = Joi.number().integer().positive();
const DEFAULT_PER_PAGE = 20;

const listQuery = Joi.object<ListQuery>({
  team_id: id,
  folder_id: id,
  search: Joi.string().allow('').max(255),
  per_page: Joi.number().integer().min(1).max(500),
  page: Joi.number().integer().min(1).max(1_000_000_000),
});

/** Pages are there when either parameter asks for them. */
function pageOf({ per_page, page }: ListQuery): { number: number; size: number } | undefined {
  if (per_page === undefined && page === undefined) return undefined;
  return { number: page ?? 1, size: per_page ?? DEFAULT_PER_PAGE };
}

/** Endpoints of stories (api-spec §3 and §4, decisions §3). */
export const storyRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: '/api/v1/stories',
    summary: 'List stories, newest first',
    query: listQuery,
    async handle({ actor, query, request }, { stories }) {
      const { team_id: teamId, folder_id: folderId, search } = query;
      const page = pageOf(query);
      const list = await stories.list(actor, { teamId, folderId, search, page });
      const body = list.stories.map(presentListedStory);
      if (page === undefined) return body;
      const headers = {
        'X-Total-Count': String(list.total),
        Link: pageLinks(request, page, list.total),
      };
      return new RouteAnswer(body, { headers });
    },
  }),

  defineRoute<unknown, unknown, unknown, Services>({
    method: 'post',
    path: '/api/v1/stories/import',
    summary: 'Import a story',
    // The service checks the whole body, so that the command line and other callers get the same answers.
    body: Joi.object().unknown(true),
    async handle({ actor, body }, { stories }) {
      return presentImportedStory(await stories.import(actor, body));
    },
  }),

  defineRoute<{ id: number }, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/stories/:id/export',
    summary: 'Export a story',
    params: Joi.object<{ id: number }>({ id: id.required() }),
    handle({ actor, params }, { stories }) {
      return stories.export(actor, params.id);
    },
  }),
];
