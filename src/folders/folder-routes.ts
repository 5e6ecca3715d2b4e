import Joi from 'joi';
import { homeTeamProblems } from '../access/auth/access.js';
import { responseSchema, idSchema, timeSchema } from '../api/response-schema.js';
import { crudRoutes, placesOf } from '../api/crud-routes.js';
import { pageKeys, type PageQuery } from '../api/page-meta.js';
import { idField } from '../platform/http/path-id.js';
import type { AnyRoute } from '../api/route.js';
import { nameField } from '../access/tenants/name-field.js';
import { timestamp } from '../platform/text/timestamp.js';
import type { FolderService } from './folder-service.js';
import type { Folder } from './folder-store.js';

interface Services {
  folders: FolderService;
}

type ListQuery = PageQuery & { team_id?: number };

const folderResponse = responseSchema({
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

const routes = crudRoutes<Services, Folder>({
  tag: 'Folders',
  ...placesOf('/api/v1/folders', example.id),
  response: folderResponse,
  example,
  present,
});

/** Endpoints of folders. */
export const folderRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List folders',
    plural: 'folders',
    query: Joi.object<ListQuery>({ ...pageKeys, team_id: idField }),
    exampleQuery: { team_id: 2 },
    handle: ({ actor, query, window }, { folders }) => folders.list(actor, query.team_id, window),
  }),

  routes.create<{ name: string; team_id?: number }>({
    summary: 'Create a folder',
    description:
      'Without `team_id`: in the team of the key, else in the user’s first one, also if the key sees several teams.',
    body: Joi.object({ name: nameField.required(), team_id: idField }),
    exampleBody: { name: 'Phishing', team_id: 2 },
    errors: [400, 403, 404, 415, 422],
    audit: 'folder.create',
    check: ({ actor, body }) => homeTeamProblems(actor, body, 'write'),
    handle: ({ actor, body }, { folders }) =>
      folders.create(actor, { name: body.name, teamId: body.team_id }),
  }),

  routes.get({
    summary: 'Get a folder',
    handle: ({ actor, params }, { folders }) => folders.get(actor, params.id),
  }),

  ...routes.update<{ name: string }>({
    summary: 'Rename a folder',
    body: Joi.object({ name: nameField.required() }),
    exampleBody: { name: 'Phishing' },
    errors: [400, 403, 404, 415, 422],
    audit: 'folder.update',
    check: ({ actor, params }, { folders }) => folders.checkRename(actor, params.id),
    handle: ({ actor, params, body }, { folders }) => folders.rename(actor, params.id, body.name),
  }),

  routes.delete({
    summary: 'Delete a folder',
    description: 'Its stories and resources stay, in no folder.',
    audit: 'folder.delete',
    handle: ({ actor, params }, { folders }) => folders.delete(actor, params.id),
  }),
];
