import Joi from 'joi';
import { requireOwner } from '../auth/access.js';
import { answerSchema, exampleMeta, idSchema, listSchema, timeSchema } from '../../api/answer-schema.js';
import { pageKeys, pageMeta, type PageQuery, windowOf } from '../../api/page-meta.js';
import { idParams, type IdParams } from '../../platform/http/path-id.js';
import { type AnyRoute, defineRoute } from '../../api/route.js';
import { timestamp } from '../../platform/text/timestamp.js';
import { nameField } from './name-field.js';
import type { TeamService } from './team-service.js';
import type { TeamRecord } from './team-store.js';

interface Services {
  teams: TeamService;
}

const teamAnswer = answerSchema({
  id: idSchema,
  name: Joi.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
});

const example = {
  id: 2,
  name: 'Security operations',
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

const teamBody = Joi.object<{ name: string }>({ name: nameField.required() });

function present(team: TeamRecord) {
  return {
    id: team.id,
    name: team.name,
    created_at: timestamp(team.createdAt),
    updated_at: timestamp(team.updatedAt),
  };
}

/** Endpoints of teams (spec §2.6). */
export const teamRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, PageQuery, unknown, Services>({
    method: 'get',
    path: '/api/v1/teams',
    summary: 'List teams',
    query: Joi.object<PageQuery>(pageKeys),
    docs: {
      tag: 'Teams',
      description: 'The teams that the key may see: all of the tenant for an Owner.',
      response: listSchema('teams', teamAnswer),
      example: { response: { teams: [example], meta: exampleMeta('/api/v1/teams') } },
      errors: [422],
    },
    async handle({ actor, query, request }, { teams }) {
      const { items, total } = await teams.list(actor, windowOf(query));
      return { teams: items.map(present), meta: pageMeta(request, query, total) };
    },
  }),

  defineRoute<unknown, unknown, { name: string }, Services>({
    method: 'post',
    path: '/api/v1/teams',
    summary: 'Make a team',
    status: 201,
    body: teamBody,
    audit: 'team.create',
    docs: {
      tag: 'Teams',
      description: 'For Owners.',
      response: teamAnswer,
      example: { body: { name: 'Security operations' }, response: example },
      errors: [400, 403, 415, 422],
    },
    check: ({ actor }) => requireOwner(actor),
    async handle({ actor, body }, { teams }) {
      return present(await teams.create(actor, body.name));
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/teams/:id',
    summary: 'Get a team',
    params: idParams,
    docs: {
      tag: 'Teams',
      response: teamAnswer,
      example: { params: { id: 2 }, response: example },
      errors: [404],
    },
    async handle({ actor, params }, { teams }) {
      return present(await teams.get(actor, params.id));
    },
  }),

  ...(['put', 'patch'] as const).map((method) =>
    defineRoute<IdParams, unknown, { name: string }, Services>({
      method,
      path: '/api/v1/teams/:id',
      summary: 'Rename a team',
      params: idParams,
      body: teamBody,
      audit: 'team.update',
      docs: {
        tag: 'Teams',
        description: 'For Owners.',
        response: teamAnswer,
        example: { params: { id: 2 }, body: { name: 'Security operations' }, response: example },
        errors: [400, 403, 404, 415, 422],
      },
      check: ({ actor, params }, { teams }) => teams.checkRename(actor, params.id),
      async handle({ actor, params, body }, { teams }) {
        return present(await teams.rename(actor, params.id, body.name));
      },
    }),
  ),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'delete',
    path: '/api/v1/teams/:id',
    summary: 'Delete a team',
    status: 204,
    params: idParams,
    audit: 'team.delete',
    docs: {
      tag: 'Teams',
      description:
        'For Owners. A team that still has stories, record types, cases, credentials or resources is a conflict that names them; folders, memberships and keys of the team go with it.',
      example: { params: { id: 2 } },
      errors: [403, 404, 409],
    },
    handle: ({ actor, params }, { teams }) => teams.delete(actor, params.id),
  }),
];
