import { startFabula } from '../../support/fabula.js';
import { startHttpTarget, type HttpTarget } from '../../support/http-target.js';
import { agent } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget({
    rules: {
      '/ask': {
        headers: { 'content-type': 'application/json' },
        body: Buffer.from('{"next":18446744073709551615,"b":1,"10":2,"9":3}'),
      },
      '/tell': { status: 204 },
    },
  });
});
afterEach(() => target.close());

const HOOK = agent(
  'Agents::WebhookAgent',
  '1',
  { path: 'p', secret: 's', verbs: 'post', include_headers: false, raw_body: true },
  { name: 'Hook' },
);

/** A webhook, and behind it these actions, one after the other. */
const story = (...actions: ReturnType<typeof agent>[]) => ({
  schema_version: 30,
  name: 'R',
  guid: 'f'.repeat(32),
  agents: [HOOK, ...actions],
  links: actions.map((_, index) => ({ source: index, receiver: index + 1 })),
});

const post = (payload: string, path: string) => ({ url: `${target.url}${path}`, method: 'post', payload });

/** Sends the bodies to the webhook, to the letter, and waits for the runs to end. */
async function received(bodies: string[], ...actions: ReturnType<typeof agent>[]): Promise<void> {
  const fabula = await startFabula(stores);
  await fabula.importStory(story(...actions));
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${fabula.url}/webhook/p/s`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
    // In order, so that deduplicate sees them so.
    await fabula.settled();
  }
  expect(await fabula.deadLetters()).toEqual([]);
  await fabula.close();
}

describe('A1: numbers keep their digits from the webhook to the receiver of a request', () => {
  const BODY = '{"id": 7615917337495251231, "b": 1, "10": 0.12345678901234567890, "9": 1e400}';

  test('through events, a response, and keys in their order (A12)', async () => {
    await received(
      [BODY],
      agent('Agents::HTTPRequestAgent', '2', post('=OMIT(hook, "raw_body")', '/ask'), { name: 'Ask' }),
      agent('Agents::HTTPRequestAgent', '3', post('={a: ask.body, raw: hook.raw_body}', '/tell'), {
        name: 'Tell',
      }),
    );
    expect(target.requests.map(({ text }) => text)).toEqual([
      '{"id":7615917337495251231,"b":1,"10":0.12345678901234567890,"9":1e400}',
      `{"a":{"next":18446744073709551615,"b":1,"10":2,"9":3},"raw":${JSON.stringify(BODY)}}`,
    ]);
  });

  test('deduplicate does not take two ids for one', async () => {
    await received(
      ['{"id":9007199254740992}', '{"id":9007199254740993}', '{"id":9007199254740993}'],
      agent(
        'Agents::EventTransformationAgent',
        '2',
        { mode: 'deduplicate', path: '=hook.id' },
        { name: 'New' },
      ),
      agent('Agents::HTTPRequestAgent', '3', post('={id: hook.id}', '/tell'), { name: 'Tell' }),
    );
    expect(target.requests.map(({ text }) => text)).toEqual([
      '{"id":9007199254740992}',
      '{"id":9007199254740993}',
    ]);
  });

  test('in a thread, because the event is large', async () => {
    const filling = 'x'.repeat(700_000);
    await received(
      [`{"id":9007199254740993,"o":{"b":1,"2":2,"1":1e400},"filling":"${filling}"}`],
      agent(
        'Agents::EventTransformationAgent',
        '2',
        { mode: 'message_only', payload: { id: '=hook.id + 1', o: '=hook.o', size: '=SIZE(hook.filling)' } },
        { name: 'Out' },
      ),
      agent('Agents::HTTPRequestAgent', '3', post('=out', '/tell'), { name: 'Tell' }),
    );
    expect(target.requests.map(({ text }) => text)).toEqual([
      '{"id":9007199254740994,"o":{"b":1,"2":2,"1":1e400},"size":700000}',
    ]);
  });
});
