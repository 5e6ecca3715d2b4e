import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { allDeliveries } from '../support/deliveries.js';
import { startFabula, type FabulaOptions, type TestFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';

/** Stories that are built and changed by single calls of the API. */
const stores = useStores();
let fabula: TestFabula;

const start = async (options: FabulaOptions = {}) => {
  fabula = await startFabula(stores, options);
};
afterEach(() => fabula.close());

/** The address of a webhook, as options have it. */
interface Address {
  path: string;
  secret: string;
}

interface Made extends JsonObject {
  id: number;
  guid: string;
  options: JsonObject;
}

async function ask(method: string, path: string, body?: object): Promise<Made> {
  const response = await fabula.api(method, path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? ({} as Made) : (JSON.parse(text) as Made);
}

const emits = (payload: JsonObject): [string, JsonObject] => [
  'EventTransformation',
  { mode: 'message_only', payload },
];
const WEBHOOK: [string, JsonObject] = ['Webhook', { include_headers: false }];

/** A story of ten actions with links of each type, and notes. */
async function build() {
  const story = await ask('POST', '/api/v1/stories', { name: 'Built', team_id: fabula.account.team.id });
  const ids = new Map<string, number>();
  const add = async (name: string, [type, options]: [string, JsonObject], links: [string, string][] = []) => {
    const made = await ask('POST', '/api/v1/actions', {
      story_id: story.id,
      type: `Agents::${type}Agent`,
      name,
      options,
      position: { x: ids.size * 15, y: ids.size * 75 },
      links_to_sources: links.map(([source, linkType]) => ({ source_id: ids.get(source), type: linkType })),
    });
    ids.set(name, made.id);
    return made;
  };
  const door = await add('Door', WEBHOOK);
  await add('Pick', emits({ n: '=door.n' }), [['Door', 'DEFAULT']]);
  const rules = [{ type: 'regex', value: '[02468]$', path: '<<pick.n>>' }];
  await add('Is even', ['Trigger', { rules }], [['Pick', 'DEFAULT']]);
  await add('Even', emits({ even: '=pick.n' }), [['Is even', 'DEFAULT']]);
  await add('Odd', emits({ odd: '=pick.n' }), [['Is even', 'NO_MATCH']]);
  await add('Fails', ['EventTransformation', { mode: 'delay' }], [['Pick', 'DEFAULT']]);
  await add('Rescue', emits({ rescued: '=pick.n' }), [['Fails', 'FAILURE']]);
  await add('Never', emits({ never: true }), [['Fails', 'DEFAULT']]);
  await add('End', emits({ n: '=pick.n' }), [
    ['Even', 'DEFAULT'],
    ['Odd', 'DEFAULT'],
  ]);
  await add('Alone', ['Email', { recipients: [], subject: 'x', body: 'y' }]);
  for (const content of ['# Built', 'by calls']) {
    await ask('POST', '/api/v1/notes', { story_id: story.id, content, position: { x: -100, y: 0 } });
  }
  const { path, secret } = door.options as unknown as Address;
  return { id: story.id, ids, address: `${path}/${secret}` };
}

const payloads = async (agent: string) =>
  (await fabula.events())
    .filter((event) => event.agent === agent)
    .map(({ payload }) => payload as JsonObject);

const ascending = (items: JsonObject[], key: string) =>
  items.map((item) => Number(item[key])).toSorted((a, b) => a - b);

/** An export without what is new in each import; guids of actions are their places. */
function comparable({ guid: _guid, exported_at: _at, name: _name, ...story }: JsonObject): JsonValue {
  const agents = story['agents'] as Made[];
  const places = new Map(agents.map(({ guid }, index) => [guid, `action ${index}`]));
  const webhook = agents.find(({ type }) => type === 'Agents::WebhookAgent')!;
  const { path, secret } = webhook.options as unknown as Address;
  const text = [...places].reduce(
    (all, [guid, place]) => all.replaceAll(guid, place),
    JSON.stringify(story).replaceAll(path, 'path').replaceAll(secret, 'secret'),
  );
  return JSON.parse(text) as JsonValue;
}

test('a story that is built by single calls runs, down links of each type', async () => {
  await start();
  const { address } = await build();
  for (const n of [1, 2]) expect((await fabula.fire(address, { n })).status).toBe(201);
  await fabula.settled();
  expect(await payloads('Even')).toEqual([{ even: 2 }]);
  expect(await payloads('Odd')).toEqual([{ odd: 1 }]);
  expect(ascending(await payloads('End'), 'n')).toEqual([1, 2]);
  expect(ascending(await payloads('Rescue'), 'rescued')).toEqual([1, 2]);
  expect(await payloads('Never')).toEqual([]);
  expect(await fabula.deadLetters()).toEqual([]);
});

test('its export imports equal', async () => {
  await start({ queues: [], relay: false });
  const { id } = await build();
  const exported = await ask('GET', `/api/v1/stories/${id}/export`);
  const copy = await fabula.importStory(exported, { new_name: 'Copy' });
  const again = await ask('GET', `/api/v1/stories/${copy.id}/export`);
  expect(comparable(again)).toEqual(comparable(exported));
  expect(Object.keys(again)).toEqual(Object.keys(exported));
  expect((again['agents'] as Made[]).length).toBe(10);
  expect((again['diagram_notes'] as Made[]).map(({ content }) => content)).toEqual(['# Built', 'by calls']);
});

test('it is changed under load, and no event is lost or doubled', async () => {
  await start();
  const { id, ids, address } = await build();
  const sent: number[] = [];
  const changes = new AbortController();
  const load = async () => {
    while (!changes.signal.aborted) {
      const n = sent.push(sent.length) - 1;
      expect((await fabula.fire(address, { n })).status).toBe(201);
    }
  };
  const change = async (round: number) => {
    const graph = await ask('GET', `/api/v1/stories/${id}/graph`);
    await ask('PUT', `/api/v1/stories/${id}/graph`, graph);
    await ask('PUT', `/api/v1/actions/${ids.get('Odd')}`, { position: { x: round, y: round } });
    const extra = await ask('POST', '/api/v1/actions', {
      story_id: id,
      type: 'Agents::TriggerAgent',
      name: `Extra ${round}`,
      options: { rules: [] },
      source_ids: [ids.get('Alone')],
    });
    await ask('PUT', `/api/v1/actions/${ids.get('End')}`, {
      source_ids: [ids.get('Even'), ids.get('Odd'), extra.id],
    });
    await ask('DELETE', `/api/v1/actions/${extra.id}`);
    await ask('POST', '/api/v1/notes', { story_id: id, content: `Round ${round}` });
  };
  const loads = [load(), load(), load()];
  try {
    for (let round = 0; round < 5; round += 1) await change(round);
  } finally {
    changes.abort();
  }
  await Promise.all(loads);
  await fabula.settled(60_000);
  expect(ascending(await payloads('End'), 'n')).toEqual(sent.map((_, n) => n));
  expect(await payloads('Rescue')).toHaveLength(sent.length);
  expect(await fabula.deadLetters()).toEqual([]);
}, 120_000);

test('an event that waits for an action that is deleted becomes a dead letter', async () => {
  await start({ queues: [], relay: false });
  const { ids, address } = await build();
  expect((await fabula.fire(address, { n: 1 })).status).toBe(201);
  const pick = `/api/v1/actions/${ids.get('Pick')}`;
  expect(await ask('GET', `${pick}?include_live_activity=true`)).toMatchObject({
    pending_action_runs_count: 1,
  });
  expect(await ask('GET', pick)).not.toHaveProperty('pending_action_runs_count');
  await ask('DELETE', pick);
  const waiting = await allDeliveries(stores.db);
  expect(waiting).toHaveLength(1);
  const jobs = waiting.map(({ id, generation }) => ({ deliveryId: id, generation }));
  await Promise.all(jobs.map((job) => fabula.inner.runDelivery(job)));
  expect(await fabula.deadLetters()).toMatchObject([{ error: 'The action has been deleted' }]);
});
