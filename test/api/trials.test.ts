import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { buildAccount } from '../support/builders.js';
import { startHttpTarget, type HttpTarget } from '../support/http-target.js';
import { agentIds, call, runsOf, says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: {
      '/risk': ({ text }) => ({
        status: 200,
        body: { risk: 7, asked: JSON.parse(text || 'null') as JsonValue },
      }),
    },
  });
});

afterEach(() => target.close());

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];
const asks = (options: JsonObject = {}): ShortAgent => [
  'HTTPRequest',
  { url: `${target.url}/risk`, method: 'post', content_type: 'json', ...options },
];

const flow = () =>
  storyOf(
    {
      Hook: HOOK,
      Ask: asks({ payload: { host: '=hook.host' } }),
      Grade: says({ grade: '=IF(ask.body.risk > 5, "high", "low")', at: '=NOW()', id: '=UUID()' }),
    },
    ['Hook > Ask > Grade'],
  );

async function ran(data: JsonObject, payload: JsonObject = { host: 'web-1' }) {
  const story = await fabula.importStory(data);
  await fabula.fire(story.webhooks['Hook']!, payload);
  await fabula.settled();
  const [run] = await runsOf(fabula, story.id);
  return { id: story.id, guid: run!.guid, agents: await agentIds(fabula, story.id) };
}

const tryIt = async (body: JsonObject) => {
  const response = await call(fabula, 'POST /api/v1/trials', { body });
  return { http: response.status, ...(response.body as JsonObject) } as JsonObject & { http: number };
};
const TABLES = ['story_runs', 'events', 'deliveries', 'agent_logs', 'agent_memory', 'records', 'event_marks'];
const rowCounts = () =>
  stores.db.read(async (session) => {
    const counts: number[] = [];
    for (const table of TABLES) {
      const [row] = await session.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`);
      counts.push(row?.n ?? 0);
    }
    return counts;
  });

test('a trial of a past run sends and stores nothing, and has no difference to it', async () => {
  const { id, guid } = await ran(flow());
  const before = await rowCounts();
  const requests = target.requests.length;
  const trial = await tryIt({ story_id: id, run_guid: guid });
  expect(trial).toMatchObject({ http: 200, ok: true, unanswered: [], not_taken: [] });
  expect(trial.difference).toMatchObject({ same: true, count: 0, actions: [] });
  expect(trial.events).toMatchObject([
    { id: 1, action: { name: 'Hook' }, parent_id: null, children: [2], payload: { host: 'web-1' } },
    {
      id: 2,
      action: { name: 'Ask' },
      parent_id: 1,
      children: [3],
      payload: { status: 200, body: { risk: 7 } },
    },
    { id: 3, action: { name: 'Grade' }, parent_id: 2, children: [], payload: { grade: 'high' } },
  ]);
  expect(trial.requests).toMatchObject([{ method: 'POST', body: { host: 'web-1' }, status: 200 }]);
  expect(target.requests).toHaveLength(requests);
  expect(await rowCounts()).toEqual(before);
});

test('an export with one other option shows this difference, and nothing else', async () => {
  const { id, guid, agents } = await ran(flow());
  const stored = (await call(fabula, `GET /api/v1/stories/${id}/export`)).body as { agents: JsonObject[] };
  const story = {
    ...stored,
    agents: stored.agents.map((agent) =>
      agent.name === 'Grade'
        ? {
            ...agent,
            options: says({ grade: '=IF(ask.body.risk > 8, "high", "low")', at: '=NOW()', id: '=UUID()' })[1],
          }
        : agent,
    ),
  };
  const trial = await tryIt({ story, run_guid: guid });
  expect(trial.difference).toMatchObject({
    same: false,
    count: 1,
    actions: [
      {
        action: { id: agents['Grade'], name: 'Grade' },
        added: [],
        missing: [],
        changed: [{ event_id: 3, changes: [{ path: 'grade', before: 'high', after: 'low' }] }],
        errors: null,
      },
    ],
  });
});

test('rules answer before the past run, for one action alone if they say so', async () => {
  const { id, guid } = await ran(flow());
  const responses = [
    { action: 'Grade', url: '*', answer: { risk: 1 } },
    { action: 'Ask', url: '*', headers: { 'content-type': 'application/json' }, answer: { risk: 2 } },
  ];
  const trial = await tryIt({ story_id: id, run_guid: guid, responses });
  expect(trial.events).toMatchObject([{}, { payload: { body: { risk: 2 } } }, { payload: { grade: 'low' } }]);
});

test('a credential is its marker, and goes to no host that it is not bound to', async () => {
  for (const more of [{ name: 'token', allowed_hosts: ['other.example.com'] }, { name: 'free' }]) {
    const body = { value: 's3cr3t-of-the-target', team_id: fabula.account.team.id, ...more };
    expect((await fabula.api('POST', '/api/v1/credentials', body)).status).toBe(201);
  }
  const headers = { authorization: '=CREDENTIAL.token' };
  const bound = storyOf({ Hook: HOOK, Ask: asks({ headers, payload: {} }) }, ['Hook > Ask']);
  const { id, guid } = await ran(bound);
  const trial = await tryIt({ story_id: id, run_guid: guid });
  expect(trial.difference).toMatchObject({ same: true });
  expect(trial.errors).toMatchObject([
    { action: { name: 'Ask' }, error: expect.stringContaining('cannot be sent') as string },
  ]);
  const story = storyOf(
    { Hook: HOOK, Ask: asks({ headers: { authorization: '=CREDENTIAL.free' }, payload: {} }) },
    ['Hook > Ask'],
  );
  const shown = await tryIt({ story, event: {}, action: 'Hook' });
  expect(shown.requests).toMatchObject([{ headers: { authorization: '[credential free]' } }]);
  expect(JSON.stringify(shown)).not.toContain('s3cr3t');
});

test('a called story runs too, and answers as in the past', async () => {
  const inner = storyOf({ Start: HOOK, Ask: asks({ payload: { n: '=start.body.n' } }) }, ['Start > Ask'], {
    name: 'Inner',
    entry_agent_guid: 'Start',
    exit_agent_guids: ['Ask'],
    send_to_story_enabled: true,
    guid: 'e'.repeat(32),
  });
  await fabula.importStory(inner);
  const { id, guid } = await ran(
    storyOf(
      {
        Hook: HOOK,
        Each: ['EventTransformation', { mode: 'explode', path: '=hook.list', to: 'item' }],
        Send: ['SendToStory', { story: '=STORY.inner', payload: { n: '=each.item' } }],
        Done: says({ got: '=send.body.asked.n' }),
      },
      ['Hook > Each > Send > Done'],
    ),
    { list: [1, 2, 3, 4] },
  );
  const trial = await tryIt({ story_id: id, run_guid: guid });
  expect(trial.difference).toMatchObject({ same: true });
  expect(trial.calls).toHaveLength(4);
  expect(trial.unanswered).toEqual([]);
});

test('a story runs on a given event, and what nothing answers is named', async () => {
  const story = await fabula.importStory(flow());
  const trial = await tryIt({ story_id: story.id, event: { host: 'db-1' }, action: 'Hook' });
  expect(trial).toMatchObject({ ok: false, difference: null, unanswered: [`POST ${target.url}/risk`] });
  expect(trial.requests).toMatchObject([{ body: { host: 'db-1' }, status: 0 }]);
});

/** The events of the run of `flow`, by the name of their action. */
async function eventsOf(id: number, guid: string): Promise<Record<string, number>> {
  const { body } = await call(fabula, `GET /api/v1/stories/${id}/runs/${guid}`);
  const { events } = body as { events: { id: number; agent_name?: string; agent_id: number }[] };
  const agents = await agentIds(fabula, id);
  return Object.fromEntries(
    Object.entries(agents).flatMap(([name, agentId]) =>
      events.filter((event) => event.agent_id === agentId).map((event) => [name, event.id]),
    ),
  );
}

test('a trial from an event of a run on is answered by that run and compared with what followed', async () => {
  const data = storyOf(
    {
      Hook: HOOK,
      Ask: asks({ payload: { host: '=hook.host' } }),
      Again: asks({ payload: { risk: '=ask.body.risk' } }),
      Grade: says({ grade: '=IF(again.body.risk > 5, "high", "low")' }),
      Aside: says({ host: '=hook.host' }),
    },
    ['Hook > Ask > Again > Grade', 'Hook > Aside'],
  );
  const { id, guid, agents } = await ran(data);
  const events = await eventsOf(id, guid);
  const sent = target.requests.length;
  const from = { story_id: id, run_guid: guid, event_id: events['Ask']!, action: agents['Again']! };
  const trial = await tryIt(from);
  expect(trial).toMatchObject({ http: 200, ok: true, unanswered: [], story_run_guid: guid });
  expect(trial.difference).toMatchObject({ same: true, actions: [] });
  expect(trial.events).toMatchObject([
    { action: { name: 'Ask' } },
    { action: { name: 'Again' } },
    { action: { name: 'Grade' } },
  ]);
  expect(trial.requests).toMatchObject([{ response_from: 'recorded', body: { risk: 7 } }]);
  expect(target.requests).toHaveLength(sent);

  const changed = await tryIt({ ...from, responses: [{ url: '*', answer: { risk: 1 } }] });
  expect((changed.difference as JsonObject).actions).toMatchObject([
    { action: { name: 'Again' }, missing: [], added: [] },
    { action: { name: 'Grade' }, changed: [{ changes: [{ path: 'grade', before: 'high', after: 'low' }] }] },
  ]);

  // One branch of the first event: the other is neither run nor missed.
  const branch = await tryIt({ story_id: id, run_guid: guid, event_id: events['Hook']!, action: 'Aside' });
  expect(branch.difference).toMatchObject({ same: true });
  expect(branch.events).toMatchObject([{ action: { name: 'Hook' } }, { action: { name: 'Aside' } }]);

  const other = await ran(flow());
  const foreign = await eventsOf(other.id, other.guid);
  expect(await tryIt({ ...from, event_id: foreign['Ask']! })).toMatchObject({
    http: 422,
    errors: [{ details: 'event_id' }],
  });
});

test('a run that begins with an input is tried again from its first action on', async () => {
  const story = await fabula.importStory(
    storyOf({ First: says({ n: '=n' }), Then: says({ m: '=first.n' }) }, ['First > Then']),
  );
  const { body } = await call(fabula, `POST /api/v1/stories/${story.id}/runs`, {
    body: { payload: { n: 4 } },
  });
  await fabula.settled();
  const { guid } = body as { guid: string };
  const trial = await tryIt({ story_id: story.id, run_guid: guid, action: 'First' });
  expect(trial).toMatchObject({ http: 200, difference: { same: true } });
  expect(trial.events).toMatchObject([{ payload: { n: 4 } }, { payload: { m: 4 } }]);
});

const rule = (value: string): ShortAgent => [
  'Trigger',
  { rules: [{ type: 'field==value', path: '=hook.host', value }] },
];

test('each event tells by which port it left, and who received it', async () => {
  const data = storyOf(
    {
      Hook: HOOK,
      Yes: rule('web-1'),
      No: rule('db-1'),
      Mute: rule('db-1'),
      Fail: ['HTTPRequest', { url: `${target.url}/none`, method: 'get', fail_on_status: ['400-599'] }],
      Matched: says({}),
      Other: says({}),
      Rescue: says({}),
    },
    ['Hook > Yes > Matched', 'Hook > No ! Other', 'Hook > Mute > Matched', 'Hook > Fail # Rescue'],
  );
  const story = await fabula.importStory(data);
  const trial = await tryIt({
    story_id: story.id,
    event: { host: 'web-1' },
    action: 'Hook',
    responses: [{ url: '*', status: 500 }],
  });
  const left = (trial.events as JsonObject[]).map(({ action, port, receivers }) => [
    (action as JsonObject).name,
    port,
    (receivers as JsonObject[]).map(({ name }) => name),
  ]);
  expect(Object.fromEntries(left.map(([name, ...rest]) => [name, rest]))).toMatchObject({
    Hook: ['default', ['Yes', 'No', 'Mute', 'Fail']],
    Yes: ['default', ['Matched']],
    No: ['no_match', ['Other']],
    Fail: ['failure', ['Rescue']],
    Matched: ['default', []],
  });
  expect(trial.silent).toMatchObject([{ action: { name: 'Mute' }, parent_id: 2 }]);
});

test('another tenant gets 404, and bad input names each fault', async () => {
  const { id, guid } = await ran(flow());
  const other = await buildAccount(stores.db, { owner: true });
  const as = (body: JsonObject) => call(fabula, 'POST /api/v1/trials', { body, as: other });
  expect((await as({ story_id: id })).status).toBe(404);
  expect((await as({ story: flow(), run_guid: guid })).status).toBe(404);
  expect((await tryIt({})).http).toBe(422);
  expect((await tryIt({ story_id: id, run_guid: guid, event: {} })).http).toBe(422);
  expect(await tryIt({ story_id: id, event: {}, action: 'Nobody' })).toMatchObject({
    http: 422,
    errors: [{ message: 'The story has no action "Nobody"', details: 'action' }],
  });
  const agents = [{ type: 'Agents::TriggerAgent', name: 'T', options: { rules: 5 } }];
  expect(await tryIt({ story: { schema_version: 30, name: 'x', agents, links: [] } })).toMatchObject({
    http: 422,
  });
});
