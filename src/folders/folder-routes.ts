import Joi from 'joi';
import { homeTeamProblems } from '../access/auth/access.js';
import { answerSchema, exampleMeta, idSchema, listSchema, timeSchema } from '../api/answer-schema.js';
import { pageKeys, pageMeta, type PageQuery, windowOf } from '../api/page-meta.js';
import { idField, idParams, type IdParams } from '../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../api/route.js';
import { nameField } from '../access/tenants/name-field.js';
import { timestamp } from '../platform/text/timestamp.js';
import type { FolderService } from './folder-service.js';
import type { Folder } from './folder-store.js';

interface Services {
  folders: FolderService;
}

type ListQuery = PageQuery & { team_id?: number };

const folderAnswer = answerSchema({
  id: idSchema,
  name: Joi.string(),
  team_id: idSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
});

const example = {
  id: 5,
  name: 'Phishing',
  team_id: 2,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

function present(folder: Folder) {
  return {
    id: folder.id,
    name: folder.name,
    team_id: folder.teamId,
    created_at: timestamp(folder.createdAt),
    updated_at: timestamp(folder.updatedAt),
  };
}

/** Endpoints of folders. */
export const folderRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, ListQuery, unknown, Services>({
    method: 'get',
    path: '/api/v1/folders',
    summary: 'List folders',
    query: Joi.object<ListQuery>({ ...pageKeys, team_id: idField }),
    docs: {
      tag: 'Folders',
      response: listSchema('folders', folderAnswer),
      example: {
        query: { team_id: 2 },
        response: { folders: [example], meta: exampleMeta('/api/v1/folders') },
      },
      errors: [404, 422],
    },
    async handle({ actor, query, request }, { folders }) {
      const { items, total } = await folders.list(actor, query.team_id, windowOf(query));
      return { folders: items.map(present), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<unknown, unknown, { name: string; team_id?: number }, Services>({
    method: 'post',
    path: '/api/v1/folders',
    summary: 'Make a folder',
    status: 201,
    body: Joi.object({ name: nameField.required(), team_id: idField }),
    audit: 'folder.create',
    docs: {
      tag: 'Folders',
      description: 'Without `team_id`: in the team of the key, else in the user’s first one.',
      response: folderAnswer,
      example: { body: { name: 'Phishing', team_id: 2 }, response: example },
      errors: [400, 403, 404, 415, 422],
    },
    check: ({ actor, body }) => homeTeamProblems(actor, body, 'write'),
    async handle({ actor, body }, { folders }) {
      return present(await folders.create(actor, { name: body.name, teamId: body.team_id }));
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/folders/:id',
    summary: 'Get a folder',
    params: idParams,
    docs: {
      tag: 'Folders',
      response: folderAnswer,
      example: { params: { id: 5 }, response: example },
      errors: [404],
    },
    async handle({ actor, params }, { folders }) {
      return present(await folders.get(actor, params.id));
    },
  }),

  ...(['put', 'patch'] as const).map((method) =>
    defineRoute<IdParams, unknown, { name: string }, Services>({
      method,
      path: '/api/v1/folders/:id',
      summary: 'Rename a folder',
      params: idParams,
      body: Joi.object({ name: nameField.required() }),
      audit: 'folder.update',
      docs: {
        tag: 'Folders',
        response: folderAnswer,
        example: { params: { id: 5 }, body: { name: 'Phishing' }, response: example },
        errors: [400, 403, 404, 415, 422],
      },
      check: ({ actor, params }, { folders }) => folders.checkRename(actor, params.id),
      async handle({ actor, params, body }, { folders }) {
        return present(await folders.rename(actor, params.id, body.name));
      },
    }),
  ),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'delete',
    path: '/api/v1/folders/:id',
    summary: 'Delete a folder',
    status: 204,
    params: idParams,
    audit: 'folder.delete',
    docs: {
      tag: 'Folders',
      description: 'What is in it stays, in no folder.',
      example: { params: { id: 5 } },
      errors: [403, 404],
    },
    handle: ({ actor, params }, { folders }) => folders.delete(actor, params.id),
  }),
];
