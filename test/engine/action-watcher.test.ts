import { createActionWatcher } from '../../src/operate/monitoring/notices/watches/action-watcher.js';
import { keepWatches, readWatches } from '../../src/operate/monitoring/notices/watches/action-watch-store.js';
import { findWatchedActions } from '../../src/operate/monitoring/notices/watches/watched-action-store.js';
import type { JsonObject } from '../../src/platform/json.js';
import type { Mail } from '../../src/platform/outbound/mail/mail.js';
import { makeNoticesDue, noticeSender } from '../support/notices.js';
import { type PlanRow, plansOf } from '../support/plans.js';
import { makeTeam, smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useStoryApi } from '../support/story-api.js';

const stores = useStores();
const api = useStoryApi(stores);
const RECIPIENTS = ['soc@example.test', 'it@example.test'];

let sent: Mail[] = [];
let fails = false;
/** Looks at the actions, and sends what is due. */
const watcher = () => ({
  async tick() {
    const baseUrl = 'https://fabula.example';
    await createActionWatcher({ database: stores.db, baseUrl, logger: stores.logger }).tick();
    await noticeSender(stores, {
      async mail(mail) {
        if (fails) throw new Error('no mail server');
        sent.push(mail);
      },
    }).tick();
  },
});

beforeEach(() => {
  sent = [];
  fails = false;
});

/** A story whose second action is monitored so. */
async function withStory(monitoring: JsonObject, settings: JsonObject = { recipients: RECIPIENTS }) {
  const actor = await makeTeam(stores.db);
  const [hook, work, trigger] = smallExport().agents;
  const data = smallExport({ ...settings, agents: [hook!, { ...work!, monitoring }, trigger!] });
  const { story } = await api.stories.import(actor, { new_name: 'Triage', data });
  const [action] = await stores.db.read((session) =>
    session.rows<{ id: number; name: string }>(
      'SELECT id, name FROM agents WHERE story_id = ? ORDER BY position LIMIT 1 OFFSET 1',
      [story.id],
    ),
  );
  const emit = (times = 1) =>
    stores.sql('INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage) VALUES ?', [
      Array.from({ length: times }, () => ['r', story.id, action!.id, '{}', '{}']),
    ]);
  return { story, action: action!, emit };
}

/** Moves all times back, so that so much time has passed. */
async function later(seconds: number) {
  await stores.sql('UPDATE action_watches SET seen_at = seen_at - INTERVAL ? SECOND', [seconds]);
  await stores.sql('UPDATE events SET created_at = created_at - INTERVAL ? SECOND', [seconds]);
  await stores.sql('UPDATE story_watch_notices SET tried_at = tried_at - INTERVAL ? SECOND', [seconds]);
}

/** `table:index` of each table; derived ones are empty. */
const planOf = (rows: PlanRow[]) =>
  rows.map(({ table, key }) => (table?.startsWith('<') === true ? '' : `${table}:${key}`)).join(' ');

const texts = () => sent.map(({ text }) => text.split('\n').find((line) => line.startsWith('- ')));

test('recipients are told once that an action emits no events, and again after further events', async () => {
  const { story, action, emit } = await withStory({ monitor_no_events_emitted: 3600 });
  await emit();
  await watcher().tick();
  await later(3500);
  await watcher().tick();
  expect(sent).toEqual([]);
  await later(200);
  await Promise.all([watcher().tick(), watcher().tick()]);
  await later(7200);
  await watcher().tick();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.bcc).toEqual(RECIPIENTS.map((address) => ({ address })));
  expect(sent[0]?.subject).toBe(`[Story ${story.id}] No events in Triage`);
  expect(texts()).toEqual([
    expect.stringMatching(`^- ${action.name}: no event for 37\\d\\d seconds \\(monitored: 3600\\)$`),
  ]);
  await emit();
  await watcher().tick();
  await later(4000);
  await watcher().tick();
  expect(sent).toHaveLength(2);
});

test('silence counts from the start of watching, and is remembered when events are deleted', async () => {
  const { emit } = await withStory({ monitor_no_events_emitted: 3600 });
  await watcher().tick();
  await later(3000);
  await emit();
  await watcher().tick();
  await stores.sql('DELETE FROM events');
  await later(3000);
  await watcher().tick();
  expect(sent).toEqual([]);
  await later(1000);
  await watcher().tick();
  expect(sent).toHaveLength(1);
});

test('new events are counted in one mail each ten minutes, and old ones are not told', async () => {
  const { story, action, emit } = await withStory({ monitor_all_events: true });
  await emit(5);
  await watcher().tick();
  expect(sent).toEqual([]);
  await emit(1);
  await watcher().tick();
  await emit(1_200);
  await watcher().tick();
  await later(500);
  await watcher().tick();
  await later(200);
  await watcher().tick();
  await later(700);
  await watcher().tick();
  expect(texts()).toEqual([`- ${action.name}: 1 new event`, `- ${action.name}: 1000 new events or more`]);
  expect(sent[0]?.subject).toBe(`[Story ${story.id}] New events in Triage`);
  expect(sent[0]?.text).toContain(`https://fabula.example/api/v1/events?story_id=${story.id}`);
});

test('what could not be sent is sent again later', async () => {
  const { emit } = await withStory({ monitor_all_events: true });
  await watcher().tick();
  await emit(2);
  fails = true;
  await watcher().tick();
  fails = false;
  await watcher().tick();
  expect(sent).toEqual([]);
  await makeNoticesDue(stores);
  await watcher().tick();
  expect(texts()).toEqual([expect.stringContaining('2 new events')]);
});

test.each<[string, JsonObject, JsonObject, string]>([
  ['is not monitored', { monitor_failures: true, monitor_no_events_emitted: 0 }, {}, ''],
  ['has no recipients', { monitor_all_events: true }, { recipients: [] }, ''],
  ['is disabled', { monitor_all_events: true }, {}, 'UPDATE agents SET disabled = TRUE'],
  ['is in a disabled story', { monitor_all_events: true }, {}, 'UPDATE stories SET disabled = TRUE'],
  ['is in a draft', { monitor_all_events: true }, {}, 'UPDATE stories SET draft_of = 1'],
])('nobody is told of an action that %s', async (_why, monitoring, settings, change) => {
  const { emit } = await withStory(monitoring, { recipients: RECIPIENTS, ...settings });
  if (change !== '') await stores.sql(change);
  await watcher().tick();
  await emit();
  await watcher().tick();
  const watches = await stores.db.read((session) => session.rows('SELECT * FROM action_watches'));
  expect([sent, watches]).toEqual([[], []]);
});

test('a watch ends with its monitoring, and rows of a day ago are deleted', async () => {
  const { emit } = await withStory({ monitor_all_events: true });
  await watcher().tick();
  await emit();
  await watcher().tick();
  expect(sent).toHaveLength(1);
  await stores.sql('UPDATE agents SET disabled = TRUE');
  await later(25 * 3600);
  await watcher().tick();
  const rows = await stores.db.read((session) =>
    session.rows('SELECT agent_id FROM action_watches UNION ALL SELECT story_id FROM story_watch_notices'),
  );
  expect(rows).toEqual([]);
});

test('actions are read by primary key, and their last events by index', async () => {
  const { action, emit } = await withStory({ monitor_all_events: true });
  await emit(2_000);
  await stores.sql('ANALYZE TABLE events, agents, stories');
  const page = { afterId: action.id - 1, lastId: action.id };
  const plans = await plansOf(
    stores.db,
    async (session) => {
      await findWatchedActions(session, page);
      await keepWatches(session, page, [action.id]);
      await readWatches(session, page);
    },
    planOf,
  );
  expect(
    plans.map((plan) =>
      plan
        .split(' ')
        .filter((part) => part !== '')
        .toSorted(),
    ),
  ).toEqual([
    ['a:PRIMARY', 's:PRIMARY'],
    ['action_watches:PRIMARY'],
    ['e:PRIMARY', 'w:PRIMARY', 'x:events_agent'],
  ]);
});
