import { createEpoch, createInstallation } from '../../src/platform/mysql/schema/epoch.js';
import { eventually } from '../support/eventually.js';
import { runCli } from '../support/run-cli.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const KEY = 'ab'.repeat(32);

const restored = (env: NodeJS.ProcessEnv = {}, ...options: string[]) =>
  runCli(['database', 'restored', ...options], {
    env: { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl, ENCRYPTION_KEY: KEY, ...env },
  });

test('"database restored" begins a new epoch, which running processes take up, and keeps the installation', async () => {
  const epoch = createEpoch(stores.db, 50);
  const before = { epoch: await epoch(), installation: await createInstallation(stores.db)() };
  const response = JSON.parse((await restored({}, '--json')).out) as { epoch: string };
  expect(response).toEqual({
    epoch: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
    newestEventAt: null,
    openDeliveries: 0,
    deadLetters: 0,
    unreadableCredentials: [],
    unreadableMailServers: [],
  });
  expect(response.epoch).not.toBe(before.epoch);
  await eventually(async () => (await epoch()) === response.epoch);
  expect(await createInstallation(stores.db)()).toBe(before.installation);
});

test('it says what the database holds', async () => {
  await stores.sql(
    `INSERT INTO events (story_run_guid, story_id, agent_id, payload, lineage, created_at)
       VALUES ('guid', 1, 1, '{}', '{}', '2026-11-20 10:00:00.000')`,
  );
  expect(await restored()).toEqual({
    code: 0,
    err: '',
    out: 'The newest event is from 2026-11-20 10:00:00.000 UTC. Open deliveries: 0; dead letters: 0. A new database epoch has started.\n',
  });
});

test('it fails when credentials cannot be read with the encryption key that is given', async () => {
  const env = { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl, ENCRYPTION_KEY: KEY };
  for (const command of [
    'tenant create --name Acme',
    'user create --email owner@example.test --owner',
    'team create --name Ops',
    'credential set jira --value s3cret',
  ]) {
    expect(await runCli(command.split(' '), { env })).toMatchObject({ code: 0 });
  }
  expect(await restored()).toMatchObject({ code: 0 });
  for (const wrong of ['cd'.repeat(32), '']) {
    const { code, out } = await restored({ ENCRYPTION_KEY: wrong });
    expect(code).toBe(1);
    expect(out).toMatch(/Team \d+: /);
    expect(out).not.toContain('s3cret');
  }
});

test('an epoch that is known goes on while the database is away', async () => {
  const known = await createEpoch(stores.db)();
  let isAway = false;
  const epoch = createEpoch(
    { read: (work) => (isAway ? Promise.reject(new Error('away')) : stores.db.read(work)) },
    0,
  );
  expect(await epoch()).toBe(known);
  isAway = true;
  expect(await epoch()).toBe(known);
  expect(await epoch()).toBe(known);
});
