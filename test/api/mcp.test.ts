import { ROUTES } from '../../src/app/routes.js';
import { toolsOf } from '../../src/web/mcp/tool.js';
import { OFFERED_OPERATIONS } from '../../src/web/mcp/tool-list.js';
import { type Account, buildAccount } from '../support/builders.js';
import { useManageApi } from '../support/manage-api.js';
import { connectOverHttp, connectOverStdio, type McpTestClient } from '../support/mcp-client.js';
import { sendRaw, statusOf } from '../support/raw-http.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores, { queues: [], relay: false, env: { BODY_LIMIT_BYTES: '100000' } });
const opened: McpTestClient[] = [];
let account: Account;
beforeEach(async () => {
  account = await buildAccount(stores.db, { owner: true });
});
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
});

const ways = { HTTP: connectOverHttp, stdio: connectOverStdio };

async function connect(way: keyof typeof ways, key = account.key): Promise<McpTestClient> {
  const client = await ways[way](api.fabula().url, key);
  opened.push(client);
  return client;
}

const importOf = (name: string) => ({
  new_name: name,
  data: smallExport(),
  team_id: account.team.id,
});

describe.each(['HTTP', 'stdio'] as const)('over %s an assistant', (way) => {
  it('imports, reads, changes, looks at runs, and deletes', async () => {
    const { client, tool } = await connect(way);
    expect(client.getServerVersion()).toMatchObject({ name: 'fabula' });
    expect(client.getInstructions()).toContain('Fabula runs stories');

    const made = await tool('import_story', importOf(`By ${way}`));
    expect(made).toMatchObject({ isError: false, value: { name: `By ${way}` } });
    const { id } = made.value;
    const listed = await tool('list_stories', { search: `By ${way}`, per_page: 5 });
    expect(listed.value).toMatchObject({ stories: [{ id }], meta: { count: 1 } });

    const { agents } = (await tool('list_story_actions', { id })).value;
    const changed = await tool('update_action', { id: agents[0].id, name: 'Renamed' });
    expect(changed).toMatchObject({ isError: false, value: { name: 'Renamed' } });
    expect((await tool('export_story', { id })).value.agents[0].name).toBe('Renamed');

    // A10 clients: an assistant names the version that it has read.
    const { version, ...graph } = (await tool('get_story_graph', { id })).value;
    const replaced = await tool('replace_story_graph', { ...graph, id, version });
    expect(replaced).toMatchObject({ isError: false, value: { version: version + 1 } });
    const stale = await tool('replace_story_graph', { ...graph, id, version });
    expect([stale.isError, JSON.stringify(stale.value)]).toEqual([
      true,
      expect.stringContaining(`which does not match \\"version\\"`),
    ]);

    const run = await tool('start_story_run', { id, payload: { host: 'web-1' } });
    expect(run).toMatchObject({ isError: false, value: { story_id: id, source: 'api' } });
    expect((await tool('get_story_run', { id, guid: run.value.guid })).value.guid).toBe(run.value.guid);
    expect((await tool('list_dead_letters', { story_id: id })).value).toMatchObject({ dead_letters: [] });

    expect(await tool('delete_story', { id })).toEqual({ isError: false, value: 'Done' });
    expect(await tool('get_story', { id })).toEqual({
      isError: true,
      value: { status: 404, errors: [{ message: 'Story not found' }] },
    });
  });

  it('is told every problem of its arguments', async () => {
    const { tool } = await connect(way);
    expect(await tool('list_stories', { per_page: 9999, colour: 'red' })).toEqual({
      isError: true,
      value: {
        status: 422,
        errors: [
          { message: '"per_page" must be less than or equal to 500', details: 'per_page' },
          { message: '"colour" is not allowed', details: 'colour' },
        ],
      },
    });
    expect((await tool('get_story', {})).value.errors).toEqual([
      { message: '"id" is required', details: 'id' },
    ]);
    expect((await tool('get_story', { id: '../teams' })).value.status).toBe(404);
  });

  it('may do what its key may do, and no more', async () => {
    const story = (await (await connect('HTTP')).tool('import_story', importOf(`Guarded by ${way}`))).value;
    const viewer = await buildAccount(stores.db, { team: account.team, role: 'VIEWER' });
    const stranger = await buildAccount(stores.db, { owner: true });

    const { tool } = await connect(way, viewer.key);
    expect((await tool('get_story', { id: story.id })).isError).toBe(false);
    for (const [name, args] of [
      ['update_story', { id: story.id, name: 'Mine' }],
      ['delete_story', { id: story.id }],
      ['start_story_run', { id: story.id }],
      ['import_story', importOf('Mine')],
    ] as const) {
      expect([name, await tool(name, args)]).toMatchObject([name, { isError: true, value: { status: 403 } }]);
    }
    const other = await connect(way, stranger.key);
    expect((await other.tool('get_story', { id: story.id })).value.status).toBe(404);
    expect((await other.tool('list_stories')).value).toMatchObject({ stories: [], meta: { count: 0 } });
  });
});

it('an assistant works on cases, with their records, and sees who changed what', async () => {
  const { tool } = await connect('HTTP');
  const made = await tool('create_case', { name: 'Lost laptop', team_id: account.team.id, priority: 'HIGH' });
  expect(made.isError).toBe(false);
  const id = made.value.case_id;
  await tool('create_case_comment', { id, value: 'Seen in the train' });
  const open = await tool('list_cases', { status: 'OPEN', team_id: account.team.id });
  expect(open.value).toMatchObject({ cases: [{ case_id: id, name: 'Lost laptop' }], meta: { count: 1 } });
  expect((await tool('update_case', { id, status: 'CLOSED' })).value).toMatchObject({ status: 'CLOSED' });
  expect(JSON.stringify((await tool('list_case_activities', { id })).value)).toContain('Seen in the train');
  expect((await tool('list_record_types')).value).toMatchObject({ record_types: [] });
  const { audit_logs: entries } = (await tool('list_audit_logs', { target_type: 'case' })).value;
  expect(entries.map(({ action }: { action: string }) => action)).toContain('case.update');
});

describe('the tools', () => {
  const tools = toolsOf(ROUTES);

  it('are operations that are there', () => {
    expect(tools.length).toBe(OFFERED_OPERATIONS.length);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it('cost an assistant little: no parameters and words without effect', () => {
    const told = JSON.stringify(
      tools.map(({ name, description, inputSchema, annotations }) => [
        name,
        description,
        inputSchema,
        annotations,
      ]),
    );
    // `fields` and `max_chars` take 11,000 of them.
    expect(told.length).toBeLessThan(112_000);
    expect(told).not.toContain('Accepted without effect');
    // Many clients keep these from their model. The whole schemas of the API would be 261,000.
    expect(JSON.stringify(tools.map(({ outputSchema }) => outputSchema)).length).toBeLessThan(27_500);
  });

  it('say whether they read, destroy or reach out', () => {
    const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
    expect(hints('list_stories')).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(hints('delete_story')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints('import_story')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints('start_story_run')).toMatchObject({ destructiveHint: false, openWorldHint: true });
    const reading = tools.filter(({ annotations }) => annotations.readOnlyHint);
    expect(reading.filter(({ route }) => route.audit !== undefined)).toEqual([]);
  });

  it('are told to an assistant with the schemas of the API', async () => {
    const { client } = await connect('HTTP');
    const told = (await client.listTools()).tools;
    expect(told.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    const story = told.find(({ name }) => name === 'import_story')!.inputSchema;
    expect(story).toMatchObject({
      type: 'object',
      required: ['data', 'new_name'],
      additionalProperties: false,
    });
    expect(Object.keys(story['$defs'] as object)).toContain('ExportedAction');
    expect(JSON.stringify(told)).not.toContain('#/components/');
  });
});

describe('MCP over HTTP', () => {
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

  const post = (headers: Record<string, string> = {}, body: unknown = LIST) =>
    fetch(`${api.fabula().url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${account.key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('needs a key', async () => {
    const response = await post({ Authorization: '' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect((await post({ Authorization: 'Bearer fab_nothing' })).status).toBe(401);
  });

  it('answers clients that are no browsers, and pages of its own origin', async () => {
    expect((await post()).status).toBe(200);
    expect((await post({ Origin: api.fabula().url })).status).toBe(200);
  });

  it.each(['https://evil.example', 'http://127.0.0.1:1', 'null', 'http://localhost.evil.example'])(
    'refuses pages of %s',
    async (origin) => {
      expect((await post({ Origin: origin })).status).toBe(403);
    },
  );

  it('refuses a page whose name was led to this server', async () => {
    const body = JSON.stringify(LIST);
    const lines = [
      'POST /mcp HTTP/1.1',
      'Host: rebound.example',
      'Origin: http://rebound.example',
      `Authorization: Bearer ${account.key}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    expect(statusOf(await sendRaw(api.fabula().url, `${lines.join('\r\n')}\r\n\r\n${body}`))).toBe(403);
  });

  it.each([
    ['a batch', [LIST, LIST], 400],
    ['no JSON', '{', 400],
    ['more than the body limit', { ...LIST, params: { x: 'x'.repeat(100_001) } }, 413],
    ['deep nesting', `{"a":${'['.repeat(600)}${']'.repeat(600)}}`, 400],
    ['a refused key', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{}}}', 400],
  ])('refuses %s', async (_what, body, status) => {
    expect((await post({}, body)).status).toBe(status);
  });

  it('has no sessions and no streams', async () => {
    const { url } = api.fabula();
    const headers = { Authorization: `Bearer ${account.key}` };
    expect((await fetch(`${url}/mcp`, { headers })).status).toBe(405);
    expect((await fetch(`${url}/mcp`, { method: 'DELETE', headers })).status).toBe(405);
    expect((await post()).headers.get('mcp-session-id')).toBeNull();
  });

  it('counts each request, that of an unknown tool too', async () => {
    const first = await post();
    const call = { ...LIST, method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } };
    const second = await post({}, call);
    const remaining = [first, second].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(remaining[1]).toBeLessThan(remaining[0]!);
  });

  it('records a write as the API does, with the path of the operation', async () => {
    const { tool } = await connect('HTTP');
    const { value: story } = await tool('import_story', importOf('Recorded'));
    await tool('update_story', { id: story.id, name: 'Recorded twice' });
    const { body } = await api.call(
      account.key,
      `GET /api/v1/audit_logs?target_type=story&target_id=${story.id}`,
    );
    expect(body.audit_logs).toMatchObject([
      { action: 'story.update', method: 'PUT', path: `/api/v1/stories/${story.id}` },
      { action: 'story.import', method: 'POST', path: '/api/v1/stories/import' },
    ]);
  });
});
