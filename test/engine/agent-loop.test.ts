import type { JsonObject } from '../../src/platform/json.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { storyOf, type ShortAgent } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);
let target: HttpTarget;

beforeEach(async () => {
  target = await startHttpTarget();
});

afterEach(() => target.close());

async function outputOf(agent: ShortAgent, body: JsonObject) {
  const story = await fabula.importStory(storyOf({ Hook: ['Webhook', {}], Work: agent }, ['Hook > Work']));
  await fabula.fire(story.webhooks['Hook']!, body);
  await fabula.settled();
  return (await fabula.events()).filter((event) => event.agent === 'Work').map(({ payload }) => payload);
}

test('one event holds what came of each element, in their order', async () => {
  const options = {
    mode: 'message_only',
    loop: '=hook.body.list',
    payload: { at: '=LOOP.index', value: '=LOOP.value', last: '=LOOP.last' },
  };
  expect(await outputOf(['EventTransformation', options], { list: ['a', { b: 1 }] })).toEqual([
    [
      { at: 0, value: 'a', last: false },
      { at: 1, value: { b: 1 }, last: true },
    ],
  ]);
});

test('each round sees the result of the one before', async () => {
  const options = {
    mode: 'message_only',
    loop: '=hook.body.list',
    payload: {
      value: '=LOOP.value',
      before: '=LOOP.previous_result.value',
      first: '=LOOP.previous_result = NULL',
    },
  };
  expect(await outputOf(['EventTransformation', options], { list: ['a', { b: 1 }, 'c'] })).toEqual([
    [
      { value: 'a', before: null, first: true },
      { value: { b: 1 }, before: 'a', first: false },
      { value: 'c', before: { b: 1 }, first: false },
    ],
  ]);
});

test('a round that puts out nothing leaves no result, one with several leaves all of them', async () => {
  const loop = '=hook.body.list';
  const path = '<<LOOP.value>>:<<LOOP.previous_result>>';
  const extract = { mode: 'extract', loop, matchers: [{ path, regexp: '^x:.*|^z:$', to: 'found' }] };
  expect(await outputOf(['EventTransformation', extract], { list: ['x', 'y', 'z'] })).toEqual([
    [{ found: ['x:'] }, { found: ['z:'] }],
  ]);
  const explode = {
    mode: 'explode',
    loop,
    to: 'at',
    limit: 2,
    path: '=IF(LOOP.first, LOOP.value, MAP(LOOP.previous_result, "at"))',
  };
  const all = await outputOf(['EventTransformation', explode], { list: [[1, 2], 0] });
  const elements = all.at(-1) as JsonObject[];
  expect(elements.map(({ at }) => at)).toEqual([1, 2, 1, 2]);
});

test('what rounds pile up on one another has an end', async () => {
  const options = { mode: 'message_only', loop: '=hook.body.list', payload: ['=LOOP.previous_result'] };
  const list = Array.from({ length: 1_500 }, () => 0);
  expect(await outputOf(['EventTransformation', options], { list })).toEqual([]);
  expect((await fabula.deadLetters())[0]?.error).toMatch(/nested deeper than|larger than/);
});

test('as many as 20,000 elements are gone through, more are refused', async () => {
  const options = { mode: 'message_only', loop: '=RANGE(1, hook.body.count)', payload: '=LOOP.value' };
  const [list] = (await outputOf(['EventTransformation', options], { count: 20_000 })) as number[][];
  expect(list).toHaveLength(20_000);
  expect(await outputOf(['EventTransformation', options], { count: 20_001 })).toEqual([list]);
  expect((await fabula.deadLetters())[0]?.error).toMatch(/20001 elements; the maximum is 20000/);
});

test('an object is gone through by key and value', async () => {
  const options = {
    mode: 'message_only',
    loop: '=hook.body.object',
    payload: { key: '<<LOOP.key>>', value: '=LOOP.value' },
  };
  expect(await outputOf(['EventTransformation', options], { object: { x: 1, y: [2] } })).toEqual([
    [
      { key: 'x', value: 1 },
      { key: 'y', value: [2] },
    ],
  ]);
});

test('nothing to go through gives an empty list', async () => {
  const options = { mode: 'message_only', loop: '=hook.body.nothing', payload: 'x' };
  expect(await outputOf(['EventTransformation', options], {})).toEqual([[]]);
});

test('requests are made one for each element, each with its own idempotency key', async () => {
  const options = { url: `${target.url}/<<LOOP.value>>`, method: 'get', loop: '=hook.body.list' };
  const [responses] = (await outputOf(['HTTPRequest', options], { list: [1, 2, 3] })) as JsonObject[][];
  expect(responses).toHaveLength(3);
  expect(target.requests.map(({ path }) => path)).toEqual(['/1', '/2', '/3']);
  expect(new Set(target.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
});

test.each([
  ['a text', { loop: '=hook.body.text', mode: 'message_only' }, /option loop must be a list or an object/],
  ['a mode that waits', { loop: '=hook.body.list', mode: 'delay', seconds: 5 }, /cannot loop/],
])('%s is a dead letter that says why', async (_, options, reason) => {
  expect(await outputOf(['EventTransformation', options], { text: 'x', list: [1] })).toEqual([]);
  expect((await fabula.deadLetters())[0]?.error).toMatch(reason);
});
