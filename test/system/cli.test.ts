import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { MIGRATIONS } from '../../migrations/index.js';
import { createActorStore } from '../../src/api/auth/actor-store.js';
import { apiKeyDigest } from '../../src/api/auth/api-key.js';
import { readConfig } from '../../src/config/config.js';
import { createCredentialService } from '../../src/data/credentials/credential-service.js';
import { createCredentialStore } from '../../src/data/credentials/credential-store.js';
import { seed } from '../../src/operate/cli/seed/seed.js';
import { writePrivateJson } from '../../src/operate/embedded/private-file.js';
import { markOf } from '../../src/operate/embedded/process-identity.js';
import { builtFile } from '../support/processes.js';
import { runCli } from '../support/run-cli.js';
import { createEmptyDatabase, useStores } from '../support/stores.js';
import { realExports, smallExport } from '../support/stories.js';

const stores = useStores();
const KEY = 'ab'.repeat(32);
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'fabula-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

const environment = (overrides: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  DATABASE_URL: stores.databaseUrl,
  ENCRYPTION_KEY: KEY,
  DATA_DIR: folder,
  ...overrides,
});

const fabula = (args: string[], options: { env?: NodeJS.ProcessEnv; input?: string } = {}) =>
  runCli(args, { ...options, env: environment(options.env) });

/** The JSON that a command prints; it must succeed. */
async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, out, err } = await fabula([...args, '--json']);
  expect([code, err]).toEqual([0, '']);
  expect(out.trimEnd()).not.toContain('\n');
  return JSON.parse(out) as T;
}

async function world() {
  const tenant = await json<{ id: number }>('tenant', 'create', '--name', 'Acme');
  const user = await json<{ id: number }>('user', 'create', '--email', 'ada@acme.test', '--owner');
  const team = await json<{ id: number }>('team', 'create', '--name', 'Ops');
  return { tenant, user, team };
}

async function exportFile(name = 'story.json', data: unknown = smallExport()): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, JSON.stringify(data));
  return file;
}

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

const actorOf = (key: unknown) => createActorStore(stores.db).findByDigest(apiKeyDigest(String(key)));

const seedConfig = () => readConfig(environment({ REDIS_URL: 'redis://127.0.0.1:1', HOST: '0.0.0.0' }));
const count = async (table: string) => {
  const [row] = await stores.db.read((session) =>
    session.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`),
  );
  return row?.n;
};

describe('commands for tenants, users and teams', () => {
  it('make them and list them', async () => {
    expect(await json('tenant', 'create', '--name', 'Acme', '--dedicated')).toEqual({
      id: expect.any(Number),
      name: 'Acme',
      dedicated: true,
      frozen_at: null,
      created_at: TIME,
    });
    const user = await json('user', 'create', '--email', 'ada@acme.test', '--first-name', 'Ada', '--owner');
    expect(user).toEqual({
      id: expect.any(Number),
      tenant_id: expect.any(Number),
      email: 'ada@acme.test',
      first_name: 'Ada',
      last_name: '',
      is_owner: true,
      is_service_account: false,
      created_at: TIME,
    });
    const team = await json('team', 'create', '--name', 'Ops');
    expect(team).toEqual({
      id: expect.any(Number),
      tenant_id: user['tenant_id'],
      name: 'Ops',
      created_at: TIME,
    });
    expect(await json('team', 'list')).toEqual([team]);
    expect(await json('user', 'list')).toEqual([user]);
    expect((await fabula(['tenant', 'list'])).out).toMatch(
      /^id +name +dedicated +frozen since\n\d+ +Acme +yes +-\n$/,
    );
  });

  it('make members of a team', async () => {
    const { team } = await world();
    await json('user', 'create', '--email', 'bob@acme.test', '--team', 'Ops', '--role', 'VIEWER');
    const member = await json('team', 'add-member', '--user', 'ada@acme.test', '--role', 'TEAM_ADMIN');
    expect(member).toMatchObject({ team_id: team.id, role: 'TEAM_ADMIN' });
    const rows = await stores.db.read((session) => session.rows('SELECT role FROM memberships ORDER BY id'));
    expect(rows).toEqual([{ role: 'VIEWER' }, { role: 'TEAM_ADMIN' }]);
  });

  it('do not guess where there are several', async () => {
    const first = await json<{ id: number }>('tenant', 'create', '--name', 'Acme');
    await json('tenant', 'create', '--name', 'Other');
    const unsure = await fabula(['team', 'create', '--name', 'Ops']);
    expect(unsure).toMatchObject({ code: 1, out: '' });
    expect(unsure.err).toMatch(
      /^error: specify one by id: there is more than one tenant; .*Acme.*Other.*\n$/,
    );
    expect(await json('team', 'create', '--name', 'A', '--tenant', 'Acme')).toMatchObject({
      tenant_id: first.id,
    });
    expect(await json('team', 'create', '--name', 'B', '--tenant', String(first.id))).toMatchObject({
      tenant_id: first.id,
    });
    expect((await fabula(['team', 'list', '--tenant', 'Nobody'])).err).toContain('no such tenant "Nobody"');
  });
});

describe('commands for keys', () => {
  it('make, list and revoke them', async () => {
    const { user, team } = await world();
    const personal = await json('key', 'create', '--name', 'mine');
    const tenant = await json('key', 'create', '--kind', 'tenant');
    const ofTeam = await json(
      'key',
      'create',
      '--kind',
      'team',
      '--role',
      'VIEWER',
      '--expires-at',
      '2999-01-01',
    );
    expect(await actorOf(personal['key'])).toMatchObject({
      kind: 'personal',
      userId: user.id,
      isOwner: true,
    });
    expect(await actorOf(tenant['key'])).toMatchObject({ kind: 'tenant', isOwner: true });
    expect(await actorOf(ofTeam['key'])).toMatchObject({
      keyTeamId: team.id,
      roles: new Map([[team.id, 'VIEWER']]),
    });
    expect(ofTeam['expires_at']).toBe('2999-01-01T00:00:00Z');

    await json('key', 'revoke', String(personal['id']));
    expect(await actorOf(personal['key'])).toBeUndefined();
    const list = await json<Record<string, unknown>[]>('key', 'list');
    expect(list.map(({ kind }) => kind)).toEqual(['personal', 'tenant', 'team']);
    expect(list[0]).toMatchObject({ id: personal['id'], name: 'mine', revoked_at: TIME });
    expect(JSON.stringify(list)).not.toContain(String(tenant['key']));
    expect((await fabula(['key', 'list'])).out).toContain('revoked');
  });
});

describe('commands for stories', () => {
  it('import, list and export them', async () => {
    const { team, user } = await world();
    const file = await exportFile();
    const imported = await json<{ id: number }>('story', 'import', file, '--name', 'Mine', '--team', 'Ops');
    expect(imported).toMatchObject({ name: 'Mine', team_id: team.id, user_id: user.id });
    expect(await json('story', 'list', '--search', 'min')).toMatchObject([{ id: imported.id, name: 'Mine' }]);
    const again = await json('story', 'import', file, '--name', 'Mine', '--mode', 'versionReplace');
    expect(again).toMatchObject({ id: imported.id });

    expect(await json('story', 'export', String(imported.id))).toMatchObject({
      name: 'Mine',
      schema_version: 3,
    });
    const output = path.join(folder, 'out.json');
    expect((await fabula(['story', 'export', String(imported.id), '--output', output])).code).toBe(0);
    expect(JSON.parse(await readFile(output, 'utf8'))).toMatchObject({ name: 'Mine', agents: [{}, {}, {}] });
    expect((await stat(output)).mode & 0o777).toBe(0o600);
  });

  it('read an export from standard input and show its warnings', async () => {
    await world();
    const input = JSON.stringify(smallExport({ keep_events_for: 5 }));
    const { code, out } = await fabula(['story', 'import', '-'], { input });
    expect(code).toBe(0);
    expect(out).toMatch(/^Imported story \d+ "Small story"\.\nWarning: keep_events_for of .*\n$/);
  });

  it('import the body of the API’s own import too; what the options say goes first', async () => {
    const { team } = await world();
    const example = path.resolve(__dirname, '../../docs/build/examples/alert-story.json');
    const imported = await json('story', 'import', example);
    expect(imported).toMatchObject({ name: 'Alert to ticket', team_id: team.id });
    const body = { new_name: 'Mine', data: smallExport(), mode: 'versionReplace', team_id: team.id };
    const file = await exportFile('body.json', body);
    const mine = await json<{ id: number }>('story', 'import', file);
    expect(mine).toMatchObject({ name: 'Mine' });
    expect(await json('story', 'import', file)).toMatchObject({ id: mine.id });
    const other = await json<{ id: number }>('story', 'import', file, '--name', 'Other', '--mode', 'new');
    expect([other.id === mine.id, other]).toMatchObject([false, { name: 'Other' }]);
  });

  it('refuse by name what is neither', async () => {
    await world();
    const file = await exportFile('neither.json', { story: 1, data: { name: 'x' } });
    const { code, err } = await fabula(['story', 'import', file]);
    expect(code).toBe(1);
    expect(err).toMatch(/"new_name" is required.*"story" is not allowed/);
    expect((await fabula(['story', 'import', await exportFile('list.json', [1])])).err).toMatch(
      /"data" must be/,
    );
  });

  it('say in one line what is wrong with an export', async () => {
    await world();
    const broken = await exportFile('broken.json', smallExport({ links: [{ source: 9, receiver: 9 }] }));
    const { code, out, err } = await fabula(['story', 'import', broken]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error: "data\.links\[0\]\.source" is 9.*"data\.links\[0\]\.receiver" is 9.*\n$/);
  });

  const real = realExports();
  (real.length === 0 ? it.skip : it)('import every real export (skipped where there are none)', async () => {
    await world();
    for (const [file] of real.slice(0, 5)) {
      const from = path.resolve(__dirname, '../../../shared/stories', file);
      expect(await json('story', 'import', from)).toMatchObject({ id: expect.any(Number) });
    }
  });
});

describe('commands for resources and credentials', () => {
  it('set resources: text, lists and objects', async () => {
    await world();
    expect(await json('resource', 'set', 'Blocked IPs', '--value', '["1.2.3.4"]')).toMatchObject({
      slug: 'blocked_ips',
      value: ['1.2.3.4'],
    });
    expect(await json('resource', 'set', 'n', '--value', '5')).toMatchObject({ value: '5' });
    expect(await json('resource', 'set', 'odd', '--value', '{odd')).toMatchObject({ value: '{odd' });
    expect(await json('resource', 'set', 't', '--value', '{"a":1}', '--text')).toMatchObject({
      value: '{"a":1}',
    });
    const { code } = await fabula(['resource', 'set', 'piped'], { input: 'from a pipe\n' });
    expect(code).toBe(0);
    const rows = await stores.db.read((session) =>
      session.rows("SELECT value FROM resources WHERE name = 'piped'"),
    );
    expect(rows).toEqual([{ value: '"from a pipe"' }]);
  });

  it('set credentials without showing them', async () => {
    const { team } = await world();
    const file = path.join(folder, 'secret.txt');
    await writeFile(file, 's3cret\n');
    const { out } = await fabula(['credential', 'set', 'Jira API', '--value-file', file, '--json']);
    expect(JSON.parse(out)).toEqual({ name: 'Jira API', slug: 'jira_api', team_id: team.id });
    const service = createCredentialService({
      store: createCredentialStore(stores.db),
      encryptionKey: Buffer.from(KEY, 'hex'),
    });
    expect(await service.listValues(team.id)).toEqual([
      { name: 'Jira API', slug: 'jira_api', value: 's3cret' },
    ]);
  });
});

describe('errors', () => {
  it.each<[string[], NodeJS.ProcessEnv, RegExp]>([
    [['tenant', 'create'], {}, /^error: required option '--name <name>' not specified\n$/],
    [['tenant', 'crate'], {}, /^error: unknown command 'crate'.*\n/],
    [['nothing'], {}, /^error: unknown command 'nothing'\n$/],
    [
      ['user', 'create', '--email', 'nobody'],
      {},
      /^error: there is no tenant yet; create one with "tenant create"\n$/,
    ],
    [['migrate', '--down', 'x'], {}, /^error: .*expected a number of migrations\n$/],
    [['key', 'create', '--kind', 'other'], {}, /^error: .*Allowed choices are personal, tenant, team\.\n$/],
    [['story', 'import', '/nowhere/x.json'], {}, /^error: .*ENOENT: .*\n$/],
    [
      ['tenant', 'list'],
      { DATABASE_URL: 'mysql://root@127.0.0.1:1/x' },
      /^error: the database is unreachable: .+\n$/,
    ],
    [['tenant', 'list'], { DATABASE_URL: 'nonsense' }, /^error: Invalid configuration: DATABASE_URL .*\n$/],
    [
      ['tenant', 'list'],
      { DATABASE_URL: '' },
      /^error: no database: set DATABASE_URL, or run "npm start" .*\n$/,
    ],
  ])('of %j are one line', async (args, env, message) => {
    const { code, out, err } = await fabula(args, { env });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(message);
  });

  it.each<[string[], NodeJS.ProcessEnv, RegExp]>([
    [['user', 'create', '--email', 'ada@acme.test'], {}, /has a user with the address/],
    [['key', 'revoke', '999999'], {}, /API key not found/],
    [['key', 'revoke', 'x'], {}, /"x" is not an API key id/],
    [['story', 'export', '999999'], {}, /Story not found/],
    [['resource', 'set', 'a'], {}, /no input on standard input/],
    [
      ['resource', 'set', 'a', '--value', 'b', '--value-file', 'c'],
      {},
      /--value and --value-file cannot be combined/,
    ],
    [['credential', 'set', 'a', '--value', 'b'], { ENCRYPTION_KEY: '' }, /need ENCRYPTION_KEY/],
  ])('of %j say what is wrong', async (args, env, message) => {
    await world();
    const { code, err } = await fabula(args, { env });
    expect(code).toBe(1);
    expect(err).toMatch(message);
    expect(err.match(/\n/g)).toHaveLength(1);
  });

  it('say when the database was never set up', async () => {
    const { url, drop } = await createEmptyDatabase();
    try {
      const { code, err } = await fabula(['tenant', 'list'], { env: { DATABASE_URL: url } });
      expect([code, err]).toEqual([1, 'error: the database is not migrated; run "migrate" first\n']);
    } finally {
      await drop();
    }
  });
});

describe('without DATABASE_URL', () => {
  it('commands work on the stores of a running start, with its encryption key', async () => {
    const dataDir = await mkdtemp(path.join(folder, 'start-'));
    const env = { DATABASE_URL: '', ENCRYPTION_KEY: '', DATA_DIR: dataDir };
    const running = { database_url: stores.databaseUrl, processes: [await markOf(process.pid)] };
    writePrivateJson(path.join(dataDir, 'run', 'stores.json'), running);
    writePrivateJson(path.join(dataDir, 'secrets.json'), { ENCRYPTION_KEY: KEY });
    const { team } = await world();
    expect((await fabula(['credential', 'set', 'a', '--value', 'b'], { env })).code).toBe(0);
    const encryptionKey = Buffer.from(KEY, 'hex');
    const service = createCredentialService({ store: createCredentialStore(stores.db), encryptionKey });
    expect(await service.listValues(team.id)).toMatchObject([{ name: 'a', value: 'b' }]);
    // A key in the environment has precedence.
    const otherKey = { ...env, ENCRYPTION_KEY: '17'.repeat(32) };
    expect((await fabula(['credential', 'set', 'a', '--value', 'c'], { env: otherKey })).code).toBe(0);
    await expect(service.listValues(team.id)).rejects.toThrow('cannot be decrypted');

    writePrivateJson(path.join(dataDir, 'run', 'stores.json'), {
      ...running,
      processes: [{ pid: 1, began: 'long ago' }],
    });
    expect((await fabula(['team', 'list'], { env })).err).toContain('no server is running on');
  });
});

describe('the real process', () => {
  const runFile = promisify(execFile);
  const fabulaProcess = (args: string[], env: NodeJS.ProcessEnv) =>
    runFile(process.execPath, [builtFile('cli'), ...args], {
      env: { PATH: process.env['PATH'], ...env },
      timeout: 60_000,
    });

  it('migrates up and down, and ends by itself', async () => {
    const { url, drop } = await createEmptyDatabase();
    const env = environment({ DATABASE_URL: url, REDIS_URL: 'redis://127.0.0.1:1', PORT: '4321' });
    try {
      const { ran } = JSON.parse((await fabulaProcess(['migrate', '--json'], env)).stdout) as {
        ran: string[];
      };
      expect(ran).toEqual(Object.keys(MIGRATIONS));
      const { stdout } = await fabulaProcess(['migrate', '--down', '1'], env);
      expect(stdout).toBe(`${ran.at(-1)} was reverted\n`);
      await fabulaProcess(['migrate'], env);

      const seeded = await seed(readConfig(env));
      expect(seeded).toMatchObject({ base_url: 'http://127.0.0.1:4321', user_email: 'admin@fabula.local' });
      expect(seeded['demo_webhook_url']).toMatch(/^http:\/\/127\.0\.0\.1:4321\/webhook\/demo\/[0-9a-f]{32}$/);
      const failing = fabulaProcess(['story', 'export', '99'], env);
      await expect(failing).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'error: Story not found\n',
      });
    } finally {
      await drop();
    }
  });
});

describe('the seed', () => {
  it('makes a tenant, a team, an owner, a key and the demo story, once', async () => {
    const first = await seed(seedConfig());
    const second = await seed(seedConfig());
    expect(first).toEqual({
      base_url: 'http://127.0.0.1:3000',
      tenant_id: expect.any(Number),
      team_id: expect.any(Number),
      user_email: 'admin@fabula.local',
      api_key: expect.stringMatching(/^fab_/),
      admin_user: '',
      admin_password: '',
      demo_webhook_url: expect.stringContaining('/webhook/demo/'),
      console_url: 'http://127.0.0.1:3001/console/',
      console_link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3001\/console\/\?link=[\w-]{43}$/),
    });
    expect(second.console_link).not.toBe(first.console_link);
    expect({ ...second, api_key: first.api_key, console_link: first.console_link }).toEqual(first);
    expect([
      await count('tenants'),
      await count('teams'),
      await count('users'),
      await count('stories'),
    ]).toEqual([1, 1, 1, 1]);
  });

  it('goes on where it was interrupted', async () => {
    await stores.sql("INSERT INTO settings (name, value) VALUES ('seed', 'seeding')");
    await json('tenant', 'create', '--name', 'Fabula');
    expect((await seed(seedConfig())).demo_webhook_url).toContain('/webhook/demo/');
    expect([await count('tenants'), await count('teams'), await count('users')]).toEqual([1, 1, 1]);
  });

  it('leaves a database alone that has tenants of its own', async () => {
    const { tenant, team } = await world();
    expect(await seed(seedConfig())).toMatchObject({
      tenant_id: tenant.id,
      team_id: team.id,
      user_email: 'ada@acme.test',
      demo_webhook_url: '',
    });
    expect([await count('tenants'), await count('users'), await count('stories')]).toEqual([1, 1, 0]);
  });
});
