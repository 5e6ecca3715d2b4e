import Joi from 'joi';
import {
  type AnyRoute,
  crudRoutes,
  idSchema,
  pageKeys,
  type PageQuery,
  placesOf,
  responseSchema,
  timeSchema,
} from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { nameField } from '../../people/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { FolderChange, FolderPlaceBody, FolderService, SizedFolder } from './folder-service.js';
import { CONTENT_TYPES, type ContentType } from './folder-store.js';

interface Services {
  folders: FolderService;
}

type ListQuery = PageQuery & { team_id?: number; content_type?: ContentType };

interface NewBody extends FolderPlaceBody {
  name: string;
  content_type: ContentType;
  parent_id?: number | null;
}

/** Public clients send these back. */
const ECHOED = ['id', 'size', 'created_at', 'updated_at'];

const typeField = Joi.string()
  .valid(...CONTENT_TYPES)
  .description('Type of items it was created for');
const parentField = idField.allow(null).description('A folder of the same team; null for none');

const folderResponse = responseSchema({
  id: idSchema,
  name: Joi.string(),
  team_id: idSchema,
  content_type: Joi.string()
    .valid(...CONTENT_TYPES)
    .description('Type of items it was created for'),
  parent_folder_id: idSchema.allow(null).description('Parent folder; null if none'),
  size: Joi.number().integer().description('Number of stories and resources in it'),
  created_at: timeSchema,
  updated_at: timeSchema,
});

const example = {
  id: 5,
  name: 'Phishing',
  team_id: 2,
  content_type: 'STORY',
  parent_folder_id: null,
  size: 3,
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

function present(folder: SizedFolder) {
  return {
    id: folder.id,
    name: folder.name,
    team_id: folder.teamId,
    content_type: folder.contentType,
    parent_folder_id: folder.parentId,
    size: folder.size,
    created_at: timestamp(folder.createdAt),
    updated_at: timestamp(folder.updatedAt),
  };
}

const routes = crudRoutes<Services, SizedFolder>({
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
    description:
      'Folders of the teams that the key can access, or of `team_id`. `size` is the number of items in a folder.',
    plural: 'folders',
    query: Joi.object<ListQuery>({
      ...pageKeys,
      team_id: idField,
      content_type: typeField,
    }),
    exampleQuery: { team_id: 2 },
    handle: ({ actor, query, window }, { folders }) =>
      folders.list(actor, { teamId: query.team_id, contentType: query.content_type }, window),
  }),

  routes.create<NewBody>({
    summary: 'Create a folder',
    description:
      '`team_id` defaults to the team of the key, or else the user’s first team. `content_type` is informational: every folder can contain stories and resources.',
    body: Joi.object({
      name: nameField.required(),
      team_id: idField,
      content_type: typeField.default('STORY'),
      parent_folder_id: parentField,
      parent_id: parentField.description('Same as `parent_folder_id`'),
    }).oxor('parent_folder_id', 'parent_id'),
    exampleBody: { name: 'Phishing', team_id: 2 },
    exampleResponse: { ...example, size: 0 },
    errors: [400, 403, 404, 415, 422],
    audit: 'folder.create',
    ignored: ECHOED,
    check: ({ actor, body }, { folders }) =>
      folders.checkCreate(actor, { ...body, parent_folder_id: body.parent_folder_id ?? body.parent_id }),
    handle: ({ actor, body }, { folders }) =>
      folders.create(actor, {
        name: body.name,
        teamId: body.team_id,
        contentType: body.content_type,
        parentId: body.parent_folder_id ?? body.parent_id ?? null,
      }),
  }),

  routes.get({
    summary: 'Get a folder',
    description: 'Includes its number of stories and resources, and its parent folder.',
    handle: ({ actor, params }, { folders }) => folders.get(actor, params.id),
  }),

  ...routes.update<FolderChange>({
    summary: 'Update a folder',
    description: 'Changes its name or its parent folder. Folders can be nested up to ten deep.',
    body: Joi.object({
      name: nameField,
      parent_folder_id: parentField,
      team_id: idField.description('Must be the current team; a folder cannot be moved'),
      content_type: typeField.description('Must be the current content type; it cannot be changed'),
    }),
    exampleBody: { name: 'Phishing' },
    errors: [400, 403, 404, 415, 422],
    audit: 'folder.update',
    ignored: ECHOED,
    check: ({ actor, params, body }, { folders }) => folders.checkUpdate(actor, params.id, body),
    handle: ({ actor, params, body }, { folders }) => folders.update(actor, params.id, body),
  }),

  routes.delete({
    summary: 'Delete a folder',
    description:
      'Its stories and resources are kept, without a folder. Its subfolders move to its parent folder.',
    audit: 'folder.delete',
    handle: ({ actor, params }, { folders }) => folders.delete(actor, params.id),
  }),
];
