import { findAgentActivity } from '../../src/stories/agents/agent-activity-store.js';
import { listAgentIds } from '../../src/stories/agents/agent-list-store.js';
import { listPartIds } from '../../src/stories/list/story-part-list-store.js';
import { NOTES } from '../../src/stories/notes/note-store.js';
import { type PlanRow, plansOf } from '../support/plans.js';
import { useStores } from '../support/stores.js';

/** The lists of actions and notes read stories by tenant or by id, and the rest by the story. */
const stores = useStores();
const WINDOW = { offset: 0, limit: 20 };
const MANY = 2_000;

/** `s: stories_tenant`, without derived tables. */
const indexes = (rows: PlanRow[]) =>
  rows
    .flatMap(({ table, key }) =>
      table === null || /^<|^counted$/.test(table) ? [] : [`${table}: ${key ?? 'none'}`],
    )
    .join(', ');

beforeEach(async () => {
  await stores.sql(
    `INSERT INTO stories (tenant_id, team_id, user_id, name, guid, schema_version, language, extra, settings)
     SELECT 1 + seq.n % 50, 1 + seq.n % 50, 1, 'S', LPAD(HEX(seq.n), 32, '0'), 30, 'formula', '{}', '{}'
     FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) seq`,
    [JSON.stringify(Array.from({ length: MANY }, (_, n) => n))],
  );
  await stores.sql(
    `INSERT INTO agents (story_id, position, type, name, guid, options, extra)
     SELECT id, 0, 'Agents::TriggerAgent', 'A', guid, '{}', '{}' FROM stories`,
    [],
  );
  await stores.sql("INSERT INTO story_notes (story_id, position, note) SELECT id, 0, '{}' FROM stories", []);
  await stores.sql('ANALYZE TABLE stories, agents, story_notes', []);
});

async function aStory(): Promise<number> {
  const [row] = await stores.db.read((session) =>
    session.rows<{ id: number }>('SELECT MIN(id) AS id FROM stories WHERE tenant_id = 3'),
  );
  return row!.id;
}

const mine = { tenantId: 3, teamIds: [3] };

it('actions are listed by index, of all stories and of one', async () => {
  for (const filter of [mine, { ...mine, type: 'A' }, { ...mine, storyId: await aStory() }]) {
    const plans = await plansOf(stores.db, (session) => listAgentIds(filter, WINDOW, session), indexes);
    expect(plans.join('; ')).toMatch(/^s: (?:stories_\S+|PRIMARY), p: agents_story$/);
  }
});

it('notes are listed by index, of all stories and of one', async () => {
  for (const filter of [mine, { ...mine, storyId: await aStory() }]) {
    const plans = await plansOf(stores.db, (session) => listPartIds(filter, NOTES, WINDOW, session), indexes);
    expect(plans.join('; ')).toMatch(/^s: (?:stories_\S+|PRIMARY), p: story_notes_story$/);
  }
});

it('the activity of actions is read by index', async () => {
  const plans = await plansOf(stores.db, (session) => findAgentActivity([1, 2], session), indexes);
  expect(plans.join('; ')).not.toContain('none');
});
