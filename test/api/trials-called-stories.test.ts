import type { JsonObject } from '../../src/platform/json.js';
import { type Account, buildAccount } from '../support/builders.js';
import { startHttpTarget, type HttpTarget } from '../support/http-target.js';
import { call, runsOf, says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);
let target: HttpTarget;
/** A user of another team of the tenant, and one who sees both. */
let other: Account;
let owner: Account;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: { '/who': ({ headers }) => ({ status: 200, body: { key: headers['x-key'] ?? null } }) },
  });
  other = await buildAccount(stores.db, { tenantId: fabula.account.tenantId });
  owner = await buildAccount(stores.db, { tenantId: fabula.account.tenantId, owner: true });
  for (const { team, name } of [
    { team: fabula.account.team, name: 'ours' },
    { team: other.team, name: 'theirs' },
  ]) {
    const values = { team_id: team.id, name: 'place', value: name };
    expect((await call(fabula, 'POST /api/v1/global_resources', { body: values, as: owner })).status).toBe(
      201,
    );
    const secret = { team_id: team.id, name: 'key', value: `secret-of-${name}` };
    expect((await call(fabula, 'POST /api/v1/credentials', { body: secret, as: owner })).status).toBe(201);
  }
});

afterEach(() => target.close());

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];
const inner = (name: string, more: JsonObject = {}) =>
  storyOf(
    {
      Start: HOOK,
      Ask: [
        'HTTPRequest',
        { url: `${target.url}/who`, method: 'get', headers: { 'x-key': '=CREDENTIAL.key' } },
      ],
      Say: says({ place: '=RESOURCE.place', n: '=start.body.n', status: '=ask.status' }),
    },
    ['Start > Ask > Say'],
    {
      name,
      guid: (name === 'Inner' ? 'e' : 'd').repeat(32),
      entry_agent_guid: 'Start',
      exit_agent_guids: ['Say'],
      send_to_story_enabled: true,
      ...more,
    },
  );

const calls = (story: string) =>
  storyOf(
    {
      Hook: HOOK,
      Send: ['SendToStory', { story, payload: { n: '=hook.n' } }],
      Done: says({ got: '<<send.place>><<send.n>>' }),
    },
    ['Hook > Send > Done'],
  );

const tryIt = async (body: JsonObject, as = owner) => {
  const response = await call(fabula, 'POST /api/v1/trials', { body, as });
  return { http: response.status, ...(response.body as JsonObject) } as JsonObject & { http: number };
};
const theirs = async () => {
  const data = inner('Inner', { send_to_story_access: 'global' });
  const body = { new_name: 'Inner', team_id: other.team.id, data };
  const { body: story } = await call(fabula, 'POST /api/v1/stories/import', { body, as: owner });
  return (story as { id: number }).id;
};

test('a story whose name a template computes runs in a trial', async () => {
  await fabula.importStory(inner('Inner'));
  const story = await fabula.importStory(calls('<<hook.part>>ner'));
  const body = { story_id: story.id, event: { part: 'in', n: 3 }, action: 'Hook' };
  const responses = [{ url: '*', answer: 'ok' }];
  const trial = await tryIt({ ...body, responses }, fabula.account);
  expect(trial).toMatchObject({ http: 200, ok: true, errors: [], calls: [{ called_story: 'Inner' }] });
  expect((trial.events as JsonObject[]).at(-1)).toMatchObject({
    action: { name: 'Done' },
    payload: { got: 'ours3' },
  });
  const wrong = await tryIt({ ...body, event: { part: 'no such ', n: 3 } }, fabula.account);
  expect(wrong).toMatchObject({
    http: 200,
    ok: false,
    errors: [{ action: { name: 'Send' }, error: expect.stringContaining('no such ner') as string }],
  });
});

test('a story of another team runs with the values of that team, as in the past run', async () => {
  const id = await theirs();
  const story = await fabula.importStory(calls(String(id)));
  await fabula.fire(story.webhooks['Hook']!, { n: 7 });
  await fabula.settled();
  const [run] = await runsOf(fabula, story.id);
  expect(target.requests).toMatchObject([{ headers: { 'x-key': 'secret-of-theirs' } }]);
  const trial = await tryIt({ story_id: story.id, run_guid: run!.guid });
  expect(trial).toMatchObject({ http: 200, ok: true, not_taken: [], difference: { same: true } });
  expect(trial.requests).toMatchObject([
    { response_from: 'recorded', headers: { 'x-key': '[credential key]' } },
  ]);
  expect((trial.events as JsonObject[]).at(-1)).toMatchObject({ payload: { got: 'theirs7' } });
  expect(target.requests).toHaveLength(1);
  const sent = await tryIt({ story: calls(`<<hook.id>>`), event: { id, n: 8 }, action: 'Hook', send: true });
  expect((sent.events as JsonObject[]).at(-1)).toMatchObject({ payload: { got: 'theirs8' } });
  expect(target.requests[1]?.headers['x-key']).toBe('secret-of-theirs');
  expect(JSON.stringify(sent)).not.toContain('secret-of');
});

test('a story that the caller may not see is a fault of the action that calls it', async () => {
  const id = await theirs();
  const { tenantId, team } = fabula.account;
  const editor = await buildAccount(stores.db, { tenantId, team });
  const story = await fabula.importStory(calls(String(id)));
  await fabula.fire(story.webhooks['Hook']!, { n: 7 });
  await fabula.settled();
  const [run] = await runsOf(fabula, story.id);
  const trial = await tryIt({ story_id: story.id, run_guid: run!.guid }, editor);
  expect(trial).toMatchObject({
    http: 200,
    ok: false,
    not_taken: ['The run called a story of another team'],
    errors: [{ action: { name: 'Send' }, error: `Story ${id} does not exist, or this trial cannot call it` }],
  });
});
