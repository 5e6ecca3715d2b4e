import type { JsonObject } from '../../src/platform/json.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
let target: HttpTarget;
let fabula: TestFabula;

beforeEach(async () => {
  target = await startHttpTarget();
  fabula = await startFabula(stores, { env: { MAX_ATTEMPTS: '1' } });
});
afterEach(async () => {
  await fabula.close();
  await target.close();
});

const PART = { word: 'Frieden', list: [1, { two: 'Grüße & <more>' }], none: null };
const post = { method: 'post', payload: '=receive.part' };
const text = "=receive.part.list[1].two & ' '";

/** Requests of all kinds, and some that cannot be made. */
const OPTIONS: Record<string, JsonObject> = {
  json: post,
  form: { ...post, content_type: 'form', params_encoder: 'flat' },
  multipart: { ...post, content_type: 'data' },
  xml: { method: 'put', content_type: 'xml', payload: { root: '=receive.part' } },
  text: { ...post, content_type: 'text', payload: text },
  query: { method: 'get', payload: '=receive.part', query_params: { b: '<<receive.part.word>>' } },
  headers: { ...post, headers: { host: 'else.where', 'x-word': '<<receive.part.word>>' }, user_agent: 'me' },
  authorised: { ...post, basic_auth: ['me', '<<receive.part.word>>'] },
  'list-as-form': { ...post, content_type: 'form', payload: '=receive.part.list' },
  'list-in-query': { method: 'get', payload: '=receive.part.list' },
  'no-method': { ...post, method: 'connect' },
  'no-timeout': { ...post, timeout: '<<receive.part.word>>' },
  'no-address': { ...post, url: 'ftp://127.0.0.1/' },
  'no-host': { ...post, url: 'http://[::1/' },
  loop: { ...post, loop: '=receive.part.list', payload: '=LOOP.value' },
};

/** All that comes of a call with this event: requests, dead letters, logs. */
async function comesOf(address: string, event: JsonObject) {
  const [sent, letters, logs] = [
    target.requests.length,
    (await fabula.deadLetters()).length,
    (await fabula.logs()).length,
  ];
  await fabula.fire(address, event);
  await fabula.settled(60_000);
  const requests = target.requests.slice(sent).map(({ method, url, headers, body }) => {
    const { 'idempotency-key': _, 'content-type': type, ...others } = headers;
    const boundary = /boundary=(.*)/.exec(type ?? '')?.[1] ?? 'none';
    const name = (written: string | undefined) => written?.replaceAll(boundary, 'BOUNDARY');
    return { method, url, headers: { ...others, type: name(type) }, body: name(body.toString('latin1')) };
  });
  return {
    requests: requests.map((request) => JSON.stringify(request)).toSorted(),
    letters: (await fabula.deadLetters())
      .slice(letters)
      .map(({ error }) => error)
      .toSorted(),
    logs: (await fabula.logs())
      .slice(logs)
      .map((line) => JSON.stringify(line))
      .toSorted(),
  };
}

test('a request is the same, or fails with the same words, whether it is built on the event loop or in a thread', async () => {
  const agents = Object.entries(OPTIONS).map(([name, options]): [string, ShortAgent] => [
    name,
    ['HTTPRequest', { url: `${target.url}/${name}`, ...options }],
  ]);
  const links = agents.map(([name]) => `Receive > ${name}`);
  const hook: ShortAgent = ['Webhook', { include_headers: false }];
  const story = storyOf({ Receive: hook, ...Object.fromEntries(agents) }, links);
  const address = String((await fabula.importStory(story)).webhooks['Receive']);
  const small = await comesOf(address, { part: PART });
  // Too large for the event loop.
  const large = await comesOf(address, { part: PART, filler: 'x'.repeat(400_000) });
  expect(small.requests).toHaveLength(10);
  expect(small.letters).toHaveLength(6);
  expect(large).toEqual(small);
});
