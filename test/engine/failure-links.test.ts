import type { JsonObject } from '../../src/platform/json.js';
import { eventually } from '../support/eventually.js';
import { startHttpTarget, type HttpTarget } from '../support/http-target.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores, { env: { MAX_ATTEMPTS: '2' } });
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: { '/refuses': { status: 418, body: 'short and stout' }, '/busy': { status: 503 } },
  });
});

afterEach(() => target.close());

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];
/** Fails at once, whatever it receives. */
const FAILS: ShortAgent = ['EventTransformation', { mode: 'delay' }];
const emits = (payload: JsonObject): ShortAgent => ['EventTransformation', { mode: 'message_only', payload }];
const asks = (path: string, options: JsonObject = {}): ShortAgent => [
  'HTTPRequest',
  { url: `${target.url}${path}`, method: 'get', ...options },
];

async function run(story: JsonObject, body: JsonObject = {}): Promise<Response> {
  const { webhooks } = await fabula.importStory(story);
  const response = await fabula.fire(webhooks['Hook']!, body);
  await fabula.settled();
  return response;
}

async function payloadsOf(agent: string) {
  return (await fabula.events()).filter((event) => event.agent === agent).map(({ payload }) => payload);
}

const parkedItems = () => stores.db.read((session) => session.rows('SELECT * FROM implode_items'));
const errorLines = async () => (await fabula.logs()).filter(({ level }) => level === 4);

test('the error goes down the failure links, with the input of the action still at hand', async () => {
  await run(
    storyOf(
      {
        Hook: HOOK,
        Wait: FAILS,
        After: emits({ after: true }),
        Rescue: emits({ said: '=wait.error.message', who: '=wait.action.name', n: '=hook.n' }),
      },
      ['Hook > Wait > After', 'Wait # Rescue'],
    ),
    { n: 7 },
  );
  const [failed] = await payloadsOf('Wait');
  expect(failed).toEqual({
    error: { message: expect.any(String) as string, attempts: 1 },
    action: { id: expect.any(Number) as number, name: 'Wait' },
  });
  const { message } = (failed as { error: { message: string } }).error;
  expect(await payloadsOf('Rescue')).toEqual([{ said: message, who: 'Wait', n: 7 }]);
  expect(await payloadsOf('After')).toEqual([]);
  expect(await fabula.deadLetters()).toEqual([]);
  expect(await errorLines()).toEqual([{ agent: 'Wait', level: 4, message }]);
});

test('a failure link gets no ordinary event, and no event of the no-match branch', async () => {
  await run(
    storyOf(
      {
        Hook: HOOK,
        Fine: emits({ ok: true }),
        Never: ['Trigger', { rules: [{ type: 'field==value', path: '1', value: '2' }], emit_no_match: true }],
        Rescue: emits({ rescued: true }),
      },
      ['Hook > Fine > Never', 'Hook # Rescue', 'Fine # Rescue', 'Never # Rescue'],
    ),
  );
  expect(await payloadsOf('Never')).toEqual([{ rule_matched: false }]);
  expect(await payloadsOf('Rescue')).toEqual([]);
});

test('an HTTP action gives up after its attempts, and its error has the status', async () => {
  await run(
    storyOf(
      {
        Hook: HOOK,
        Refused: asks('/refuses', { fail_on_status: true }),
        Busy: asks('/busy', { fail_on_status: true }),
        Rescue: emits({ refused: '=refused.error', busy: '=busy.error' }),
      },
      ['Hook > Refused # Rescue', 'Hook > Busy # Rescue'],
    ),
  );
  expect(await payloadsOf('Refused')).toMatchObject([{ error: { status: 418, attempts: 1 } }]);
  expect(await payloadsOf('Busy')).toMatchObject([{ error: { status: 503, attempts: 2 } }]);
  expect(target.requests.filter(({ path }) => path === '/busy')).toHaveLength(2);
  expect(await fabula.deadLetters()).toEqual([]);
  expect(await payloadsOf('Rescue')).toHaveLength(2);
});

test('without a receiver that is enabled the failure stays a dead letter', async () => {
  const [type, options] = emits({});
  await run(
    storyOf({ Hook: HOOK, Wait: FAILS, Rescue: [type, options, { disabled: true }] }, [
      'Hook > Wait # Rescue',
    ]),
  );
  expect(await fabula.deadLetters()).toMatchObject([{ attempts: 1 }]);
  expect(await payloadsOf('Wait')).toEqual([]);
});

test('failures in a circle end as a dead letter of a runaway', async () => {
  await fabula.runWith({ env: { MAX_DEPTH: '10' } });
  await run(storyOf({ Hook: HOOK, One: FAILS, Two: FAILS }, ['Hook > One # Two # One']));
  expect(await fabula.deadLetters()).toMatchObject([
    { error: expect.stringContaining('runaway loop') as string },
  ]);
  expect([...(await payloadsOf('One')), ...(await payloadsOf('Two'))]).toHaveLength(10);
});

test('a waiting webhook gets the response of the action that handles the failure', async () => {
  const response = await run(
    storyOf(
      { Hook: HOOK, Wait: FAILS, Rescue: emits({ rescued: '=wait.action.name' }) },
      ['Hook > Wait # Rescue'],
      { synchronous_webhooks_enabled: true, api_exit_action_guids: ['Wait', 'Rescue'] },
    ),
  );
  expect(await response.json()).toEqual({ rescued: 'Wait' });
});

const helper = (agents: Record<string, ShortAgent>, links: string[], exits: string[]) =>
  storyOf({ Start: ['Webhook', {}], ...agents }, links, {
    name: 'Helper',
    send_to_story_enabled: true,
    entry_agent_guid: 'Start',
    exit_agent_guids: exits,
  });
const caller = () =>
  storyOf(
    {
      Hook: HOOK,
      Ask: ['SendToStory', { story: '<<STORY.helper>>', payload: {} }],
      After: emits({ got: '=ask' }),
      Rescue: emits({ failed: '=ask.error.message' }),
    },
    ['Hook > Ask > After', 'Ask # Rescue'],
    { name: 'Caller' },
  );

describe('a called story', () => {
  test('gives no error of an exit to the action that called it, but what the failure link leads to', async () => {
    const agents = { Fail: FAILS, Rescue: emits({ rescued: true }) };
    await fabula.importStory(helper(agents, ['Start > Fail # Rescue'], ['Fail', 'Rescue']));
    await run(caller());
    expect(await payloadsOf('Ask')).toEqual([{ rescued: true }]);
    expect(await payloadsOf('After')).toEqual([{ got: { rescued: true } }]);
    expect(await fabula.deadLetters()).toEqual([]);
  });

  test('that cannot be called fails its caller, whose failure link gets the error', async () => {
    await run(caller());
    expect(await payloadsOf('Rescue')).toEqual([
      { failed: expect.stringContaining('This team has no story') as string },
    ]);
    expect(await fabula.deadLetters()).toEqual([]);
  });
});

test('each member of a group that is given up sends its own error', async () => {
  const { webhooks } = await fabula.importStory(
    storyOf(
      {
        Hook: HOOK,
        All: ['EventTransformation', { mode: 'implode', guid_path: 'g', size_path: 3, timeout: 1000 }],
        Rescue: emits({ n: '=hook.n', said: '=all.error.message' }),
      },
      ['Hook > All # Rescue'],
    ),
  );
  for (const n of [1, 2]) await fabula.fire(webhooks['Hook']!, { n });
  await eventually(async () => (await parkedItems()).length === 2);
  await stores.sql('UPDATE implode_items SET expires_at = NOW(3) - INTERVAL 1 SECOND');
  await stores.sql("UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE state = 'parked'");
  await fabula.inner.sweepParked();
  await fabula.settled();
  const said = 'The group was dropped: 2 of 3 events arrived in time';
  expect(await payloadsOf('Rescue')).toEqual(
    expect.arrayContaining([
      { n: 1, said },
      { n: 2, said },
    ]),
  );
  expect(await parkedItems()).toEqual([]);
  expect(await fabula.deadLetters()).toEqual([]);
});

test('an event of a failure that is emitted again goes down the failure links again', async () => {
  await run(
    storyOf({ Hook: HOOK, Wait: FAILS, After: emits({ a: 1 }), Rescue: emits({ r: 1 }) }, [
      'Hook > Wait > After',
      'Wait # Rescue',
    ]),
  );
  const failed = (await fabula.events()).find(({ agent }) => agent === 'Wait');
  expect((await fabula.api('POST', `/api/v1/events/${failed?.id}/reemit`)).status).toBe(201);
  await fabula.settled();
  expect(await payloadsOf('Rescue')).toHaveLength(2);
  expect(await payloadsOf('After')).toEqual([]);
});

test('a record that cannot be written goes down the failure links', async () => {
  const field = { id: 1, name: 'Score', description: null, result_type: 'NUMBER', fixed_values: [] };
  const record: ShortAgent = [
    'Record',
    { mode: 'create' },
    {
      record_writers: [{ formula: '=hook.score', include_in_update: false, record_field: field }],
      record_type: { id: 2, name: 'Score', editable: false, record_fields: [field] },
    },
  ];
  const story = storyOf({ Hook: HOOK, Write: record, Rescue: emits({ said: '=write.error.message' }) }, [
    'Hook > Write # Rescue',
  ]);
  await run(story, { score: 'much' });
  expect(await payloadsOf('Rescue')).toEqual([{ said: expect.stringContaining('Score') as string }]);
  expect(await fabula.deadLetters()).toEqual([]);
  expect(await errorLines()).toHaveLength(1);
});

test('the link is exported as it was imported', async () => {
  const story = await fabula.importStory(
    storyOf({ Hook: HOOK, Wait: FAILS, Rescue: emits({}) }, ['Hook > Wait # Rescue']),
  );
  const exported = (await (
    await fabula.api('GET', `/api/v1/stories/${story.id}/export`)
  ).json()) as JsonObject;
  expect(exported['links']).toEqual([
    expect.objectContaining({ source: 0, receiver: 1 }),
    expect.objectContaining({ source: 1, receiver: 2, link_type: 'failure' }),
  ]);
});

test('an import warns about unknown types and keys of links, and about failure links of webhooks', async () => {
  const story = storyOf({ Hook: HOOK, One: emits({}), Two: emits({}) }, ['Hook # One']);
  const links = [
    ...(story['links'] as JsonObject[]),
    { source: 1, receiver: 2, link_type: 'sideways', no_match: true },
  ];
  const body = { new_name: 'Links', team_id: fabula.account.team.id, data: { ...story, links } };
  const response = await fabula.api('POST', '/api/v1/stories/import', body);
  expect(((await response.json()) as { warnings: string[] }).warnings).toEqual([
    'links of "Links" have the link_type "sideways", which is unknown: they are ordinary links',
    'links of "Links" have the key "no_match", which is unknown and has no effect',
    'webhooks never fail, so their failure links receive no events: "Hook"',
  ]);
});
