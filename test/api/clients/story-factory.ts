import type { Client, ClientCall, Ids } from '../../support/clients.js';
import { smallExport } from '../../support/stories.js';

const story = ({ story: id }: Ids) => `/stories/${id}`;
const path = (rest: string) => (ids: Ids) => `${story(ids)}${rest}`;

/** An export as the kit keeps it: without its time, and with a placeholder for addresses of webhooks. */
function normalised(name: string) {
  const { exported_at: _, agents, ...rest } = smallExport({ name });
  return {
    ...rest,
    agents: agents.map((agent) => {
      const options = agent.options as { path?: unknown; secret?: unknown };
      if (options.secret === undefined) return agent;
      return {
        ...agent,
        options: { ...options, path: '<assigned-on-import>', secret: '<assigned-on-import>' },
      };
    }),
  };
}

const SHIP: ClientCall[] = [
  {
    call: 'GET /stories/{id}/export',
    path: path('/export?randomize_urls=false&clear_recipients=true'),
    status: 200,
    reads: ['agents', 'name', 'exported_at'],
  },
  {
    call: 'POST /stories/import',
    body: ({ team }) => ({
      data: normalised('Shipped'),
      team_id: team,
      mode: 'new',
      new_name: 'Shipped',
    }),
    status: 200,
    reads: ['id', 'name', 'team_id'],
    keeps: { as: 'story', from: 'id' },
  },
  { call: 'GET /stories/{id}', path: path(''), status: 200, reads: ['name', 'team_id'] },
  {
    call: 'POST /stories/{id}/versions',
    path: path('/versions'),
    body: () => ({ name: 'pre-ship abc1234' }),
    status: 200,
    reads: ['story_version.id'],
  },
  {
    call: 'GET /stories/{id}/versions',
    path: path('/versions'),
    status: 200,
    reads: ['story_versions.0.name'],
  },
  {
    call: 'GET /stories/{id}/versions as a table',
    path: path('/versions'),
    status: 200,
    not: 'it looks for `versions`, and prints the JSON instead; the list is `story_versions`',
  },
  {
    call: 'POST /stories/import into a draft',
    path: () => '/stories/import',
    body: ({ team }) => ({
      data: normalised('Shipped'),
      team_id: team,
      mode: 'versionReplace',
      draft_name: 'git-abc1234',
    }),
    status: 200,
    reads: ['draft_id', 'id'],
    keeps: { as: 'draft', from: 'draft_id' },
  },
  {
    call: 'GET /stories/{id}/export of a draft',
    path: (ids) => `${story(ids)}/export?randomize_urls=false&clear_recipients=true&draft_id=${ids.draft}`,
    status: 200,
    reads: ['agents'],
  },
];

const MONITORING: ClientCall[] = [
  {
    call: 'POST /stories/{id}/recipients',
    path: path('/recipients'),
    body: () => ({ address: 'ops@example.com' }),
    status: 200,
  },
  {
    call: 'POST /stories/{id}/recipients that is there',
    path: path('/recipients'),
    body: () => ({ address: 'ops@example.com' }),
    status: 409,
    reads: ['errors.0.message'],
  },
  {
    call: 'POST /stories/{id}/recipients of a draft',
    path: path('/recipients'),
    body: ({ draft }) => ({ address: 'soc@example.com', draft_id: String(draft) }),
    status: 200,
  },
  {
    call: 'POST /stories/{id}/recipients with an URL',
    path: path('/recipients'),
    body: () => ({ address: 'https://ops.example.com/webhook/router/x' }),
    status: 200,
  },
  {
    call: 'DELETE /stories/{id}/recipients',
    path: path('/recipients'),
    body: () => ({ address: 'ops@example.com' }),
    status: 200,
  },
  {
    call: 'DELETE /stories/{id}/recipients of a draft',
    path: path('/recipients'),
    body: ({ draft }) => ({ address: 'soc@example.com', draft_id: String(draft) }),
    status: 200,
  },
  {
    call: 'PUT /stories/{id}',
    path: path(''),
    body: ({ draft }) => ({ monitor_failures: true, locked: false, draft_id: String(draft) }),
    status: 200,
    reads: ['monitor_failures'],
  },
  {
    call: 'GET /stories/{id} for the watchdog',
    path: path('?include_live_activity=true'),
    status: 200,
    not: 'it looks for the actions in the story; give it the id of the action',
  },
  // A person gives the id of the action.
  {
    call: 'GET /agents',
    path: ({ story: id }) => `/agents?story_id=${id}`,
    status: 200,
    keeps: { as: 'action', from: 'agents.0.id' },
  },
  {
    call: 'PUT /actions/{id}',
    path: ({ action }) => `/actions/${action}`,
    body: ({ draft }) => ({
      monitor_no_events_emitted: 7200,
      monitor_failures: true,
      monitor_all_events: false,
      draft_id: String(draft),
    }),
    status: 200,
    reads: ['monitor_no_events_emitted'],
  },
];

const REQUESTS: ClientCall[] = [
  {
    call: 'POST /stories/{id}/change_request',
    path: path('/change_request'),
    body: ({ draft }) => ({
      draft_id: String(draft),
      title: 'shipped abc1234',
      description: 'Story: Shipped (shipped)\nEnvironment: dev\n',
    }),
    status: 200,
    reads: ['change_request.id', 'change_request.status'],
    not: 'the request is made, but it prints the id of the story as that of the request',
  },
  {
    call: 'GET /stories/{id}/change_request/view',
    path: (ids) => `${story(ids)}/change_request/view?draft_id=${ids.draft}`,
    status: 200,
    reads: [
      'status',
      'change_request.status',
      'live_story_export.agents.0.name',
      'live_story_export.links',
      'draft_export.agents.0.type',
    ],
    keeps: { as: 'request', from: 'change_request.id' },
  },
  {
    call: 'POST /stories/{id}/change_request/promote',
    path: path('/change_request/promote'),
    body: ({ request }) => ({
      change_request_id: request,
      delete_draft: true,
      bypass_approval: true,
      bypass_approval_reason: 'The incident goes on; nobody answers',
    }),
    status: 200,
    reads: ['id'],
  },
];

const WATCH: ClientCall[] = [
  {
    call: 'GET /stories',
    path: () => '/stories?filter=PUBLISHED&include_live_activity=true&per_page=100&page=1',
    status: 200,
    reads: [
      'not_working_actions_count',
      'pending_action_runs_count',
      'monitor_failures',
      'recipients',
      'change_control_enabled',
      'locked',
      'mode',
    ].map((key) => `stories.0.${key}`),
  },
  {
    call: 'GET /stories page 2',
    path: () => '/stories?filter=PUBLISHED&include_live_activity=true&per_page=1&page=1',
    status: 200,
    reads: ['meta.next_page', 'meta.next_page_number'],
    not: 'it takes `next_page` for a number, and stops after the first page; it is an address',
  },
  { call: 'POST /stories/{id}/disable', path: path('/disable'), status: 200, reads: ['disabled'] },
  { call: 'POST /stories/{id}/disable again', path: path('/disable'), status: 200, reads: ['disabled'] },
  {
    call: 'GET /actions/{id}/logs',
    path: ({ action }) => `/actions/${action}/logs?level=4`,
    status: 200,
    reads: ['action_logs'],
  },
  // Somebody calls the webhook.
  {
    call: 'POST /actions/{id}/run',
    path: ({ action }) => `/actions/${action}/run`,
    body: () => ({}),
    status: 201,
    keeps: { as: 'run', from: 'story_run_guid' },
  },
  {
    call: 'GET /stories/{id}/runs',
    path: path('/runs?since=2026-01-01T00%3A00%3A00Z'),
    status: 200,
    reads: ['guid', 'start_time', 'end_time', 'duration', 'action_count', 'event_count'].map(
      (key) => `story_runs.0.${key}`,
    ),
  },
  {
    call: 'GET /stories/{id}/runs/{guid}',
    path: (ids) => `${story(ids)}/runs/${ids.run}`,
    status: 200,
    reads: ['story_run_events.0.id'],
  },
  {
    call: 'GET /stories/{id}/runs/{guid}/summary',
    path: (ids) => `${story(ids)}/runs/${ids.run}/summary`,
    status: 200,
    reads: ['story_run.guid'],
  },
  {
    call: 'GET /audit_logs',
    path: () =>
      '/audit_logs?after=2026-01-01T00%3A00%3A00Z&operation_name%5B%5D=story.import&operation_name%5B%5D=story.disable&per_page=100&page=1',
    status: 200,
    reads: [
      'id',
      'created_at',
      'user_email',
      'operation_name',
      'request_user_agent',
      'story_id',
      'source',
    ].map((key) => `audit_logs.0.${key}`),
  },
  {
    call: 'GET /ai_usage',
    path: () => '/ai_usage?relative_date=LAST_7_DAYS&group_by=STORY',
    status: 404,
    not: 'there are no AI actions',
  },
];

const LOCKS: ClientCall[] = [
  // A person made the resource.
  {
    call: 'POST /global_resources',
    body: ({ team }) => ({ name: 'ops_lock', value: { lock: 'free' }, team_id: team }),
    status: 201,
    keeps: { as: 'lock', from: 'id' },
  },
  {
    call: 'POST /global_resources/{id}/replace',
    path: ({ lock }) => `/global_resources/${lock}/replace`,
    body: () => ({ key: 'lock', value: 'a-run', if_value: 'free' }),
    status: 200,
  },
  {
    call: 'POST /global_resources/{id}/replace of another value',
    path: ({ lock }) => `/global_resources/${lock}/replace`,
    body: () => ({ key: 'lock', value: 'b-run', if_value: 'free' }),
    status: 422,
    reads: ['errors.0.message'],
  },
  ...(
    [
      ['GET /skills/{name}', undefined],
      ['POST /skills', { team_id: 1, name: 'triage', description: 'd', body: 'b' }],
      ['PUT /skills/{name}', { team_id: 1, name: 'triage', description: 'd', body: 'c' }],
      ['DELETE /skills/{name}', undefined],
    ] as const
  ).map(
    ([call, body]): ClientCall => ({
      call,
      path: () => call.replace(/^\w+ /, '').replace('{name}', 'triage'),
      ...(body && { body: () => body }),
      status: 404,
      not: 'there are no AI actions',
    }),
  ),
];

/** Scripts that ship stories from a repository by drafts and change requests, and watch them. */
export const storyFactory: Client = {
  name: 'Agentic-Story-Factory-Starter-Kit',
  headers: (key) => ({
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'tines-stories-as-code/1.0 (+scripts)',
  }),
  calls: [...SHIP, ...MONITORING, ...REQUESTS, ...WATCH, ...LOCKS],
};
