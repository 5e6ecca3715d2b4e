import { MAX_COUNT } from '../../src/platform/mysql/statements/id-page.js';
import type { Session } from '../../src/platform/mysql/session.js';
import type { SqlValue } from '../../src/platform/mysql/statements/sql.js';
import type { DeadLetterSearch } from '../../src/observe/dead-letters/dead-letter.js';
import {
  beginWalk,
  listDeadLetterIds,
  nextDeadLetters,
} from '../../src/observe/dead-letters/dead-letter-list-store.js';
import { countErrors } from '../../src/observe/dead-letters/groups/dead-letter-group-store.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { buildAccount } from '../support/builders.js';
import { type PlanRow, plansOf as readPlans, sortsRows } from '../support/plans.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
const LETTERS = MAX_COUNT + 5_000;
const PAGE = { limit: 20, offset: 0 };

async function scene() {
  const account = await buildAccount(stores.db);
  const run = (sql: string, values: SqlValue[]) => stores.sql(sql, values);
  const { insertId: story } = await run(
    `INSERT INTO stories (tenant_id, team_id, user_id, name, guid, schema_version, language, keep_events_for, extra)
     VALUES (?, ?, ?, 'S', LEFT(SHA2('S', 256), 32), 30, 'formula', 3600, '{}')`,
    [account.tenantId, account.team.id, account.user.id],
  );
  const guid = newRunGuid();
  for (let from = 0; from < LETTERS; from += 15_000) {
    const numbers = Array.from({ length: Math.min(15_000, LETTERS - from) }, (_value, index) => from + index);
    await run(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, failed_at, state, error)
       SELECT IF(v.n < 100, ?, UUID()), ?, 1 + v.n % 2, 1, 'trigger', 1, '2026-01-01' + INTERVAL v.n DIV 7 SECOND,
              '2026-01-01' + INTERVAL v.n DIV 7 SECOND, IF(v.n % 10 = 0, 'waiting', 'failed'), 'x'
       FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v`,
      [guid, story, JSON.stringify(numbers)],
    );
  }
  await stores.db.read((session) => session.rows('ANALYZE TABLE deliveries, stories'));
  const teamIds = [account.team.id];
  const search: DeadLetterSearch = { tenantId: account.tenantId, teamIds, openTeamIds: teamIds };
  return { search, story, guid };
}

/** The indexes that a statement uses on deliveries, and whether rows are sorted. */
function planOf(rows: PlanRow[]): string {
  const letters = rows.filter(({ table }) => table === 'd');
  const keys = letters.map(({ type, key }) => (type === 'ALL' ? 'ALL' : (key ?? ''))).toSorted();
  return `${keys.join(' ')}${sortsRows(rows) ? ' sorts' : ''}`;
}

const plansOf = (work: (session: Session) => Promise<unknown>) => readPlans(stores.db, work, planOf);

it('dead letters are read in the order of an index, whatever they are narrowed by, and walked through once each', async () => {
  const { search, story, guid } = await scene();
  const list = (more: Partial<DeadLetterSearch>) =>
    plansOf((session) => listDeadLetterIds(session, { ...search, ...more }, PAGE));
  const since = new Date('2026-01-01T01:00:00Z');
  const inOrder = ['deliveries_due'];
  expect(await list({})).toEqual(inOrder);
  expect(await list({ since, until: new Date('2026-01-01T02:00:00Z') })).toEqual(inOrder);
  expect(await list({ storyId: story, agentId: 2 })).toEqual(inOrder);
  // The index alone finds those of the story and action, whose texts are read.
  const read = ['PRIMARY deliveries_due', 'PRIMARY deliveries_due sorts'];
  expect(await list({ storyId: story, agentId: 2, error: 'X' })).toEqual(read);
  expect(await list({ error: 'X', openTeamIds: [] })).toEqual(read);
  const after = { time: new Date('2026-01-01T01:00:00Z'), id: 7 };
  const walked = (session: Session) => listDeadLetterIds(session, search, { ...PAGE, after });
  // A18 clients: the index leads to the place after which a walk goes on.
  expect(await plansOf(walked)).toEqual(inOrder);
  // One run has few of them.
  expect(await list({ storyRunGuid: guid })).toEqual(['deliveries_run', 'deliveries_run sorts']);

  const { total } = await stores.db.read((session) => listDeadLetterIds(session, search, PAGE));
  expect(total).toBe(LETTERS - LETTERS / 10);
  const seen = new Set<number>();
  let walk = await stores.db.read(beginWalk);
  for (let rounds = 0; rounds < 25; rounds++) {
    const page = { walk, limit: 4_000, withCancelled: false };
    const next = await stores.db.read((session) => nextDeadLetters(session, search, page));
    for (const { id } of next.letters) seen.add(id);
    walk = next.walk;
    if (next.letters.length === 0) break;
  }
  expect(seen.size).toBe(total);
  const page = { walk: await stores.db.read(beginWalk), limit: 500, withCancelled: false };
  expect(await plansOf((session) => nextDeadLetters(session, search, page))).toEqual(inOrder);

  const counted = await stores.db.read((session) => countErrors(session, search));
  const letters = counted.counts.map((count) => count.letters).toSorted((a, b) => a - b);
  expect([letters, counted.complete]).toEqual([[42_000, 52_500], true]);
  // The bound may leave out letters whose texts are not read.
  for (const more of [
    { error: 'x' },
    { errorTexts: ['x'] },
    { errorTexts: [] },
    { since: new Date(0) },
    {},
  ]) {
    const isComplete = async (found: number) =>
      (await stores.db.read((session) => countErrors(session, { ...search, ...more }, { found }))).complete;
    const complete = [await isComplete(total), await isComplete(total + 1)];
    expect({ more, complete }).toEqual({ more, complete: [false, true] });
  }
  const [plan] = await plansOf((session) => countErrors(session, search));
  expect(plan).toMatch(/^PRIMARY deliveries_due/);
});
