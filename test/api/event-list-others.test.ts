import { buildAccount } from '../support/builders.js';
import { call } from '../support/run-api.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabula } from '../support/use-fabula.js';

const stores = useStores({ ownDatabase: true });
const fabula = useFabula(stores);

interface Listed {
  events: { id: number }[];
  meta: { next_page: string | null };
}

const OTHERS = 150_000;

/** Adds events of a story whose ids begin with `from`, `every` so many. */
const add = (storyId: number, { from, count, every = 1 }: { from: number; count: number; every?: number }) =>
  stores.sql(
    `INSERT INTO events (id, story_run_guid, story_id, agent_id, payload, lineage)
     SELECT ? + n * ?, UUID(), ?, 7, '{}', '{}' FROM (
       SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n AS n FROM ${['a', 'b', 'c', 'd', 'e']
         .map(
           (name) =>
             `(SELECT 0 AS n ${Array.from({ length: 9 }, (_, n) => `UNION SELECT ${n + 1}`).join(' ')}) ${name}`,
         )
         .join(', ')}) numbers WHERE n < ?`,
    [from, every, storyId, count],
  );

/** Rows that the server has read so far. */
async function rowsOfServer(): Promise<number> {
  const rows = await stores.db.read((session) =>
    session.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Handler_read%'"),
  );
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}

test('A18 clients: a walk through events reads those of other tenants at no place of the list', async () => {
  const other = await buildAccount(stores.db, { owner: true });
  const theirs = await fabula.as(other).importStory(storyOf({ Hook: ['Webhook', {}] } as never, []));
  const mine = await fabula.importStory(storyOf({ Hook: ['Webhook', {}] } as never, []));
  const first = 10_000_000;
  await add(theirs.id, { from: first, count: 100_000 });
  const own = [first + 200_000, first + 300_000];
  await add(mine.id, { from: own[0]!, count: 4_000 });
  await add(theirs.id, { from: first + 210_000, count: OTHERS - 100_000 });
  await add(mine.id, { from: own[1]!, count: 4_000 });
  const page = async (query: string) => {
    const { status, body } = await call(fabula, `GET /api/v1/events?per_page=1&${query}` as never);
    expect(status).toBe(200);
    return body as unknown as Listed;
  };
  for (const [query, ids] of [
    ['page=1', [own[1]! + 3_999]],
    [`cursor=${own[1]!}`, [own[0]! + 3_999]],
    [`cursor=${own[0]!}`, []],
  ] as const) {
    const before = await rowsOfServer();
    const { events } = await page(query);
    const rows = (await rowsOfServer()) - before;
    expect(events.map(({ id }) => id)).toEqual(ids);
    // Counting reads the 8,000 own ones.
    expect({ query, isCheap: rows < 40_000, rows }).toMatchObject({ isCheap: true });
  }
  const seen: number[] = [];
  let address: string | null = '/api/v1/events?per_page=500&page=1';
  while (address !== null) {
    const { body } = await call(fabula, `GET ${address.replace(/^https?:\/\/[^/]*/, '')}` as never);
    const { events, meta } = body as unknown as Listed;
    seen.push(...events.map(({ id }) => id));
    address = meta.next_page;
  }
  expect(new Set(seen).size).toBe(8_000);
  expect(seen).toHaveLength(8_000);
}, 120_000);
