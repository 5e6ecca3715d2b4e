import type { JsonObject } from '../../src/platform/json.js';
import { agentIds, call, runsOf, says } from '../support/run-api.js';
import { HOSTILE } from '../support/hostile-previews.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores);

const HOOK: ShortAgent = ['Webhook', { include_headers: false }];
const tryIt = async (body: JsonObject) => {
  const response = await call(fabula, 'POST /api/v1/trials', { body });
  return { http: response.status, ...(response.body as JsonObject) } as JsonObject & { http: number };
};
const tryStory = (agents: Record<string, ShortAgent>, links: string[], event: JsonObject = {}) =>
  tryIt({ story: storyOf({ Hook: HOOK, ...agents }, links), event, action: 'Hook' });

test('a story without an end stops at its events', async () => {
  const trial = await tryStory({ A: says({ n: 1 }), B: says({ n: 2 }) }, ['Hook > A > B', 'B > A']);
  expect(trial).toMatchObject({
    http: 200,
    ok: false,
    stopped: expect.stringContaining('runaway') as string,
  });
});

test('one that doubles its events stops at their size', async () => {
  const doubled = { text: '=REPEAT("0123456789", 400000)' };
  const trial = await tryStory({ A: says(doubled), B: says(doubled) }, ['Hook > A > B', 'B > A']);
  expect(trial).toMatchObject({
    http: 200,
    ok: false,
    stopped: expect.stringContaining('characters') as string,
    left_out: ['events'],
  });
  expect(JSON.stringify(trial).length).toBeLessThan(4 * 1024 * 1024);
});

test('patterns and templates that take long end, and the server answers meanwhile', async () => {
  const rules = [{ type: 'regex', value: '^(a+)+$', path: '=hook.text' }];
  const trial = tryStory(
    {
      Match: ['Trigger', { rules }],
      ...Object.fromEntries(HOSTILE.map(([name, , template]) => [name, says({ slow: template })])),
    },
    ['Hook > Match', ...HOSTILE.map(([name]) => `Hook > ${name}`)],
    { text: `${'a'.repeat(5_000)}!` },
  );
  let answered = 0;
  const ended = trial.then(() => true);
  while (!(await Promise.race([ended, call(fabula, 'GET /api/v1/me').then(() => false)]))) answered += 1;
  expect(answered).toBeGreaterThan(0);
  expect([200, 422]).toContain((await trial).http);
});

test('a delay takes no time, and a duplicate of the past is one again', async () => {
  const data = storyOf(
    {
      Hook: HOOK,
      Wait: ['EventTransformation', { mode: 'delay', seconds: 0 }],
      Once: ['EventTransformation', { mode: 'deduplicate', path: '=hook.n' }],
    },
    ['Hook > Wait > Once'],
  );
  const story = await fabula.importStory(data);
  for (let time = 0; time < 2; time += 1) {
    await fabula.fire(story.webhooks['Hook']!, { n: 1 });
    await fabula.settled();
  }
  const [second, first] = await runsOf(fabula, story.id);
  for (const { guid } of [second!, first!]) {
    const trial = await tryIt({ story_id: story.id, run_guid: guid });
    expect(trial.difference).toMatchObject({ same: true });
  }
});

test('a draft is compared with the live run, and an added action is named', async () => {
  const story = await fabula.importStory(storyOf({ Hook: HOOK, A: says({ n: 1 }) }, ['Hook > A']));
  await fabula.fire(story.webhooks['Hook']!, {});
  await fabula.settled();
  const [run] = await runsOf(fabula, story.id);
  const { body: draft } = await call(fabula, `POST /api/v1/stories/${story.id}/drafts`, {
    body: { name: 'More' },
  });
  const draftId = (draft as { id: number }).id;
  const same = await tryIt({ draft_id: draftId, run_guid: run!.guid });
  expect(same.difference).toMatchObject({ same: true });
  const agents = await agentIds(fabula, draftId);
  await call(fabula, 'POST /api/v1/actions', {
    body: {
      story_id: draftId,
      type: 'Agents::EventTransformationAgent',
      name: 'B',
      options: says({ n: '=a.n + 1' })[1],
      source_ids: [agents['A']!],
    },
  });
  const more = await tryIt({ story_id: story.id, draft_id: draftId, run_guid: run!.guid });
  expect(more.difference).toMatchObject({
    count: 1,
    actions: [{ action: { name: 'B' }, added: [3], missing: [], changed: [] }],
  });
  expect(more.events).toMatchObject([{}, {}, { action: { name: 'B' }, payload: { n: 2 } }]);
});

test('a stored event is given to its receivers, or to the named action alone', async () => {
  const story = await fabula.importStory(
    storyOf({ Hook: HOOK, A: says({ n: 1 }), B: says({ n: '=a.n + hook.m' }) }, ['Hook > A > B']),
  );
  await fabula.fire(story.webhooks['Hook']!, { m: 4 });
  await fabula.settled();
  const { body } = await call(fabula, `GET /api/v1/events?story_id=${story.id}`);
  const event = (body as { events: { id: number; agent_name: string }[] }).events.find(
    ({ agent_name: name }) => name === 'A',
  );
  for (const more of [{}, { action: 'B' }]) {
    const trial = await tryIt({ story_id: story.id, event_id: event!.id, ...more });
    expect(trial.events).toMatchObject([
      { action: { name: 'A' } },
      { action: { name: 'B' }, payload: { n: 5 } },
    ]);
  }
});
