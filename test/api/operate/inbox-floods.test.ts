import { countErrors, countHours } from '../../../src/observe/dead-letters/groups/dead-letter-group-store.js';
import { buildAccount } from '../../support/builders.js';
import { buildScene, deliver, entryIn, inboxOf, inboxOnce } from '../../support/inbox-work.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { type PlanRow, plansOf } from '../../support/plans.js';
import { useStores } from '../../support/stores.js';

const stores = useStores({ ownDatabase: true });
const api = useManageApi(stores);

/** Dead letters that are read. */
const MANY = 100_000;
const LONG_MS = 300_000;

interface Place {
  storyId: number;
  agentId: number;
}

/** Has so many dead letters, one statement for each doubling. */
async function flood({ storyId, agentId }: Place, count: number): Promise<void> {
  await deliver(stores, { storyId, agentId, state: 'failed', attempts: 1, error: 'no such host' });
  for (let made = 1; made < count; made *= 2) {
    await stores.sql(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, attempts, error, due_at, failed_at)
       SELECT UUID(), story_id, agent_id, 1, queue, 1, state, 1, error, NOW(3), NOW(3)
       FROM deliveries WHERE agent_id = ? LIMIT ?`,
      [agentId, Math.min(made, count - made)],
    );
  }
}

const aged = (place: Place) =>
  stores.sql(
    'UPDATE deliveries SET due_at = NOW(3) - INTERVAL 2 DAY, failed_at = NOW(3) - INTERVAL 2 DAY WHERE agent_id = ?',
    [place.agentId],
  );

test(
  'a flood of dead letters of one tenant hides none of another, and both are told whether they see all',
  async () => {
    const quiet = await buildScene(stores, api);
    await deliver(stores, { ...quiet, state: 'failed', attempts: 1, error: 'answer 17 is wrong' }, 30);
    await aged(quiet);
    const noisy = await buildScene(stores, api);
    await flood(noisy, MANY + 10);
    const inbox = await inboxOnce(api, quiet.key, ({ entries }) => entries.length > 0);
    expect(inbox.entries).toMatchObject([{ kind: 'failures', count: 30, title: 'Say failed 30 times' }]);
    expect(inbox.complete).toBe(true);
    const theirs = await inboxOnce(api, noisy.key, ({ entries }) => entries.length > 0);
    expect(theirs.entries).toMatchObject([{ count: MANY, detail: 'no such host' }]);
    expect(theirs.complete).toBe(false);
  },
  LONG_MS,
);

/** How each table is read. */
const reads = (rows: PlanRow[]) => rows.map(({ table, type, key }) => `${table} ${type} ${key}`).join('\n');

test('dead letters are found by the index alone, and read by their ids', async () => {
  const { tenantId, team, storyId, agentId } = await buildScene(stores, api);
  await flood({ storyId, agentId }, 200);
  const search = { tenantId, teamIds: [team.id], openTeamIds: [team.id], agentId: undefined };
  const plans = await plansOf(stores.db, (session) => countErrors(session, search, { found: 100 }), reads);
  expect(plans.join('\n')).toMatch(/^d eq_ref PRIMARY$/m);
  expect(plans.join('\n')).toMatch(/^d ref deliveries_due$/m);
  expect(plans.join('\n')).not.toMatch(/^d (ALL|index) /m);
});

test('the hours of dead letters are counted within the last day alone', async () => {
  const place = await buildScene(stores, api);
  await flood(place, 5_000);
  await aged(place);
  await deliver(stores, { ...place, state: 'failed', attempts: 1, error: 'no such host' }, 30);
  await stores.sql('ANALYZE TABLE deliveries', []);
  const search = { tenantId: place.tenantId, teamIds: [place.team.id], openTeamIds: [], agentId: undefined };
  const plans = await plansOf(stores.db, (session) => countHours(session, search, { found: MANY }), reads);
  expect(plans.join('\n')).toMatch(/^d range deliveries_due$/m);
});

describe('an inbox of many entries', () => {
  it('is bounded, says that there are more, and leaves other tenants alone', async () => {
    const { storyId, agentId, key } = await buildScene(stores, api);
    const stranger = await buildAccount(stores.db, { owner: true });
    const letters = textsOf(10_000);
    await stores.sql(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, attempts, error, due_at, failed_at)
       SELECT UUID(), ?, ?, 1, 'email', 1, 'failed', 1, v.text, NOW(3), NOW(3)
       FROM JSON_TABLE(?, '$[*]' COLUMNS (text VARCHAR(100) PATH '$')) v`,
      [storyId, agentId, JSON.stringify(letters)],
    );
    const inbox = await inboxOnce(api, key, ({ entries }) => entries.length > 0);
    expect(inbox.entries).toHaveLength(200);
    expect(new Set(inbox.entries.map((entry: Parsed) => entry.key)).size).toBe(200);
    expect(inbox.complete).toBe(false);
    // The rest after reading so many is not theirs.
    expect(await inboxOf(api, stranger.key)).toMatchObject({ entries: [], unread: [] });
    const [first] = inbox.entries;
    for (const change of [{ assignee_id: null }, { snoozed_until: null }]) {
      const { status } = await api.call(stranger.key, `PATCH /api/v1/inbox/${first.key}`, change);
      expect(status).toBe(404);
    }
    expect(entryIn(await inboxOf(api, key), first.key)).toBeDefined();
  });
});

/** Texts of errors that have nothing in common: letters alone. */
const textsOf = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    String(n).replace(/\d/g, (digit) => 'qwertyuiop'.charAt(Number(digit))),
  );
