import type { Client, Ids } from '../../support/clients.js';
import { smallExport } from '../../support/stories.js';

const story = ({ story: id }: Ids) => `/stories/${id}`;
const NO_JSON = 'it reads JSON from an answer without a body; the thing is deleted';

/** A connector of a security product, which reads every response as JSON. */
export const victorykit: Client = {
  name: 'victorykit',
  headers: (key) => ({ 'x-user-token': key, 'content-type': 'application/json', accept: '*/*' }),
  calls: [
    { call: 'GET /teams', status: 200, reads: ['teams.0.id'] },
    {
      call: 'GET /stories',
      path: ({ team }) => `/stories?team_id=${team}&page=1&per_page=50`,
      status: 200,
      reads: ['stories.0.name'],
    },
    {
      call: 'GET /stories by name',
      path: () => '/stories?',
      status: 200,
      needsObject: true,
      reads: ['stories.0.name'],
    },
    { call: 'GET /stories/{id}', path: story, status: 200, reads: ['id'] },
    {
      call: 'POST /stories',
      body: ({ team }) => ({
        name: 'Isolate',
        description: 'Isolate compromised host from network',
        team_id: team,
        keep_events_for: 604800,
        disabled: false,
      }),
      status: 201,
      reads: ['id'],
      keeps: { as: 'other', from: 'id' },
    },
    {
      call: 'PUT /stories/{id}',
      path: story,
      body: () => ({ disabled: false }),
      status: 200,
      reads: ['disabled'],
    },
    { call: 'DELETE /stories/{id}', path: ({ other }) => `/stories/${other}`, status: 204, not: NO_JSON },
    {
      call: 'GET /stories/{id}/export',
      path: (ids) => `${story(ids)}/export`,
      status: 200,
      reads: ['agents'],
    },
    {
      call: 'POST /stories/import',
      body: ({ team }) => ({ data: smallExport(), team_id: team, new_name: 'Imported' }),
      status: 200,
      reads: ['id'],
    },
    {
      call: 'GET /stories/{id}/agents',
      path: (ids) => `${story(ids)}/agents`,
      status: 200,
      reads: ['agents.0.type', 'agents.0.options.path'],
      keeps: { as: 'webhook', from: 'agents.0.id' },
    },
    {
      call: 'GET /agents/{id}',
      path: ({ webhook }) => `/agents/${webhook}`,
      status: 200,
      reads: ['id', 'options'],
      keeps: { as: 'address', from: 'options.path' },
    },
    {
      call: 'POST /agents',
      body: (ids) => ({
        story_id: ids.story,
        name: 'Trigger',
        type: 'Agents::TriggerAgent',
        options: {},
        keep_events_for: 604800,
      }),
      status: 201,
      reads: ['id'],
      keeps: { as: 'action', from: 'id' },
    },
    {
      call: 'POST /agents of its own types',
      path: () => '/agents',
      body: (ids) => ({
        story_id: ids.story,
        name: 'Receive Alert',
        type: 'ReceiveAgent',
        options: { secret: 'x' },
        keep_events_for: 604800,
      }),
      status: 422,
      not: 'its playbooks name types without `Agents::`, and types that are nowhere',
    },
    {
      call: 'PUT /agents/{id}',
      path: ({ action }) => `/agents/${action}`,
      body: () => ({ name: 'Renamed' }),
      status: 200,
      reads: ['name'],
    },
    {
      call: 'POST /links',
      body: ({ webhook, action }) => ({ source_id: webhook, receiver_id: action }),
      status: 404,
      not: 'links are set with their actions',
    },
    {
      call: 'POST /agents/{id}/run',
      path: ({ webhook }) => `/agents/${webhook}/run`,
      body: () => ({ event: { host: 'web-1' } }),
      status: 201,
      reads: ['event_id'],
      keeps: { as: 'event', from: 'event_id' },
    },
    {
      call: 'GET /agents/{id}/events',
      path: ({ webhook }) => `/agents/${webhook}/events?page=1&per_page=50`,
      status: 200,
      reads: ['events.0.id'],
    },
    { call: 'GET /events/{id}', path: ({ event }) => `/events/${event}`, status: 200, reads: ['payload'] },
    {
      call: 'POST /events/{id}/retry',
      path: ({ event }) => `/events/${event}/retry`,
      status: 201,
      reads: ['id'],
    },
    {
      call: 'POST /stories/{id}/send',
      path: (ids) => `${story(ids)}/send`,
      body: ({ webhook }) => ({ event: {}, entry_agent_id: webhook }),
      status: 404,
      not: 'use POST /api/v1/stories/{id}/runs',
    },
    {
      call: 'POST /webhook/{path}',
      path: ({ address }) => `/webhook/${address}`,
      body: () => ({ host: 'web-1' }),
      status: 401,
      not: 'it leaves out the secret of the webhook',
    },
    {
      call: 'POST /credentials',
      body: ({ team }) => ({ name: 'secret', mode: 'TEXT', value: 'x', team_id: team }),
      status: 201,
      reads: ['id'],
    },
    {
      call: 'GET /credentials',
      path: ({ team }) => `/credentials?team_id=${team}`,
      status: 200,
      reads: ['credentials.0.id'],
    },
    {
      call: 'GET /resources',
      path: ({ team }) => `/resources?team_id=${team}`,
      status: 200,
      reads: ['global_resources.0.id'],
    },
    {
      call: 'POST /resources',
      body: ({ team }) => ({ name: 'list', value: 'x', team_id: team }),
      status: 201,
      reads: ['id'],
    },
    { call: 'DELETE /agents/{id}', path: ({ action }) => `/agents/${action}`, status: 204, not: NO_JSON },
  ],
};
