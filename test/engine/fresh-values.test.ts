import type { JsonObject } from '../../src/platform/json.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { call } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({
    // The secret itself would be hidden in the event.
    rules: { '/echo': ({ headers }) => ({ body: { length: headers['authorization']?.length ?? 0 } }) },
  });
});
afterEach(() => target.close());

const ask = async (request: string, body: JsonObject) => {
  const response = await call(fabula, request, { body });
  expect(response.status).toBeLessThan(300);
  return response.body as { id: number };
};

async function imported(agent: ShortAgent) {
  const story = await fabula.importStory(
    storyOf({ Hook: ['Webhook', { include_headers: false }], See: agent }, ['Hook > See']),
  );
  /** Runs it, and returns all that its last action has seen so far. */
  return async () => {
    expect((await fabula.fire(story.webhooks['Hook']!, {})).status).toBe(201);
    await fabula.settled();
    const events = await fabula.events();
    return events.filter(({ agent: name }) => name === 'See').map(({ payload }) => payload);
  };
}

const sees = (payload: JsonObject): ShortAgent => ['EventTransformation', { mode: 'message_only', payload }];
const sends = (): ShortAgent => [
  'HTTPRequest',
  { url: `${target.url}/echo`, method: 'get', headers: { Authorization: '<<CREDENTIAL.new_one>>' } },
];
const got = (secret: string) => expect.objectContaining({ body: { length: secret.length } }) as unknown;

it('L3: each run sees the resource as it was changed last, in a process that knows an older one', async () => {
  const run = await imported(sees({ n: '=RESOURCE.counter.n' }));
  const { id } = await ask('POST /api/v1/global_resources', { name: 'counter', value: { n: 0 } });
  expect(await run()).toEqual([{ n: 0 }]);
  for (const n of [1, 2, 3]) {
    await ask(`PUT /api/v1/global_resources/${id}`, { value: { n } });
    expect((await run()).at(-1)).toEqual({ n });
  }
});

it('L3: a run finds the credential that was made just before it, and its value that was changed', async () => {
  const { team } = fabula.account;
  const run = await imported(sends());
  await ask('POST /api/v1/user_credentials', { name: 'old', mode: 'TEXT', value: 'x', team_id: team.id });
  await run();
  expect(await fabula.deadLetters()).toHaveLength(1);
  const made = { name: 'new one', mode: 'TEXT', value: 'the first', team_id: team.id };
  const { id } = await ask('POST /api/v1/user_credentials', made);
  expect(await run()).toEqual([got('the first')]);
  await ask(`PUT /api/v1/user_credentials/${id}`, { mode: 'TEXT', value: 'the second' });
  expect((await run()).at(-1)).toEqual(got('the second'));
  expect(await fabula.deadLetters()).toHaveLength(1);
});

it('L3: a run finds a credential that no message told it of', async () => {
  const { team } = fabula.account;
  const run = await imported(sends());
  await fabula.inner.setCredential(team.id, 'old', 'x');
  await run();
  expect(await fabula.deadLetters()).toHaveLength(1);
  // Past the API: as if Redis had lost the message.
  await fabula.inner.setCredential(team.id, 'new one', 'silent');
  expect(await run()).toEqual([got('silent')]);
  expect(await fabula.deadLetters()).toHaveLength(1);
});

it('L3: a run calls the story that was imported just before it', async () => {
  const caller = ['SendToStory', { story: '<<STORY.helper>>', payload: {} }] as ShortAgent;
  const run = await imported(caller);
  await run();
  expect(await fabula.deadLetters()).toHaveLength(1);
  await fabula.importStory(
    storyOf({ Start: ['Webhook', {}], Tell: sees({ done: true }) }, ['Start > Tell'], {
      name: 'Helper',
      send_to_story_enabled: true,
      entry_agent_guid: 'Start',
      exit_agent_guids: ['Tell'],
    }),
  );
  expect(await run()).toEqual([{ done: true }]);
});

it('L3: a loop that has sent something is not begun anew for a newer value', async () => {
  const { team } = fabula.account;
  const run = await imported([
    'HTTPRequest',
    {
      url: `${target.url}/echo`,
      method: 'post',
      loop: '=LIST(1, 2)',
      headers: { Authorization: '=IF(LOOP.first, "x", CREDENTIAL.new_one)' },
    },
  ]);
  await fabula.inner.setCredential(team.id, 'old', 'x');
  await run();
  const { length } = target.requests;
  expect(length).toBeGreaterThan(0);
  await fabula.inner.setCredential(team.id, 'new one', 'silent');
  await run();
  expect(target.requests).toHaveLength(2 * length);
});
