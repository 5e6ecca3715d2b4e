import { lagCheck } from '../../src/operate/doctor/checks/work-checks.js';
import { clockCheck } from '../../src/operate/doctor/checks/database/database-checks.js';
import { redisClockCheck } from '../../src/operate/doctor/checks/redis-checks.js';
import type { Check, StoreContext } from '../../src/operate/doctor/check.js';
import { runChecks } from '../../src/operate/doctor/run-checks.js';
import { createStoreContext } from '../../src/operate/doctor/store-context.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { useManageApiHere } from '../support/manage-api-here.js';
import { buildOperator } from '../support/one-tenant.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApiHere(stores);

/** The findings of one check on the stores of this server; `nowMs`: the clock of this process. */
async function findingsOf(check: Check<StoreContext>, nowMs = Date.now) {
  const { config, database, redis, queues } = api.fabula().web.core;
  const context = createStoreContext({ config, database, redis, queues, nowMs });
  return runChecks([check], context, { limitMs: 10_000 });
}

const wrong = () => Date.now() - 3_600_000;

const broken = (run: Check<StoreContext>['run']): Check<StoreContext> => ({
  name: 'broken',
  needs: [],
  kinds: [],
  run,
});

describe('GET /api/v1/doctor', () => {
  it('tells owners about the stores and the work, and nothing about the host', async () => {
    const { key } = await buildOperator(stores);
    // On a busy machine a check may reach its time limit; the next report tells.
    const body = await eventually(async () => {
      const response = await api.call(key, 'GET /api/v1/doctor');
      expect(response.status).toBe(200);
      return !JSON.stringify(response.body).includes('doctor.check-failed') && response.body;
    }, 60_000);
    const groups = new Set(body.findings.map(({ group }: { group: string }) => group));
    // This server has no workers.
    expect(body.findings).toContainEqual(
      expect.objectContaining({ id: 'work.no-worker', severity: 'error' }),
    );
    expect(
      [...groups].filter((group) => ['configuration', 'outbound', 'disk'].includes(String(group))),
    ).toEqual([]);
    expect(body.counts.error).toBe(
      body.findings.filter(({ severity }: { severity: string }) => severity === 'error').length,
    );
  });

  it('looks at most once in 15 seconds', async () => {
    const { key } = await buildOperator(stores);
    const service = api.fabula().web.app.services.doctor;
    const [one, two] = await Promise.all([service.report(), service.report()]);
    expect(two).toBe(one);
    expect((await api.call(key, 'GET /api/v1/doctor')).status).toBe(200);
  });

  it.each(['VIEWER', 'TEAM_ADMIN'] as const)('is for owners, not for a %s', async (role) => {
    const { key } = await buildAccount(stores.db, { role });
    expect((await api.call(key, 'GET /api/v1/doctor')).status).toBe(403);
  });
});

describe('checks with a clock', () => {
  it.each([
    ['database.clock', clockCheck],
    ['redis.clock', redisClockCheck],
  ])('%s: a process whose clock is an hour behind', async (id, check) => {
    expect(await findingsOf(check, wrong)).toEqual([
      expect.objectContaining({
        id,
        found: expect.stringMatching(/is 3\d{3}\.\d s ahead of this process\.$/),
      }),
    ]);
  });

  it('a delivery that no relay takes up', async () => {
    expect(await findingsOf(lagCheck)).toEqual([]);
    await stores.sql(
      `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, due_at, state)
       VALUES ('00000000-0000-7000-8000-000000000000', 1, 1, 1, 'trigger', 1, NOW(3) - INTERVAL 1 HOUR, 'waiting')`,
    );
    expect(await findingsOf(lagCheck)).toEqual([
      expect.objectContaining({ id: 'work.relay-lag', found: expect.stringContaining('has waited for 36') }),
    ]);
  });
});

describe('a check that cannot run', () => {
  it('is a finding, without the reason that may name hosts', async () => {
    const error = Object.assign(new Error('connect to db.internal failed'), { code: 'ECONNRESET' });
    expect(await findingsOf(broken(() => Promise.reject(error)))).toEqual([
      expect.objectContaining({
        id: 'doctor.check-failed',
        found: 'The check "broken" could not run: ECONNRESET.',
      }),
    ]);
  });

  it('ends at its time limit', async () => {
    const { config, database, redis, queues } = api.fabula().web.core;
    const context = createStoreContext({ config, database, redis, queues });
    const never = broken(() => new Promise(() => undefined));
    const found = await runChecks([never], context, { limitMs: 500, showsReasons: true });
    expect(found.map(({ id, found: text }) => [id, text])).toContainEqual([
      'doctor.check-failed',
      'The check "broken" could not run: no response within 500 ms.',
    ]);
  });
});
