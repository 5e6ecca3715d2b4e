import Joi from 'joi';
import {
  type AnyRoute,
  crudRoutes,
  defineRoute,
  idSchema,
  pageKeys,
  type PageQuery,
  placesOf,
  responseSchema,
  timeSchema,
} from '../../api/face.js';
import { idField, type IdParams } from '../../platform/http/address/path-id.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { tagField } from '../settings/settings-fields.js';
import { colorField } from './tag-color.js';
import type { TagChange, TagService } from './tag-service.js';
import type { TagRecord } from '../../data/face.js';

interface Services {
  tags: TagService;
}

type ListQuery = PageQuery & { team_id?: number };

/** Public clients send these back. */
const ECHOED = ['id', 'team', 'teams', 'created_at', 'updated_at'];

const teamSchema = responseSchema({ id: idSchema, name: Joi.string() });

const response = responseSchema({
  id: idSchema,
  name: Joi.string(),
  color: Joi.string().description('The colour, as `#RRGGBB`'),
  team: teamSchema.description('Its team'),
  teams: Joi.array().items(teamSchema).description('Its team, as a list of one'),
  created_at: timeSchema,
  updated_at: timeSchema,
});

const example = {
  id: 17,
  name: 'phishing',
  color: '#FF8888',
  team: { id: 2, name: 'Security' },
  teams: [{ id: 2, name: 'Security' }],
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

function present(tag: TagRecord) {
  const team = { id: tag.teamId, name: tag.teamName };
  return {
    id: tag.id,
    name: tag.name,
    color: tag.color,
    team,
    teams: [team],
    created_at: timestamp(tag.createdAt),
    updated_at: timestamp(tag.updatedAt),
  };
}

const places = placesOf('/api/v1/tags', example.id);
const routes = crudRoutes<Services, TagRecord>({ tag: 'Tags', ...places, response, example, present });

const deleteQuery = Joi.object<{ team_id?: number }>({
  team_id: idField.description('Team of the tag, if given'),
});

/** Endpoints of tags (spec §3.12). */
export const tagRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List tags',
    description:
      'Tags used by stories and cases, now or before, and tags created here; sorted by team and name. Without `team_id`, of all teams that you can access.',
    plural: 'tags',
    query: Joi.object<ListQuery>({ ...pageKeys, team_id: idField }),
    exampleQuery: { team_id: 2 },
    handle: ({ actor, query, window }, { tags }) => tags.list(actor, query.team_id, window),
  }),

  routes.create<TagChange & { name: string }>({
    summary: 'Create a tag',
    description: '`team_id` defaults to the team of the key, or else the user’s first team.',
    body: Joi.object({ name: tagField.required(), team_id: idField, color: colorField }),
    exampleBody: { name: 'phishing', team_id: 2, color: 'red' },
    errors: [400, 403, 404, 409, 415, 422],
    audit: 'tag.create',
    ignored: ECHOED,
    check: ({ actor, body }, { tags }) => tags.checkCreate(actor, body),
    handle: ({ actor, body }, { tags }) => tags.create(actor, body),
  }),

  routes.get({
    summary: 'Get a tag',
    description: 'Includes its color and team. Stories and cases refer to it in `tags`.',
    handle: ({ actor, params }, { tags }) => tags.get(actor, params.id),
  }),

  ...routes.update<TagChange>({
    summary: 'Update a tag',
    description:
      'Renames the tag in all stories and cases. Tags used by more than a hundred stories cannot be renamed.',
    body: Joi.object({
      name: tagField.empty(Joi.valid(null)),
      color: colorField,
      team_id: idField.description('Must be the current team; a tag cannot be moved'),
    }),
    exampleBody: { name: 'phishing', color: '#FF8888' },
    errors: [400, 403, 404, 409, 415, 422],
    audit: 'tag.update',
    ignored: ECHOED,
    check: ({ actor, params, body }, { tags }) => tags.checkUpdate(actor, params.id, body),
    handle: ({ actor, params, body }, { tags }) => tags.update(actor, params.id, body),
  }),

  defineRoute<IdParams, { team_id?: number }, unknown, Services>({
    method: 'delete',
    path: places.item.path,
    summary: 'Delete a tag',
    status: 204,
    params: places.item.params,
    query: deleteQuery,
    audit: 'tag.delete',
    docs: {
      tag: 'Tags',
      description:
        'Removes it from all stories and cases. Tags used by more than a hundred stories cannot be deleted.',
      example: { params: places.item.example },
      errors: [403, 404, 422],
    },
    handle: ({ actor, params, query }, { tags }) => tags.delete(actor, params.id, query.team_id),
  }),
];
