import { THREAD_FILE } from '../../src/app/thread-file.js';
import type { Session } from '../../src/platform/mysql/session.js';
import type { TenantQuotas } from '../../src/people/face.js';
import type { StoryGraphs } from '../../src/stories/face.js';
import { createShadowRunner } from '../../src/trial/face.js';
import type { ShadowRunnerDeps } from '../../src/trial/shadows/shadow-runner.js';
import { findDueShadows } from '../../src/trial/shadows/shadow-store.js';
import { type Account, buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import type { TestFabula } from '../support/fabula.js';
import { call, says } from '../support/run-api.js';
import { buildRetention } from '../support/retention.js';
import { shadowWorld } from '../support/shadows.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useFabulaHere } from '../support/use-fabula-here.js';

const stores = useStores();
const fabula = useFabulaHere(stores, { env: { SHADOW_CPU_SHARE: '1' }, relay: false });

const flow = () =>
  storyOf(
    {
      Hook: ['Webhook', { include_headers: false }],
      Grade: says({ grade: '=IF(hook.n > 5, "high", "low")' }),
    },
    ['Hook > Grade'],
  );

/** Fabula as another account calls it. */
const fabulaOf = (account: Account): TestFabula =>
  Object.assign(Object.create(fabula) as TestFabula, fabula.as(account), { account });

const runner = (
  quotas: TenantQuotas,
  graphs: StoryGraphs = fabula.workers.graphs,
  database: ShadowRunnerDeps['database'] = fabula.workers.database,
) => {
  const made = createShadowRunner({ ...fabula.workers, quotas, graphs, database, threadFile: THREAD_FILE });
  stores.onClose(() => made.close());
  return made;
};

/** The rows and entries of indexes that the session has read so far. */
async function rowsRead(session: Session): Promise<number> {
  const rows = await session.rows<{ Value: string }>("SHOW SESSION STATUS LIKE 'Handler_read%'");
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}

describe('stories as software: turns of a shadow', () => {
  test('of two processes that do the same turn, one counts it', async () => {
    const w = await shadowWorld(fabula, flow());
    await w.fire(Array.from({ length: 30 }, (_, n) => n));
    await w.change('Grade', says({ grade: '=IF(hook.n > 7, "high", "low")' })[1]);
    const { id } = await w.start({ kind: 'last', runs: 30 });
    const both = [runner(fabula.workers.quotas), runner(fabula.workers.quotas)];
    await eventually(async () => {
      await Promise.all(both.map((each) => each.tick()));
      return (await w.shown(id)).state === 'completed';
    }, 60_000);
    expect(await w.shown(id)).toMatchObject({ same: 28, different: 2, not_compared: 0 });
    expect(await w.differences(id)).toMatchObject([{ path: 'grade', runs: 2 }]);
  });

  test('a process that ends in a turn keeps what it compared, and another goes on', async () => {
    const w = await shadowWorld(fabula, flow());
    await w.fire(Array.from({ length: 30 }, (_, n) => n));
    const { id } = await w.start({ kind: 'last', runs: 30 });
    const ending = new AbortController();
    const { quotas } = fabula.workers;
    // The use of each run is counted when it was compared.
    const first = runner({
      ...quotas,
      add(tenantId, usage) {
        quotas.add(tenantId, usage);
        ending.abort();
      },
    });
    await eventually(async () => {
      await first.tick(ending.signal);
      return ending.signal.aborted;
    });
    expect(await w.shown(id)).toMatchObject({ state: 'running', same: 1 });
    await eventually(async () => {
      await runner(quotas).tick();
      return (await w.shown(id)).state === 'completed';
    }, 60_000);
    expect(await w.shown(id)).toMatchObject({ same: 30, different: 0, not_compared: 0 });
  });

  test('five tenants take turns: one with many runs does not hold up the others', async () => {
    const order: number[] = [];
    const { quotas } = fabula.workers;
    const taking = runner({
      ...quotas,
      add(tenantId, usage) {
        order.push(tenantId);
        quotas.add(tenantId, usage);
      },
    });
    const others = await Promise.all(
      Array.from({ length: 4 }, () => buildAccount(stores.db, { owner: true })),
    );
    const worlds = await Promise.all(
      [fabula.account, ...others].map((account) => shadowWorld(fabulaOf(account), flow())),
    );
    const [busy, ...quiet] = worlds;
    await busy!.fire(Array.from({ length: 60 }, (_, n) => n));
    for (const w of quiet) await w.fire([1, 9]);
    const started = await Promise.all(
      worlds.map(async (w) => ({ w, id: (await w.start({ kind: 'last', runs: 60 })).id })),
    );
    await eventually(async () => {
      await taking.tick();
      const shown = await Promise.all(started.map(({ w, id }) => w.shown(id)));
      return shown.every(({ state }) => state === 'completed');
    }, 60_000);
    const ended = Math.max(...others.map(({ tenantId }) => order.lastIndexOf(tenantId)));
    expect(ended).toBeLessThan(order.lastIndexOf(fabula.account.tenantId));
    expect(order).toHaveLength(68);
  });

  test('a shadow that waits for its next run is not due, and one whose draft was changed is', async () => {
    const w = await shadowWorld(fabula, flow());
    const { id } = await w.start({ kind: 'next', runs: 5 });
    const isDue = async () => (await stores.db.read(findDueShadows)).some((due) => due.id === id);
    expect(await isDue()).toBe(false);
    await w.fire([1]);
    await eventually(isDue, 30_000);
    await eventually(async () => {
      await runner(fabula.workers.quotas).tick();
      return (await w.shown(id)).same === 1;
    }, 60_000);
    expect(await isDue()).toBe(false);
    await w.change('Grade', says({ grade: 'none' })[1]);
    expect(await isDue()).toBe(true);
  });

  test('a turn that another process takes while the draft is deleted leaves nothing behind', async () => {
    const w = await shadowWorld(fabula, flow());
    await w.fire([1, 9]);
    await w.change('Grade', says({ grade: 'none' })[1]);
    const { id } = await w.start({ kind: 'last', runs: 5 });
    const { quotas, graphs, database } = fabula.workers;
    const [compared, deleted, ending] = [new AbortController(), new AbortController(), new AbortController()];
    const taker = runner(quotas, graphs, {
      read: (work) => database.read(work),
      exists: (sql) => database.exists(sql),
      async transaction(work) {
        compared.abort();
        await eventually(() => deleted.signal.aborted, 60_000);
        ending.abort();
        return database.transaction(work);
      },
    });
    const taking = eventually(async () => {
      await taker.tick(ending.signal);
      return ending.signal.aborted;
    }, 60_000);
    await eventually(() => compared.signal.aborted, 60_000);
    await fabula.api('DELETE', `/api/v1/drafts/${w.draft}`);
    await runner(quotas, graphs, {
      read: (work) => database.read(work),
      exists: (sql) => database.exists(sql),
      async transaction(work) {
        const done = await database.transaction(work);
        deleted.abort();
        await taking;
        return done;
      },
    }).tick();
    await buildRetention(stores.db).pass({ thorough: true });
    for (const [table, key] of [
      ['shadows', 'id'],
      ['shadow_differences', 'shadow_id'],
      ['shadow_runs', 'shadow_id'],
    ])
      expect(
        await stores.db.read((session) => session.rows(`SELECT ${key} FROM ${table} WHERE ${key} = ?`, [id])),
      ).toEqual([]);
  });

  test('whether a shadow of a story with many runs is due costs no more than its newest run', async () => {
    const w = await shadowWorld(fabula, flow());
    await stores.sql(
      `INSERT INTO story_runs (guid, story_id, source, created_at)
       SELECT UUID(), ?, 'webhook', NOW(3) - INTERVAL 60 + v.n SECOND FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v`,
      [w.id, JSON.stringify(Array.from({ length: 3_000 }, (_, n) => n))],
    );
    const { id } = await w.start({ kind: 'next', runs: 5 });
    const counted = async () =>
      stores.db.read(async (session) => {
        const before = await rowsRead(session);
        const due = await findDueShadows(session);
        return { isDue: due.some((each) => each.id === id), read: (await rowsRead(session)) - before };
      });
    const idle = await counted();
    expect(idle.isDue).toBe(false);
    expect(idle.read).toBeLessThan(200);
    await stores.sql('UPDATE shadows SET last_at = NOW(3) - INTERVAL 30 MINUTE WHERE id = ?', [id]);
    const due = await counted();
    expect(due.isDue).toBe(true);
    expect(due.read).toBeLessThan(200);
  });

  test('a story whose version is known is not read again for each turn', async () => {
    const w = await shadowWorld(fabula, flow());
    await w.fire(Array.from({ length: 60 }, (_, n) => n));
    const { graphs, quotas } = fabula.workers;
    const invalidated: number[] = [];
    const counting: StoryGraphs = {
      ...graphs,
      invalidate(id) {
        invalidated.push(id);
        graphs.invalidate(id);
      },
    };
    const taking = runner(quotas, counting);
    await w.start({ kind: 'last', runs: 60 });
    // It may know neither story in its present version yet.
    await taking.tick();
    invalidated.length = 0;
    await w.change('Grade', says({ grade: '=IF(hook.n > 7, "high", "low")' })[1]);
    graphs.invalidate(w.draft);
    await eventually(async () => {
      await taking.tick();
      const { shadows } = (await call(fabula, `GET ${w.path}`)).body as { shadows: { state: string }[] };
      return shadows[0]!.state === 'completed';
    }, 60_000);
    expect(invalidated).toEqual([]);
  });
});
