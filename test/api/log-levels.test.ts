import { followLevels } from '../../src/log-levels/follow-levels.js';
import { createKeptLevels } from '../../src/log-levels/kept-levels.js';
import { createLogLevelService } from '../../src/log-levels/log-level-service.js';
import { componentLogger } from '../../src/platform/component-logger.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { useManageApi } from '../support/manage-api.js';
import { buildOperator } from '../support/one-tenant.js';
import { recordingLogger } from '../support/recording-logger.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores, { queues: [], relay: false, env: { LOG_LEVEL: 'info' } });
const PATH = '/api/v1/admin/log_levels';

const ownerKey = async () => (await buildOperator(stores)).key;

/** The levels that another process would read. */
const levelsOf = (redis = stores.redis) =>
  createKeptLevels({ redis, prefix: api.fabula().config.queuePrefix });

it('are the usual ones until an Owner changes them, and others stay', async () => {
  const key = await ownerKey();
  const { body: before } = await api.call(key, `GET ${PATH}`);
  expect(before.log_levels).toHaveLength(7);
  expect(before.log_levels).toContainEqual(
    expect.objectContaining({ component: 'stores', level: 'info', ends_at: null }),
  );
  const { status, body } = await api.call(key, `PUT ${PATH}`, { levels: { jobs: 'debug' }, minutes: 5 });
  expect(status).toBe(200);
  const jobs = body.log_levels.find(({ component }: { component: string }) => component === 'jobs');
  expect(jobs).toMatchObject({ level: 'debug', ends_at: expect.stringMatching(/Z$/) });
  expect(Date.parse(jobs.ends_at) - Date.now()).toBeLessThanOrEqual(5 * 60_000);
  const { body: ended } = await api.call(key, `PUT ${PATH}`, { levels: { jobs: null } });
  expect(ended).toEqual(before);
});

it('end in Redis by themselves', async () => {
  const key = await ownerKey();
  await api.call(key, `PUT ${PATH}`, { levels: { access: 'debug' }, minutes: 1 });
  const leftMs = await stores.redis.pttl(`${api.fabula().config.queuePrefix}:log-level:access`);
  expect(leftMs).toBeGreaterThan(0);
  expect(leftMs).toBeLessThanOrEqual(60_000);
});

it('reach every process, and end there too', async () => {
  const log = recordingLogger('info');
  const followed = followLevels({ levels: levelsOf(), root: log.logger });
  const jobs = componentLogger(log.logger, 'jobs');
  const key = await ownerKey();
  await api.call(key, `PUT ${PATH}`, { levels: { jobs: 'debug' } });
  await eventually(() => jobs.isLevelEnabled('debug'), 60_000);
  const own = componentLogger(api.fabula().web.core.logger, 'jobs');
  await eventually(() => own.level === 'debug', 60_000);
  await api.call(key, `PUT ${PATH}`, { levels: { jobs: null } });
  await eventually(() => !jobs.isLevelEnabled('debug') && own.level !== 'debug', 60_000);
  followed.close();
});

it('hold while Redis is away, but not longer than their time', async () => {
  const log = recordingLogger('info');
  const jobs = componentLogger(log.logger, 'jobs');
  let endsAt = new Date(Date.now() + 60_000);
  let away = false;
  const levels = {
    ...levelsOf(),
    read: () =>
      away
        ? Promise.reject(new Error('away'))
        : Promise.resolve(new Map([['jobs', { level: 'debug', endsAt }]] as const)),
  };
  const followed = followLevels({ levels, root: log.logger });
  await followed.look();
  away = true;
  await followed.look();
  expect(jobs.isLevelEnabled('debug')).toBe(true);
  away = false;
  endsAt = new Date(Date.now() - 1);
  await followed.look();
  expect(jobs.isLevelEnabled('debug')).toBe(false);
  followed.close();
});

it('never tell less than the process would', async () => {
  const log = recordingLogger('debug');
  const levels = {
    ...levelsOf(),
    read: () =>
      Promise.resolve(new Map([['jobs', { level: 'info', endsAt: new Date(Date.now() + 60_000) }]] as const)),
  };
  const followed = followLevels({ levels, root: log.logger });
  await followed.look();
  expect(componentLogger(log.logger, 'jobs').isLevelEnabled('debug')).toBe(true);
  followed.close();
});

it('are changed by Owners only, and every change is in the audit log', async () => {
  const account = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
  for (const request of [`GET ${PATH}`, `PUT ${PATH}`]) {
    const { status } = await api.call(
      account.key,
      request,
      request.startsWith('PUT') ? { levels: { jobs: 'info' } } : undefined,
    );
    expect(status).toBe(403);
  }
  const key = await ownerKey();
  await api.call(key, `PUT ${PATH}`, { levels: { queues: 'debug' } });
  const { body } = await api.call(key, 'GET /api/v1/audit_logs?action=log_level.update');
  expect(body.audit_logs).toHaveLength(1);
});

it.each([
  [{}, ['levels']],
  [{ levels: {} }, ['levels']],
  [{ levels: { nothing: 'debug' } }, ['levels.nothing']],
  [{ levels: { jobs: 'loud', stores: 'error' }, minutes: 0 }, ['levels.jobs', 'minutes', 'levels.stores']],
  [{ levels: { jobs: 'debug' }, minutes: 1441 }, ['minutes']],
  [{ levels: { jobs: 'warn', access: 'error', queues: 'info' } }, ['levels.jobs', 'levels.access']],
])('%j is refused, with every problem', async (body, fields) => {
  const answer = await api.call(await ownerKey(), `PUT ${PATH}`, body);
  expect(answer.status).toBe(422);
  expect(answer.body.errors.map(({ details }: { details: string }) => details).toSorted()).toEqual(
    fields.toSorted(),
  );
});

it('are fixed where the operator says so, and Redis that is away is a 503', async () => {
  const change = { levels: { jobs: 'debug' as const }, minutes: 1 };
  const fixed = createLogLevelService({
    levels: levelsOf(),
    config: { logLevel: 'info', logLevelChanges: 'nobody' },
  });
  await expect(fixed.change(change)).rejects.toMatchObject({ status: 403 });
  const away = {
    mget: () => Promise.reject(new Error('away')),
    set: () => Promise.reject(new Error('away')),
  };
  const without = createLogLevelService({
    levels: levelsOf(away as never),
    config: { logLevel: 'info', logLevelChanges: 'owners' },
  });
  await expect(without.change(change)).rejects.toMatchObject({ status: 503 });
  await expect(without.list()).rejects.toMatchObject({ status: 503 });
});
