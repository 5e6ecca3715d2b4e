import Joi from 'joi';
import {
  type AnyRoute,
  crudRoutes,
  idSchema,
  placesOf,
  requireOwner,
  responseSchema,
  timeSchema,
} from '../../api/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { nameField } from '../users/name-field.js';
import type { TeamService } from './team-service.js';
import type { TeamRecord } from './team-store.js';

interface Services {
  teams: TeamService;
}

const teamResponse = responseSchema({
  id: idSchema,
  name: Joi.string(),
  groups: Joi.array().length(0).description('Always empty; teams have no groups'),
  created_at: timeSchema,
  updated_at: timeSchema,
});

const example = {
  id: 2,
  name: 'Security operations',
  groups: [],
  created_at: '2026-11-21T09:30:00Z',
  updated_at: '2026-11-21T09:30:00Z',
};

/** Keys of a team that clients send back. */
const known = {
  ignored: ['id', 'created_at', 'updated_at'],
  unsupported: { groups: 'teams have no groups' },
};

const teamBody = Joi.object<{ name: string }>({ name: nameField.required() });

function present(team: TeamRecord) {
  return {
    id: team.id,
    name: team.name,
    groups: [],
    created_at: timestamp(team.createdAt),
    updated_at: timestamp(team.updatedAt),
  };
}

const routes = crudRoutes<Services, TeamRecord>({
  tag: 'Teams',
  ...placesOf('/api/v1/teams', example.id),
  response: teamResponse,
  example,
  present,
});

/** Endpoints of teams (spec §2.6). */
export const teamRoutes: AnyRoute<Services>[] = [
  routes.list({
    summary: 'List teams',
    description: 'Teams that the key can access; for an Owner, all teams of the tenant.',
    plural: 'teams',
    ignored: ['include_personal_teams'],
    errors: [422],
    handle: ({ actor, window }, { teams }) => teams.list(actor, window),
  }),

  routes.create<{ name: string }>({
    summary: 'Create a team',
    description: 'For Owners.',
    ...known,
    body: teamBody,
    exampleBody: { name: 'Security operations' },
    errors: [400, 403, 415, 422],
    audit: 'team.create',
    check: ({ actor }) => requireOwner(actor),
    handle: ({ actor, body }, { teams }) => teams.create(actor, body.name),
  }),

  routes.get({
    summary: 'Get a team',
    description: 'Its name and timestamps. Teams that the key cannot access return 404.',
    handle: ({ actor, params }, { teams }) => teams.get(actor, params.id),
  }),

  ...routes.update<{ name: string }>({
    summary: 'Rename a team',
    description: 'For Owners.',
    ...known,
    body: teamBody,
    exampleBody: { name: 'Security operations' },
    errors: [400, 403, 404, 415, 422],
    audit: 'team.update',
    check: ({ actor, params }, { teams }) => teams.checkRename(actor, params.id),
    handle: ({ actor, params, body }, { teams }) => teams.rename(actor, params.id, body.name),
  }),

  routes.delete({
    summary: 'Delete a team',
    description:
      'For Owners. 409 if the team still has stories, record types, cases, credentials or resources; the error lists them. Folders and memberships are deleted with the team, and its keys are revoked.',
    errors: [403, 404, 409],
    audit: 'team.delete',
    handle: ({ actor, params }, { teams }) => teams.delete(actor, params.id),
  }),
];
