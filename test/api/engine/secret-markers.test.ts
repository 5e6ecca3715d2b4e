import { call } from '../../support/run-api.js';
import { everythingShown, everythingStored, leaksOf } from '../../support/secrets.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const SECRET = 'Tq7-zebra-QUARTZ-91x';
const stores = useStores();
const fabula = useFabula(stores);

beforeEach(async () => {
  await fabula.inner.setCredential(fabula.account.team.id, 'C1', SECRET);
});

const hook = (options: object = {}): ShortAgent => [
  'Webhook',
  { path: 'go', secret: 'secret-of-hook', verbs: 'post', ...options },
];

const RESPONSES: [string, object, string][] = [
  ['a formula', { response: 'cred=<<CREDENTIAL.C1>>' }, 'cred=[credential C1]'],
  ['upper case', { response: '<<UPCASE(CREDENTIAL.C1)>>' }, '[CREDENTIAL C1]'],
  [
    'base64',
    { response: '<<BASE64_ENCODE(CREDENTIAL.C1)>>' },
    Buffer.from('[credential C1]').toString('base64'),
  ],
  ['an object', { response: { a: '<<CREDENTIAL.C1>>' } }, '{"a":"[credential C1]"}'],
];

test.each(RESPONSES)(
  'a webhook response has a marker for a credential: %s',
  async (_what, options, wanted) => {
    const story = await fabula.importStory(storyOf({ Receive: hook(options) }, []));
    const response = await fabula.fire(story.webhooks['Receive']!);
    expect(await response.text()).toBe(wanted);
  },
);

test('a webhook response has a marker for a credential: headers, and the address of a redirect', async () => {
  const options = {
    response: 'https://example.test/?k=<<CREDENTIAL.C1>>',
    response_code: '302',
    response_headers: { 'x-key': '<<CREDENTIAL.C1>>' },
  };
  const story = await fabula.importStory(storyOf({ Receive: hook(options) }, []));
  const response = await fabula.fire(story.webhooks['Receive']!, {}, { redirect: 'manual' });
  expect(leaksOf(SECRET, JSON.stringify([...response.headers]) + (await response.text()))).toEqual([]);
});

test('a webhook response has a marker for a credential: in Liquid', async () => {
  const data = storyOf({ Receive: hook({ response: 'cred={% credential C1 %}' }) }, [], {
    schema_version: 3,
    standard_lib_version: null,
  });
  const story = await fabula.importStory(data);
  expect(await (await fabula.fire(story.webhooks['Receive']!)).text()).toBe('cred=[credential C1]');
});

test.each([
  ['as data', { token: '<<CREDENTIAL.C1>>', '<<1>>': '=[CREDENTIAL.C1]' }],
  [
    'as an answer of its own',
    { status: 200, body: '<<CREDENTIAL.C1>>', headers: { 'x-key': '<<CREDENTIAL.C1>>' } },
  ],
])('an awaited response has a marker for a credential: %s', async (_what, payload) => {
  const story = await fabula.importStory(
    storyOf(
      { Receive: hook(), Say: ['EventTransformation', { mode: 'message_only', payload }] },
      ['Receive > Say'],
      { synchronous_webhooks_enabled: true, entry_agent_guid: 'Receive', exit_agent_guids: ['Say'] },
    ),
  );
  const response = await fabula.fire(story.webhooks['Receive']!);
  const text = JSON.stringify([...response.headers]) + (await response.text());
  expect(text).toContain('[credential C1]');
  expect(leaksOf(SECRET, text)).toEqual([]);
  expect(text).not.toContain('~fabula-secret~');
});

test('neither a called story nor its caller stores a secret', async () => {
  const called = await fabula.importStory(
    storyOf(
      {
        Entry: ['Webhook', { path: 'called', secret: 'secret-of-called', verbs: 'post' }],
        Back: ['EventTransformation', { mode: 'message_only', payload: { back: '=entry' } }],
      },
      ['Entry > Back'],
      {
        name: 'Called',
        guid: 'e'.repeat(32),
        send_to_story_enabled: true,
        entry_agent_guid: 'Entry',
        exit_agent_guids: ['Back'],
      },
    ),
  );
  const caller = await fabula.importStory(
    storyOf(
      { Receive: hook(), Call: ['SendToStory', { story: 'Called', payload: { leak: '<<CREDENTIAL.C1>>' } }] },
      ['Receive > Call'],
    ),
  );
  await fabula.fire(caller.webhooks['Receive']!);
  await fabula.settled();
  const shown = (await everythingShown(fabula, caller.id)) + (await everythingShown(fabula, called.id));
  expect(leaksOf(SECRET, (await everythingStored(stores)) + shown)).toEqual([]);
  expect(shown).toContain('[credential C1]');
  expect(shown).not.toContain('~fabula-secret~');
});

test('a run that the API starts with a reference in its input gets only a marker', async () => {
  const reference = await fabula.inner.referenceOf({ team: fabula.account.team.id, credential: 'C1' });
  const story = await fabula.importStory(storyOf({ Receive: hook() }, []));
  await call(fabula, `POST /api/v1/stories/${story.id}/runs`, { body: { payload: { a: reference } } });
  await fabula.settled();
  expect((await fabula.events())[0]!.payload).toEqual({ a: '[credential C1]' });
});

test('a re-emitted event still refers to the secret, and shows only a marker', async () => {
  const story = await fabula.importStory(
    storyOf(
      {
        Receive: hook(),
        Say: ['EventTransformation', { mode: 'message_only', payload: { t: '<<CREDENTIAL.C1>>' } }],
      },
      ['Receive > Say'],
    ),
  );
  await fabula.fire(story.webhooks['Receive']!);
  await fabula.settled();
  const [, said] = await fabula.events();
  const again = (await call(fabula, `POST /api/v1/events/${said!.id}/reemit`)).body as { payload: unknown };
  await fabula.settled();
  expect(JSON.stringify(again)).not.toContain('~fabula-secret~');
  const stored = (await fabula.events()).map(({ payload }) => payload);
  expect(stored.at(-1)).toEqual(said!.payload);
});

test('the name of a prompt has a marker for a credential', async () => {
  const story = await fabula.importStory(
    storyOf(
      {
        Receive: hook(),
        Say: [
          'EventTransformation',
          { mode: 'message_only', payload: { link: '<<PROMPT("a" & CREDENTIAL.C1)>>' } },
        ],
      },
      ['Receive > Say'],
    ),
  );
  await fabula.fire(story.webhooks['Receive']!);
  await fabula.settled();
  expect(await stores.sql('SELECT status FROM prompts')).toEqual([{ status: 'a[credential C1]' }]);
});
