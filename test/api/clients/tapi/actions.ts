import type { ClientCall, Ids } from '../../../support/clients.js';
import { lacking } from './lacking.js';

const PAGE = { per_page: 10, page: 1 };
const AT = { x: 0, y: 100 };
const ACTION = ['id', 'type', 'user_id', 'options', 'name', 'guid', 'position.x', 'story_id', 'team_id'];

const ofAction =
  (rest = '') =>
  ({ action }: Ids) =>
    `/actions/${action}${rest}`;
const change = (key: string, value: (ids: Ids) => unknown, reads = [key]): ClientCall => ({
  call: `PUT /actions/{id} with ${key}`,
  path: ofAction(),
  body: (ids) => ({ [key]: value(ids) }),
  status: 200,
  reads,
});
const create = (type: string, options: object, more: (ids: Ids) => object = () => ({})): ClientCall => ({
  call: `POST /actions of type ${type}`,
  path: () => '/actions',
  body: (ids) => ({
    type: `Agents::${type}`,
    name: `Made ${type}`,
    options,
    position: AT,
    story_id: ids['story'],
    disabled: false,
    monitor_failures: true,
    monitor_all_events: false,
    ...more(ids),
  }),
  status: 201,
  reads: ACTION,
  keeps: { as: type, from: 'id' },
});

const CREATED: ClientCall[] = [
  create('EventTransformationAgent', { mode: 'message_only', payload: '=ARRAY(1, 2, 3, 4)' }),
  create('IMAPAgent', { host: 'imap.example.com', username: 'u', password: 'p', ssl: true }),
  create('EmailAgent', { recipients: ['a@example.com'], subject: 's', body: 'b' }),
  create('TriggerAgent', { rules: [] }, ({ action }) => ({ source_ids: [action] })),
  create('WebhookAgent', {}),
  create('HTTPRequestAgent', { url: 'https://example.com', method: 'get' }, ({ action }) => ({
    links_to_sources: [{ source_id: action, type: 'DEFAULT' }],
  })),
  create('SendToStoryAgent', { story: '{{ .STORY.x }}', payload: {} }, ({ action }) => ({
    links_to_receivers: [{ receiver_id: action, type: 'DEFAULT' }],
    monitor_no_events_emitted: 3600,
    description: 'd',
  })),
  create('GroupAgent', {}),
];

const CHANGES: ClientCall[] = [
  change('name', () => 'Renamed'),
  change('description', () => 'Updated'),
  change('options', () => ({ mode: 'message_only', payload: {} })),
  change('position', () => ({ x: 15, y: 30 }), ['position.y']),
  change('source_ids', ({ WebhookAgent }) => [WebhookAgent], ['sources.0']),
  change('receiver_ids', ({ TriggerAgent }) => [TriggerAgent], ['receivers.0']),
  change('links_to_sources', ({ WebhookAgent }) => [{ source_id: WebhookAgent, type: 'DEFAULT' }], [
    'sources.0',
  ]),
  change('links_to_receivers', ({ TriggerAgent }) => [{ receiver_id: TriggerAgent, type: 'DEFAULT' }], [
    'links_to_receivers.0.type',
  ]),
  change('schedule', () => [{ cron: '0 * * * *', timezone: 'UTC' }], ['schedule.0.cron']),
  change('disabled', () => true),
  change('monitor_failures', () => false),
  change('monitor_all_events', () => true),
  change('monitor_no_events_emitted', () => 3600),
];

const LISTS: ClientCall[] = [
  { call: 'GET /actions', path: () => '/actions?per_page=10&page=1', status: 200, reads: ['agents.0.id'] },
  {
    call: 'GET /actions with story_id, team_id and action_type',
    path: ({ story, team }) =>
      `/actions?story_id=${story}&team_id=${team}&action_type=Agents%3A%3AWebhookAgent&per_page=10&page=1`,
    status: 200,
    reads: ['agents.0.type'],
  },
  {
    call: 'GET /actions with story_mode',
    path: ({ story }) => `/actions?story_id=${story}&story_mode=&per_page=10&page=1`,
    status: 200,
    reads: ['agents.0.story_mode'],
  },
  {
    call: 'GET /actions with draft_id null',
    path: () => '/actions',
    body: ({ story }) => ({ story_id: story, draft_id: null, include_live_activity: false, ...PAGE }),
    status: 200,
    reads: ['agents.0.id'],
  },
];

const EVENTS: ClientCall[] = [
  {
    call: 'GET /events',
    path: ({ story, team }) =>
      `/events?until_id=999999&team_id=${team}&story_id=${story}&include_groups=False&per_page=10&page=1`,
    status: 200,
    reads: ['events.0.id', 'events.0.agent_id', 'events.0.story_run_guid', 'events.0.previous_events_ids'],
  },
  {
    call: 'GET /events by time',
    path: () => '/events?since=2020-01-01T00%3A00%3A00Z&until=2100-01-01T00%3A00%3A00Z',
    status: 200,
    reads: ['events.0.created_at', 'events.0.updated_at', 'events.0.user_id'],
  },
  {
    call: 'GET /events/{id}',
    path: ({ event }) => `/events/${event}`,
    status: 200,
    reads: ['id', 'payload'],
  },
  {
    call: 'POST /events/{id}/reemit',
    path: ({ event }) => `/events/${event}/reemit`,
    status: 201,
    not: 'its test wants 204; the answer is the new event with 201',
  },
  {
    call: 'GET /actions/{id}/events',
    path: ({ webhook }) =>
      `/actions/${webhook}/events?action_id=${webhook}&until_id=999999&per_page=10&page=1`,
    status: 200,
    reads: ['events.0.id', 'meta.count'],
  },
  {
    call: 'GET /actions/{id}/logs',
    path: ({ webhook }) => `/actions/${webhook}/logs?level=3&per_page=10&page=1`,
    status: 200,
    reads: ['action_logs'],
  },
  {
    call: 'GET /actions/{id}/logs with level 2',
    path: ({ webhook }) => `/actions/${webhook}/logs?level=2&per_page=10&page=1`,
    status: 200,
    reads: ['action_logs'],
  },
  {
    call: 'DELETE /actions/{id}/remove_logs',
    path: ofAction('/remove_logs'),
    body: () => ({ async_deletion: true }),
    status: 200,
  },
  {
    call: 'DELETE /actions/{id}/remove_events',
    path: ofAction('/remove_events'),
    body: () => ({ async_deletion: true }),
    status: 200,
  },
  { call: 'DELETE /actions/{id}/clear_memory', path: ofAction('/clear_memory'), status: 200, reads: ['id'] },
  {
    call: 'GET /stories/{id}/runs',
    path: ({ story }) => `/stories/${story}/runs`,
    body: () => ({ story_mode: '', ...PAGE }),
    status: 200,
    reads: [
      'story_runs.0.guid',
      'story_runs.0.start_time',
      'story_runs.0.action_count',
      'story_runs.0.story_mode',
    ],
  },
  {
    call: 'GET /stories/{id}/runs/{guid}',
    path: ({ story, run }) => `/stories/${story}/runs/${run}`,
    body: () => PAGE,
    status: 200,
    reads: ['story_run_events.0.id', 'story_run_events.0.action_id', 'meta.count'],
  },
];

const NOTES: ClientCall[] = [
  {
    call: 'POST /notes',
    body: ({ story }) => ({ content: '# Note', story_id: story, position: AT }),
    status: 201,
    reads: ['id', 'story_id', 'content', 'position.x'],
    keeps: { as: 'note', from: 'id' },
  },
  { call: 'GET /notes/{id}', path: ({ note }) => `/notes/${note}`, status: 200, reads: ['content'] },
  {
    call: 'PUT /notes/{id}',
    path: ({ note }) => `/notes/${note}`,
    body: () => ({ content: 'New', position: { x: 1, y: 2 } }),
    status: 200,
    reads: ['position.y'],
  },
  {
    call: 'GET /notes',
    body: ({ story, team }) => ({ story_id: story, mode: '', team_id: team, ...PAGE }),
    status: 200,
    reads: ['annotations.0.id', 'meta.pages'],
  },
  { call: 'DELETE /notes/{id}', path: ({ note }) => `/notes/${note}`, status: 204 },
];

/** Actions, events, runs and notes. */
export const ACTION_CALLS: readonly ClientCall[] = [
  {
    call: 'POST /actions',
    body: ({ story }) => ({
      type: 'Agents::EventTransformationAgent',
      name: 'First',
      options: { mode: 'message_only' },
      position: AT,
      story_id: story,
      disabled: false,
      monitor_failures: true,
      monitor_all_events: false,
    }),
    status: 201,
    reads: ACTION,
    keeps: { as: 'action', from: 'id' },
  },
  { call: 'GET /actions/{id}', path: ofAction(), status: 200, reads: ACTION },
  ...CREATED,
  ...CHANGES,
  ...LISTS,
  ...NOTES,
  ...EVENTS,
  { call: 'DELETE /actions/{id}', path: ofAction(), status: 204 },
  ...lacking('/api/v1', ['GET /groups/{id}/runs', 'GET /groups/{id}/runs/{guid}']),
];
