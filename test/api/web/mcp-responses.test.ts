import type { JsonObject } from '../../../src/platform/json.js';
import { type Account, buildAccount } from '../../support/builders.js';
import { startHttpTarget } from '../../support/http-target.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { connectOverHttp, connectOverStdio, type McpTestClient } from '../../support/mcp-client.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores, { queues: [], relay: false });
const opened: McpTestClient[] = [];
let account: Account;
beforeEach(async () => {
  account = await buildAccount(stores.db, { owner: true });
});
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
});

const ways = { HTTP: connectOverHttp, stdio: connectOverStdio };

async function connect(way: keyof typeof ways): Promise<McpTestClient> {
  const client = await ways[way](api.fabula().url, account.key);
  opened.push(client);
  return client;
}

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];

async function importedStory({ tool }: McpTestClient, more: Record<string, ShortAgent> = {}) {
  const data = storyOf({ Hook: HOOK, ...more }, []);
  const { value } = await tool('import_story', { new_name: 'Long', data, team_id: account.team.id });
  return value.id as number;
}

/** Events of the story's first action, stored as they are. */
async function storeEvents(storyId: number, payloads: JsonObject[]) {
  const { agents } = (await api.call(account.key, `GET /api/v1/stories/${storyId}/agents`)).body;
  for (const payload of payloads) {
    await stores.sql(
      `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage) VALUES (UUID(), ?, ?, ?, '{}')`,
      [storyId, agents[0].id, JSON.stringify(payload)],
    );
  }
}

describe.each(['HTTP', 'stdio'] as const)('a response over %s', (way) => {
  it('is shortened to valid JSON that says where, and how to get the rest', async () => {
    const client = await connect(way);
    const { whole: tool } = client;
    const id = await importedStory(client);
    await storeEvents(
      id,
      Array.from({ length: 6 }, (_, n) => ({
        n,
        body: 'x'.repeat(90_000),
        list: Array(20).fill('y'.repeat(20)),
      })),
    );
    const { isError, value, text, structured } = await tool('list_events', { story_id: id });
    expect(isError).toBe(false);
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(structured).toEqual(value);
    expect(value.events).toHaveLength(6);
    expect(value.events[0].payload.body).toMatch(
      /^x+… \[truncated by Fabula; the full text has 90000 characters\]$/,
    );
    expect(value.shortened).toEqual({
      why: expect.stringMatching(/^The full response has 5\d{5} characters, and "max_chars" is 60000\.$/),
      cut_texts: ['events[].payload.body'],
      rest: expect.stringContaining('"max_chars"'),
    });

    const longer = await tool('list_events', { story_id: id, per_page: 2, max_chars: 400_000 });
    expect(longer.value.shortened).toBeUndefined();
    expect(longer.value.events[0].payload.body).toHaveLength(90_000);
    const few = await tool('list_events', { story_id: id, fields: ['id', 'payload.n'] });
    expect(few.value.events.map(({ payload }: Parsed) => payload)).toEqual(
      [5, 4, 3, 2, 1, 0].map((n) => ({ n })),
    );
    expect(Object.keys(few.value)).toEqual(['events', 'meta']);
    const least = await tool('list_events', { story_id: id, max_chars: 1_000 });
    expect(least.text.length).toBeLessThanOrEqual(1_000);
    expect(JSON.parse(least.text).shortened.rest).toContain('per_page');
  });

  it('names what is wrong with its form, before anything happens', async () => {
    const client = await connect(way);
    const { whole: tool } = client;
    const wrong = async (given: JsonObject) => (await tool('list_stories', given)).value;
    expect(await wrong({ fields: ['name', 'colour'] })).toEqual({
      status: 422,
      errors: [
        {
          message: expect.stringMatching(
            /^"fields" contains "colour", but there is no "colour"\. Available: .*\bname\b/,
          ),
          details: 'fields',
        },
      ],
    });
    for (const given of [{ max_chars: 999 }, { max_chars: 400_001 }, { fields: [] }, { fields: 'name' }])
      expect((await wrong(given)).status).toBe(422);
    expect((await wrong({ fields: null, max_chars: null })).stories).toEqual([]);
    const data = storyOf({ Hook: HOOK }, []);
    const refused = await tool('import_story', { new_name: 'Never', data, fields: ['nope'] });
    expect(refused.value.status).toBe(422);
    expect((await tool('list_stories')).value.stories).toEqual([]);
    const made = await tool('import_story', { new_name: 'Made', data, fields: ['id', 'name'] });
    expect(made.value).toEqual({ id: expect.any(Number), name: 'Made' });
    const nowhere = await tool('get_action', { id: 0, fields: ['options.nowhere'] });
    expect(nowhere.isError).toBe(true);
  });

  it('that is read to be sent back is refused, not shortened; nothing cut is taken back', async () => {
    const client = await connect(way);
    const { whole: tool } = client;
    const long = { mode: 'message_only', payload: { text: 'z'.repeat(70_000) } };
    const id = await importedStory(client, { Say: ['EventTransformation', long] });
    for (const name of ['export_story', 'get_story_graph']) {
      const { value } = await tool(name, { id });
      expect([name, value]).toMatchObject([name, { status: 413 }]);
      expect(value.errors[0].message).toMatch(/^The response has 7\d{4} characters, .*"max_chars".*"fields"/);
      expect((await tool(name, { id, max_chars: 100_000 })).value.agents).toHaveLength(2);
      expect((await tool(name, { id, fields: ['agents.name'] })).value.agents).toEqual([
        { name: 'Hook' },
        { name: 'Say' },
      ]);
    }
    const { agents, shortened } = (await tool('list_story_actions', { id })).value;
    expect(agents).toMatchObject([{ name: 'Hook' }]);
    expect(shortened.left_out).toEqual({ agents: 1 });
    const cut = {
      id: agents[0].id,
      description: 'a… [truncated by Fabula; the full text has 70000 characters]',
    };
    expect((await tool('update_action', cut)).value).toMatchObject({
      status: 422,
      errors: [{ details: 'description' }],
    });
  });

  it('tells fields that are nowhere, and keeps digits in its text', async () => {
    const client = await connect(way);
    const { whole: tool } = client;
    const id = await importedStory(client);
    await storeEvents(id, [{ a: 1 }, { a: 2 }]);
    await stores.sql(`UPDATE events SET payload = '{"n":9007199254740993}' WHERE story_id = ? LIMIT 1`, [id]);
    const { value, text } = await tool('list_events', { story_id: id, fields: ['payload.n', 'payload.x'] });
    expect(value.fields_not_found).toEqual(['events.payload.x']);
    expect(text).toContain('9007199254740993');
  });
});

it('over both transports a response is the same', async () => {
  const [http, stdio] = [await connect('HTTP'), await connect('stdio')];
  const id = await importedStory(http);
  const calls: [string, JsonObject][] = [
    ['list_functions', { per_page: 500 }],
    ['list_functions', { per_page: 500, fields: ['name'] }],
    ['list_functions', { per_page: 500, max_chars: 2_000, fields: ['name', 'description'] }],
    ['get_story', { id, max_chars: 1_000 }],
  ];
  for (const [name, given] of calls) {
    const [one, other] = [await http.whole(name, given), await stdio.whole(name, given)];
    expect(one.value).toEqual(other.value);
    expect(one.text.length).toBeLessThanOrEqual(Number(given['max_chars'] ?? 60_000));
  }
});

it('of a list whose entries are very long the first ones are kept, and the others counted', async () => {
  const client = await connect('HTTP');
  const id = await importedStory(client);
  await storeEvents(
    id,
    Array.from({ length: 40 }, (_, n) => ({ n, body: 'x'.repeat(90_000) })),
  );
  const { value } = await client.tool('list_events', { story_id: id, per_page: 40 });
  const kept = value.events.length;
  expect(kept).toBeGreaterThan(5);
  expect(value.shortened.left_out).toEqual({ events: 40 - kept });
  expect(value.shortened.rest).toContain(`"per_page": ${kept}`);
  const rest = await client.tool('list_events', { story_id: id, per_page: 40, fields: ['payload.n'] });
  expect(rest.value.events).toHaveLength(40);
});

it('a tool that answers nothing takes no form, and needs none', async () => {
  const client = await connect('HTTP');
  const id = await importedStory(client);
  expect((await client.tool('delete_story', { id, max_chars: 5_000 })).value.status).toBe(422);
  expect(await client.tool('delete_story', { id })).toMatchObject({ isError: false, value: 'Done' });
});

it('a server that answers a page instead of JSON is told in plain words', async () => {
  const target = await startHttpTarget({
    rules: {
      '/api/v1/users/me': { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>') },
    },
  });
  try {
    const client = await connectOverStdio(target.url, 'key');
    opened.push(client);
    expect(await client.tool('get_me')).toEqual({
      isError: true,
      value: { status: 502, errors: [{ message: 'The server did not respond with JSON' }] },
    });
  } finally {
    await target.close();
  }
});
