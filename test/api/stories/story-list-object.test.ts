import { type Account, buildAccount } from '../../support/builders.js';
import { places, type Parsed, useManageApi } from '../../support/manage-api.js';
import { useStores } from '../../support/stores.js';
import { agent, type ShortAgent, smallExport, storyOf } from '../../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);
const object = useManageApi(stores, { queues: [], relay: false, env: { STORIES_LIST: 'object' } });
const PATH = '/api/v1/stories';

async function withStories(bodies: object[]): Promise<Account> {
  const account = await buildAccount(stores.db);
  for (const body of bodies) {
    const { id } = (await api.call(account.key, `POST ${PATH}`, {})).body;
    expect((await api.call(account.key, `PUT ${PATH}/${id}`, body)).status).toBe(200);
  }
  return account;
}

async function names(key: string, query: string): Promise<string[]> {
  const { body } = await api.call(key, `GET ${PATH}?${query}`);
  return (body.stories as { name: string }[]).map(({ name }) => name);
}

describe('the list of stories with a parameter', () => {
  it('is an object of whole stories, with pages', async () => {
    const { key } = await withStories([{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
    const { body, headers } = await api.call(key, `GET ${PATH}?per_page=2`);
    const [first] = body.stories as Parsed[];
    expect((await api.call(key, `GET ${PATH}/${first.id}`)).body).toEqual(first);
    expect(body.meta).toMatchObject({ count: 3, pages: 2, per_page: 2, next_page_number: 2 });
    expect(headers.get('x-total-count')).toBe('3');
    expect(headers.get('link')).toContain('rel="next"');
    const { search } = new URL(body.meta.next_page);
    expect(await names(key, search.slice(1))).toEqual(['A']);
  });

  it('keeps its seven keys in an array without a parameter, unless the setting says otherwise', async () => {
    const { key } = await withStories([{ name: 'A' }]);
    const bare = (await api.call(key, `GET ${PATH}`)).body as object[];
    expect(bare.map((story) => Object.keys(story))).toEqual([
      ['id', 'name', 'user_id', 'created_at', 'updated_at', 'description', 'guid'],
    ]);
    const { body } = await object.call(key, `GET ${PATH}`);
    expect([body.stories.length, body.meta.count]).toEqual([1, 1]);
  });

  it.each<[string, boolean]>([
    ['Tines/GoSdk', false],
    ['Tines/TerraformProvider', false],
    ['python-requests/2.32.3', true],
    ['curl/8.5.0', true],
    ['My Tines/1', true],
  ])('A2 clients: without a parameter, %s gets the array: %s', async (agentName, isArray) => {
    const { key } = await withStories([{ name: 'A' }]);
    const headers = { authorization: `Bearer ${key}`, 'user-agent': agentName };
    const response = await fetch(`${api.fabula().url}${PATH}`, { headers });
    const body = (await response.json()) as Parsed;
    expect(Array.isArray(body)).toBe(isArray);
    expect((isArray ? body : body.stories)[0].name).toBe('A');
    if (!isArray) return expect(body.meta).toMatchObject({ count: 1, next_page_number: null });
    const [, address = ''] = /^<([^>]+)>; rel="alternate"$/.exec(response.headers.get('link') ?? '') ?? [];
    const object = (await (await fetch(address, { headers })).json()) as Parsed;
    expect(object.stories[0].name).toBe('A');
  });

  it.each([
    ['filter=PUBLISHED', ['F', 'E', 'D', 'C', 'B', 'A']],
    ['filter=SEND_TO_STORY_ENABLED', ['F']],
    ['filter=HIGH_PRIORITY', ['B']],
    ['filter=API_ENABLED', ['C']],
    ['filter=DISABLED', ['D']],
    ['filter=LOCKED', ['E']],
    ['filter=CHANGE_CONTROL_ENABLED', ['A']],
    ['filter=FAVORITE', []],
    ['tags=x', ['F', 'D']],
    ['tags=x,"y"', ['F', 'E', 'D']],
    ['tags[]=x&tags[]=z&filter=DISABLED', ['D']],
    ['order=NAME&tags=x', ['D', 'F']],
    ['order=NAME_DESC&tags=x&search=f', ['F']],
  ])('gives with %s %j', async (query, expected) => {
    const { key } = await withStories([
      { name: 'A', change_control_enabled: true },
      { name: 'B', priority: true },
      { name: 'C', webhook_api_enabled: true },
      { name: 'D', disabled: true, tags: ['x'] },
      { name: 'E', locked: true, tags: ['"y"', 'Z'] },
      { name: 'F', send_to_story_access_source: 'STS', tags: ['w', 'x'] },
    ]);
    expect(await names(key, query)).toEqual(expected);
  });

  it('is in the order of the last edit or of the number of actions', async () => {
    const { key } = await withStories([{ name: 'none' }]);
    for (const [new_name, count] of [
      ['two', 2],
      ['one', 1],
    ] as const) {
      const agents = ['1', '2'].slice(0, count).map((n) => agent('Agents::TriggerAgent', n, { rules: [] }));
      await api.call(key, `POST ${PATH}/import`, { new_name, data: smallExport({ agents, links: [] }) });
    }
    expect(await names(key, 'order=ACTION_COUNT_ASC')).toEqual(['none', 'one', 'two']);
    expect(await names(key, 'order=ACTION_COUNT_DESC')).toEqual(['two', 'one', 'none']);
    await stores.sql("UPDATE stories SET edited_at = NOW(3) + INTERVAL 1 HOUR WHERE name = 'none'");
    expect((await names(key, 'order=RECENTLY_EDITED'))[0]).toBe('none');
    expect((await names(key, 'order=LEAST_RECENTLY_EDITED'))[2]).toBe('none');
  });

  it('counts what waits and what failed, if asked', async () => {
    const { key } = await withStories([{ name: 'idle' }, { name: 'busy' }]);
    const [busy] = (await api.call(key, `GET ${PATH}`)).body as Parsed[];
    const insert = (run: string, agentId: number, state: string) =>
      stores.sql(
        "INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, state) VALUES (?, ?, ?, 1, 'email', 1, NOW(3), ?)",
        [run, busy.id, agentId, state],
      );
    await insert('r1', 1, 'pending');
    await insert('r1', 2, 'waiting');
    await insert('r2', 2, 'parked');
    await insert('r3', 3, 'failed');
    const counts = {
      pending_action_runs_count: 3,
      concurrent_runs_count: 2,
      not_working_actions_count: 1,
      tokens_used_percentage: 0,
    };
    const { stories } = (await api.call(key, `GET ${PATH}?include_live_activity=true&order=NAME`)).body;
    expect(stories).toMatchObject([counts, { name: 'idle', pending_action_runs_count: 0 }]);
    const one = await api.call(key, `GET ${PATH}/${busy.id}?include_live_activity=True&story_mode=LIVE`);
    expect(one.body).toMatchObject(counts);
    expect((await api.call(key, `GET ${PATH}?per_page=1`)).body.stories[0]).not.toHaveProperty(
      'concurrent_runs_count',
    );
  });

  it('tells what starts runs by itself, if asked', async () => {
    const { key, team } = await buildAccount(stores.db);
    const say: ShortAgent = ['EventTransformation', { mode: 'message_only', payload: {} }];
    const timed: ShortAgent = [say[0], say[1], { schedule: { cron: '0 9 * * *' } }];
    const kinds: [string, Record<string, ShortAgent>][] = [
      ['A: both', { Hook: ['Webhook', {}], Timed: timed }],
      ['B: neither', { Say: say }],
      ['C: disabled', { Hook: ['Webhook', {}, { disabled: true }] }],
      ['D: paused', { Timed: timed }],
    ];
    for (const [name, agents] of kinds) {
      const body = { new_name: name, team_id: team.id, data: storyOf(agents, [], { name }) };
      expect((await api.call(key, `POST ${PATH}/import`, body)).status).toBe(200);
    }
    const paused =
      "(SELECT a.id FROM agents a JOIN stories s ON s.id = a.story_id WHERE s.name = 'D: paused')";
    await stores.sql(`UPDATE schedules SET paused_at = NOW(3) WHERE agent_id IN ${paused}`);
    const { body } = await api.call(key, `GET ${PATH}?include_live_activity=true&order=NAME`);
    const starts = (body.stories as Parsed[]).map(({ name, starts_by: by }) => [name, by]);
    expect(starts).toEqual([
      ['A: both', ['webhook', 'schedule']],
      ['B: neither', []],
      ['C: disabled', []],
      ['D: paused', []],
    ]);
  });

  it.each([
    ['filter=NONE', 'filter'],
    ['order=name', 'order'],
    ['include_live_activity=maybe', 'include_live_activity'],
    ['nme=x', 'nme'],
  ])('refuses ?%s', async (query, place) => {
    const { key } = await buildAccount(stores.db);
    const response = await api.call(key, `GET ${PATH}?${query}`);
    expect([response.status, places(response)]).toEqual([422, [place]]);
  });
});
