/** The most expensive request through a door. */
export interface WorstRequest {
  name: string;
  /** Its sender: the one with the fewest rights that may send it. */
  as: 'nobody' | 'VIEWER' | 'EDITOR';
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** JSON unless `type` says otherwise. Not sent compressed: what grows too much is refused unread. */
  body?: () => string;
  type?: string;
  /** Served for people, under the host name of `ADMIN_ORIGIN`. */
  forPeople?: boolean;
}

/** A way in: the file that opens it, and the worst of each kind of request that comes through it. */
export interface Door {
  file: string;
  worst: WorstRequest[];
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
const query = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`).join('&');

const rpc = (method: string, params: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
const call = (tool: string, given: string) => rpc('tools/call', `{"name":"${tool}","arguments":${given}}`);

const tool = (name: string, body: () => string): WorstRequest => ({
  name: `mcp: ${name}`,
  as: 'VIEWER',
  method: 'POST',
  path: '/mcp',
  body,
});
const forPeople = (name: string, path: string, body?: () => string): WorstRequest => ({
  name,
  as: 'nobody',
  method: body === undefined ? 'GET' : 'POST',
  path,
  forPeople: true,
  ...(body && { body }),
});
const post = (name: string, path: string, body: () => string): WorstRequest => ({
  name,
  as: 'VIEWER',
  method: 'POST',
  path,
  body,
});
const get = (name: string, path: string, as: WorstRequest['as'] = 'nobody'): WorstRequest => ({
  name,
  as,
  method: 'GET',
  path,
});

const SMALL = () => `{${names(300)}}`;

/** THE list of doors: every file that makes a router, with the worst requests to it. */
export const DOORS: Door[] = [
  {
    file: 'src/api/routing/mount-routes.ts',
    worst: [
      get('a read with unknown parameters', `/api/v1/stories?${query(1_990)}`, 'VIEWER'),
      get('a read with one long list', `/api/v1/stories?${'tags[]=a&'.repeat(990)}`, 'VIEWER'),
      post('a write of unknown names', '/api/v1/folders', () => `{${names(19_000)}}`),
      post(
        'an import of objects',
        '/api/v1/stories/import',
        () => `{"data":{"agents":[${'{},'.repeat(98_000)}{}]}}`,
      ),
      post(
        'a trial of rules',
        '/api/v1/trials',
        () => `{"story_id":1,"responses":[${'{"url":"a"},'.repeat(19_000)}{}]}`,
      ),
      post(
        'a check of objects',
        '/api/v1/stories/check',
        () => `{"data":{"agents":[${'{},'.repeat(19_000)}{}]}}`,
      ),
    ],
  },
  {
    file: 'src/api/routing/api-router.ts',
    worst: [get('an endpoint that is not there', '/api/v1/nothing', 'VIEWER')],
  },
  {
    file: 'src/web/mcp/mcp-router.ts',
    worst: [
      tool('the list of tools', () => rpc('tools/list', '{}')),
      tool('unknown arguments of a read', () => call('list_stories', `{${names(49_000)}}`)),
      tool('unknown arguments of a write', () => call('create_story', `{${names(49_000)}}`)),
      tool('as many arguments as are split at once', () => call('create_story', `{${names(5_000)}}`)),
      tool('an import of objects', () =>
        call('import_story', `{"data":{"agents":[${'{},'.repeat(98_000)}{}]}}`),
      ),
      tool('a list in the query', () => call('list_stories', `{"tags":[${'"a",'.repeat(49_000)}"a"]}`)),
      tool('a wide field of a write', () => call('create_folder', `{"name":[${'1,'.repeat(19_000)}1]}`)),
      tool('an envelope of unknown names', () => rpc('initialize', `{${names(49_000)}}`)),
      tool('an envelope that is just small enough', () => rpc('initialize', `{${names(950)}}`)),
      tool('deep arguments', () => call('create_story', `{"name":${'['.repeat(3_000_000)}`)),
      tool('long arguments', () => call('create_story', `{"name":"${'\\u00e9'.repeat(1_500_000)}"}`)),
    ],
  },
  {
    file: 'src/web/webhooks/webhook-router.ts',
    worst: [
      {
        name: 'a webhook: objects',
        as: 'nobody',
        method: 'POST',
        path: 'WEBHOOK',
        body: () => `[${'{},'.repeat(99_000)}1]`,
      },
      {
        name: 'a webhook: XML',
        as: 'nobody',
        method: 'POST',
        path: 'WEBHOOK',
        type: 'text/xml',
        body: () => `<a>${'<b/>'.repeat(100_000)}</a>`,
      },
    ],
  },
  {
    file: 'src/web/webhooks/calls/own-calls.ts',
    worst: [
      {
        ...post(
          'a call by hand with many headers',
          '/api/v1/webhooks/1/call',
          () => `{"headers":{${names(19_000)}}}`,
        ),
        as: 'EDITOR',
      },
    ],
  },
  {
    file: 'src/api/openapi/pages/docs-router.ts',
    worst: [
      get('the document of the API', '/api/openapi.json'),
      get('the page of the API', '/api/docs/plain'),
      get('the schema of stories', '/api/story.schema.json'),
    ],
  },
  { file: 'src/platform/http/server/health-router.ts', worst: [get('a check of health', '/readyz')] },
  {
    file: 'src/web/prompts/prompt-router.ts',
    worst: [{ ...get('a prompt', `/prompts/${'a'.repeat(40)}/b`), method: 'POST', body: SMALL }],
  },
  {
    file: 'src/data/credentials/oauth/oauth-router.ts',
    worst: [get('the way back of OAuth', `/oauth/callback?code=a&state=${'b'.repeat(8_000)}`)],
  },
  { file: 'src/data/cases/view/case-page.ts', worst: [get('the page of a case', '/cases/1')] },
  { file: 'src/web/admin/admin-app.ts', worst: [forPeople('the origin of people', '/')] },
  {
    file: 'src/web/admin/people/people-origin.ts',
    worst: [forPeople('the API of people', '/api/v1/stories')],
  },
  {
    file: 'src/web/admin/people/session/session-router.ts',
    worst: [forPeople('a sign-in', '/session', SMALL)],
  },
  {
    file: 'src/web/admin/people/session/session-list-router.ts',
    worst: [forPeople('the sessions of a person', '/session/all')],
  },
  {
    file: 'src/web/admin/people/password-router.ts',
    worst: [forPeople('a forgotten password', '/session/reset', SMALL)],
  },
  {
    file: 'src/web/admin/people/invitation-router.ts',
    worst: [forPeople('an invitation', '/session/invitations', SMALL)],
  },
  { file: 'src/web/admin/console/console-router.ts', worst: [forPeople('the console', '/console/')] },
  {
    file: 'src/web/admin/sign-in-router.ts',
    worst: [forPeople('the sign-in of the board', '/admin/sign-in', SMALL)],
  },
  { file: 'src/web/admin/board/board.ts', worst: [forPeople('the board', '/admin/queues')] },
  {
    file: 'src/web/admin/run-page/run-router.ts',
    worst: [forPeople('the page of a run', '/admin/runs/0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57')],
  },
];
