import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { auditEntrySchema, presentAuditEntry } from '../../src/people/audit/audit-presenter.js';
import { listAuditEntries } from '../../src/people/audit/audit-store.js';
import { seed } from '../../src/operate/cli/seed/seed.js';
import { readConfig } from '../../src/config/config.js';
import { createCredentialCipher } from '../../src/data/credentials/keys/credential-cipher.js';
import { createCredentialService } from '../../src/data/credentials/credential-service.js';
import { createCredentialStore } from '../../src/data/credentials/credential-store.js';
import { runCli } from '../support/run-cli.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';
import { startTcpProxy } from '../support/tcp-proxy.js';

const stores = useStores({ ownDatabase: true });
const KEY = 'ab'.repeat(32);
const SECRET = 'pssst-do-not-tell';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'fabula-cli-audit-'));
});
afterAll(() => rm(folder, { recursive: true }));

const environment = (overrides: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  DATABASE_URL: stores.databaseUrl,
  REDIS_URL: 'redis://127.0.0.1:1',
  ENCRYPTION_KEY: KEY,
  DATA_DIR: folder,
  ...overrides,
});

const fabula = (args: string[], env?: NodeJS.ProcessEnv) =>
  runCli(args, { env: environment(env), input: '' });

/** The JSON that a command prints; it must succeed. */
async function json(...args: string[]): Promise<Record<string, unknown> & { id: number }> {
  const { code, out, err } = await fabula([...args, '--json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as { id: number };
}

/** The tenant's entries, oldest first, as the API gives them. */
async function entries(tenantId: number) {
  const page = { offset: 0, limit: 100 };
  const found = await stores.db.read((session) => listAuditEntries({ tenantId }, page, session));
  return found.items.toReversed().map((entry) => presentAuditEntry(entry));
}

const nobody = { user_id: null, user_email: null, key_id: null };

it('each command that writes leaves one entry: what, on what, and as whom', async () => {
  const tenant = await json('tenant', 'create', '--name', 'Acme');
  const ada = await json('user', 'create', '--email', 'ada@acme.test', '--owner');
  const team = await json('team', 'create', '--name', 'Ops');
  await json('team', 'add-member', '--user', 'ada@acme.test');
  const personal = await json('key', 'create');
  const ofTeam = await json('key', 'create', '--kind', 'team');
  await json('key', 'revoke', String(ofTeam.id));
  const file = path.join(folder, 'story.json');
  await writeFile(file, JSON.stringify(smallExport()));
  const story = await json('story', 'import', file);
  await json('resource', 'set', 'r', '--value', SECRET);
  await json('credential', 'set', 'c', '--value', SECRET);

  const found = await entries(tenant.id);
  const asAda = { user_id: ada.id, user_email: 'ada@acme.test', key_id: null };
  expect(found).toMatchObject([
    { action: 'tenant.create', target_id: tenant.id, path: 'fabula tenant create', ...nobody },
    { action: 'user.create', target_id: ada.id, path: 'fabula user create', ...nobody },
    { action: 'team.create', target_id: team.id, path: 'fabula team create', ...nobody },
    { action: 'member.add', target_id: ada.id, team_id: team.id, path: 'fabula team add-member', ...nobody },
    { action: 'api_key.create', target_id: personal.id, path: 'fabula key create', ...asAda },
    { action: 'api_key.create', target_id: ofTeam.id, team_id: team.id, ...nobody },
    { action: 'api_key.revoke', target_id: ofTeam.id, path: 'fabula key revoke', ...nobody },
    { action: 'story.import', target_id: story.id, team_id: team.id, path: 'fabula story import', ...asAda },
    { action: 'resource.set', team_id: team.id, path: 'fabula resource set', ...nobody },
    { action: 'credential.set', team_id: team.id, path: 'fabula credential set', ...nobody },
  ]);
  for (const entry of found) {
    expect(entry).toMatchObject({ method: 'CLI', ip: null, user_agent: null });
    expect(auditEntrySchema.validate(entry, { convert: false }).error).toBeUndefined();
  }
});

it('no entry holds a secret: neither what was given nor what was made', async () => {
  const { id } = await json('tenant', 'create', '--name', 'Acme');
  await json('user', 'create', '--email', 'ada@acme.test', '--owner');
  await json('team', 'create', '--name', 'Ops');
  await json('credential', 'set', 'c', '--value', SECRET);
  const { key } = await json('key', 'create', '--name', SECRET);
  const rows = await stores.db.read((session) => session.rows('SELECT * FROM audit_logs'));
  expect(rows).toHaveLength(5);
  expect(JSON.stringify(rows)).not.toContain(SECRET);
  expect(JSON.stringify(rows)).not.toContain(String(key));
  expect((await entries(id)).map(({ path: command }) => command)).not.toContain('');
});

it('commands that only read, that fail, or that were refused leave none', async () => {
  const { id } = await json('tenant', 'create', '--name', 'Acme');
  await json('user', 'create', '--email', 'ada@acme.test', '--owner');
  await json('team', 'create', '--name', 'Ops');
  const before = (await entries(id)).length;
  for (const args of [
    ['tenant', 'list'],
    ['key', 'list'],
    ['story', 'list'],
    ['user', 'create', '--email', 'ada@acme.test'],
    ['key', 'revoke', '999999'],
    ['team', 'create', '--name', 'two\nlines'],
    ['story', 'import', '/nowhere.json'],
    ['migrate'],
  ]) {
    await fabula(args);
  }
  expect((await entries(id)).length).toBe(before);
});

it('a rotation of keys leaves one entry in each tenant it changed, also when it could not do all', async () => {
  const other = randomBytes(32);
  const teams: number[] = [];
  const tenants: number[] = [];
  for (const name of ['Acme', 'Other', 'Third']) {
    const tenant = await json('tenant', 'create', '--name', name);
    tenants.push(tenant.id);
    teams.push((await json('team', 'create', '--name', 'Ops', '--tenant', name)).id);
  }
  const store = createCredentialStore(stores.db);
  const old = createCredentialService({ store, encryptionKey: other });
  for (const teamId of teams.slice(0, 2)) await old.set(teamId, 'a', 'x');
  await old.set(teams[0]!, 'b', 'x');
  const lost = createCredentialCipher(randomBytes(32));
  const place = { teamId: teams[0]!, name: 'lost' };
  await store.save(place.teamId, { name: 'lost', slug: 'lost', encryptedValue: lost.encrypt('x', place) });

  const previous = { ENCRYPTION_KEY_PREVIOUS: other.toString('hex') };
  const { code, out, err } = await fabula(['credential', 'rotate-key'], previous);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^error: re-encrypted 3 credentials, but 1 cannot be decrypted .*\n$/);
  const actions = await Promise.all(
    tenants.map(async (id) => (await entries(id)).map(({ action }) => action)),
  );
  expect(actions).toEqual([
    ['tenant.create', 'team.create', 'credential.rotate_key'],
    ['tenant.create', 'team.create', 'credential.rotate_key'],
    ['tenant.create', 'team.create'],
  ]);
});

it('a Redis that does not respond fails no command', async () => {
  await json('tenant', 'create', '--name', 'Acme');
  await json('user', 'create', '--email', 'ada@acme.test', '--owner');
  await json('team', 'create', '--name', 'Ops');
  const file = path.join(folder, 'told-to-nobody.json');
  await writeFile(file, JSON.stringify(smallExport()));
  const proxy = await startTcpProxy(stores.redisUrl);
  proxy.freeze();
  try {
    const { code, out, err } = await fabula(['story', 'import', file], { REDIS_URL: proxy.url });
    expect([code, out, err]).toEqual([0, expect.stringContaining('Imported story'), '']);
  } finally {
    await proxy.close();
  }
});

it('an entry that cannot be stored does not hide what was done: it is said beside it', async () => {
  await json('tenant', 'create', '--name', 'Acme');
  await json('user', 'create', '--email', 'ada@acme.test', '--owner');
  await stores.sql('RENAME TABLE audit_logs TO audit_logs_away');
  try {
    const { code, out, err } = await fabula(['key', 'create', '--json']);
    expect([code, Object.keys(JSON.parse(out) as object)]).toEqual([
      1,
      expect.arrayContaining(['id', 'key']),
    ]);
    expect(err).toMatch(/^error: the command succeeded, but could not write its audit log entry: .*\n$/);
  } finally {
    await stores.sql('RENAME TABLE audit_logs_away TO audit_logs');
  }
});

it('the first start leaves an entry of each thing it makes, and later ones of their sign-in link alone', async () => {
  const config = readConfig(environment());
  const seeded = await seed(config);
  const found = await entries(seeded.tenant_id);
  expect(found.map(({ action, path: command, method }) => `${method} ${command}: ${action}`)).toEqual(
    [
      'tenant.create',
      'team.create',
      'user.create',
      'member.add',
      'api_key.create',
      'story.import',
      'login_link.create',
    ].map((action) => `CLI npm start: ${action}`),
  );
  expect(found.slice(-3, -1)).toMatchObject([
    { user_email: seeded.user_email },
    { user_email: seeded.user_email, team_id: seeded.team_id },
  ]);
  await writeFile(path.join(folder, 'credentials.json'), JSON.stringify({ api_key: seeded.api_key }));
  await seed(config);
  const later = await entries(seeded.tenant_id);
  expect(later.slice(found.length)).toMatchObject([
    { action: 'login_link.create', user_email: seeded.user_email },
  ]);
});
