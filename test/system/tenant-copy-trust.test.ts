import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { FORMER } from '../../migrations/former.js';
import { readLines, writeLines } from '../../src/operate/backup/line-files.js';
import { createPasswordHasher } from '../../src/people/passwords/password-hasher.js';
import { createCredentialCipher } from '../../src/data/credentials/keys/credential-cipher.js';
import { mailServerIdentity } from '../../src/data/mails/mail-settings-service.js';
import type { TenantManifest } from '../../src/operate/backup/tenant/tenant-manifest.js';
import { buildAccount } from '../support/builders.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { useManageApi } from '../support/manage-api.js';
import { runCli } from '../support/run-cli.js';
import { secondStores } from '../support/second-stores.js';
import { agent, smallExport } from '../support/stories.js';
import { type TestStores, useStores } from '../support/stores.js';
import { emptyTables } from '../support/test-server.js';

const stores = useStores({ ownDatabase: true });
const manage = useManageApi(stores);
let folder = '';
let copies = 0;
let second: TestStores;
/** A copy without a passphrase, and one with it. */
let copy = '';
let signed = '';
let passphrase: string[] = [];
let webhookPath = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fabula-copy-trust-'));
  stores.onClose(() => rm(folder, { recursive: true, force: true }));
  second = await secondStores(stores, { migrated: true });
  const file = path.join(folder, 'passphrase');
  await writeFile(file, 'a long enough passphrase');
  passphrase = ['--passphrase-file', file];
  const tenantId = await buildTenant();
  webhookPath = `trust-${tenantId}`;
  copy = await exported(tenantId);
  await runCli(['tenant', 'release', String(tenantId)], { env: fabulaEnvironment(stores) });
  signed = await exported(tenantId, ...passphrase);
});
afterEach(() => emptyTables(second.db));

/** A tenant with quotas, a password, a mail server and a webhook. */
async function buildTenant(): Promise<number> {
  const account = await buildAccount(stores.db, { owner: true });
  const { tenantId, team, key } = account;
  const hash = await createPasswordHasher().hash('a right password');
  await stores.sql('INSERT INTO user_passwords (user_id, hash) SELECT id, ? FROM users WHERE tenant_id = ?', [
    hash,
    tenantId,
  ]);
  await stores.sql('INSERT INTO tenant_quotas (tenant_id, stories) VALUES (?, 999999999999)', [tenantId]);
  await stores.sql('UPDATE tenants SET dedicated = TRUE WHERE id = ?', [tenantId]);
  await manage.call(key, 'PUT /api/v1/tenants/current/mail_settings', {
    smtp_url: 'smtps://u:p@mail.example',
    mail_from: 'a@b.example',
  });
  const webhook = agent('Agents::WebhookAgent', '1', {
    path: `trust-${tenantId}`,
    secret: 'x',
    verbs: 'post',
  });
  const data = smallExport({ agents: [webhook], links: [] });
  await manage.call(key, 'POST /api/v1/stories/import', { new_name: 'S', team_id: team.id, data });
  return tenantId;
}

async function exported(tenantId: number, ...more: string[]): Promise<string> {
  const made = path.join(folder, `copy-${++copies}`);
  const args = ['tenant', 'export', String(tenantId), made, ...more];
  expect(await runCli(args, { env: fabulaEnvironment(stores) })).toMatchObject({ code: 0, err: '' });
  return made;
}

/** Changes cells of a table in a copy of the copy, and its checksum, as somebody who hands one over could. */
async function changed(copy: string, table: string, cells: (row: Record<string, string | null>) => object) {
  const forged = `${copy}-forged-${++copies}`;
  await cp(copy, forged, { recursive: true });
  const file = path.join(forged, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as TenantManifest;
  const entry = manifest.tables.find((each) => each.table === table)!;
  const place = path.join(forged, entry.file);
  const lines: string[] = [];
  for await (const line of readLines(place)) {
    const values = JSON.parse(line) as (string | null)[];
    const row = Object.fromEntries(entry.columns.map((name, index) => [name, values[index] ?? null]));
    const after = { ...row, ...cells(row) } as Record<string, string | null>;
    const rest = values.slice(entry.columns.length);
    lines.push(JSON.stringify([...entry.columns.map((name) => after[name]), ...rest]));
  }
  await rm(place);
  Object.assign(entry, await writeLines(place, Readable.from(lines)));
  await writeFile(file, JSON.stringify(manifest));
  return forged;
}

async function importFrom(place: string, ...more: string[]) {
  const env = fabulaEnvironment(second);
  const { code, out, err } = await runCli(['tenant', 'import', place, '--json', ...more], { env });
  return { err, response: code === 0 ? (JSON.parse(out) as Record<string, unknown>) : {} };
}

const rows = <Row extends object>(sql: string) => second.db.read((session) => session.rows<Row>(sql));

it('S10: quotas and dedicated are those of the target, unless its operator keeps those of the copy', async () => {
  expect((await importFrom(copy)).err).toBe('');
  expect(await rows('SELECT dedicated FROM tenants')).toEqual([{ dedicated: 0 }]);
  expect(await rows('SELECT * FROM tenant_quotas')).toEqual([]);
  await emptyTables(second.db);
  expect((await importFrom(copy, '--keep-quotas')).err).toBe('');
  expect(await rows('SELECT dedicated FROM tenants')).toEqual([{ dedicated: 1 }]);
  expect(await rows('SELECT stories FROM tenant_quotas')).toEqual([{ stories: 999999999999 }]);
});

const SALT_AND_HASH = `${'A'.repeat(22)}$${'A'.repeat(43)}`;

it('S10: a password whose hash has another cost is left out, and the import says whose', async () => {
  const forged = await changed(copy, 'user_passwords', () => ({ hash: `scrypt$20$8$1$${SALT_AND_HASH}` }));
  const { response, err } = await importFrom(forged);
  expect(err).toBe('');
  const users = await rows<{ id: number }>('SELECT id FROM users');
  expect(response).toMatchObject({ users_without_password: users.map(({ id }) => id) });
  expect(await rows('SELECT * FROM user_passwords')).toEqual([]);
});

it('S10: a password of a known cost comes along', async () => {
  expect((await importFrom(copy)).response).toMatchObject({ users_without_password: [] });
  expect(await rows('SELECT COUNT(*) AS n FROM user_passwords')).toEqual([{ n: 1 }]);
});

it('S10: a mail server with options, which only the operator may use, is left out', async () => {
  const cipher = createCredentialCipher(Buffer.from(fabulaEnvironment(stores)['ENCRYPTION_KEY']!, 'hex'));
  const sealed = (tenantId: number) =>
    cipher
      .encrypt('smtp://mail.example?sendmail=true&path=/bin/sh', mailServerIdentity(tenantId))
      .toString('base64');
  const forged = await changed(copy, 'tenant_mail_settings', (row) => ({
    encrypted_smtp_url: sealed(Number(row['tenant_id'])),
  }));
  expect((await importFrom(forged)).response).toMatchObject({ mail_server_left_out: true });
  expect(await rows('SELECT * FROM tenant_mail_settings')).toEqual([]);
});

it('S10: a copy with a passphrase that was changed is refused before anything is stored', async () => {
  const forged = await changed(signed, 'users', () => ({ email: 'another@person.test' }));
  expect((await importFrom(forged, ...passphrase)).err).toContain('the export has an invalid signature');
  const file = path.join(forged, 'manifest.json');
  const manifest = JSON.parse(await readFile(path.join(signed, 'manifest.json'), 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...manifest, signature: null }));
  expect((await importFrom(forged, ...passphrase)).err).not.toBe('');
  expect(await rows('SELECT id FROM tenants')).toEqual([]);
  expect((await importFrom(signed, ...passphrase)).err).toBe('');
});

it('S10: no other cost is computed for a stored hash, and the password is wrong', async () => {
  const hasher = createPasswordHasher();
  const before = process.memoryUsage().rss;
  for (const cost of ['20$8$1', '25$8$1', '13$8$1', '15$99$1', '15$8$99', '99$99$99']) {
    expect(await hasher.isRight('any', `scrypt$${cost}$${SALT_AND_HASH}`)).toBe(false);
  }
  expect(await hasher.isRight('any', `scrypt$15$8$1$${'A'.repeat(22)}$AAAA`)).toBe(false);
  expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
  expect(await hasher.isRight('a right password', await hasher.hash('a right password'))).toBe(true);
});

/** A story of another tenant at the target that has the path. */
async function takePath() {
  const { tenantId, team, user } = await buildAccount(second.db, { owner: true });
  const story = [tenantId, team.id, user.id, 'Demo here', 'g'.repeat(32), 3, 'formula', '{}'];
  const columns = 'tenant_id, team_id, user_id, name, guid, schema_version, language, extra';
  await second.sql(`INSERT INTO stories (${columns}) VALUES (?)`, [story]);
  await second.sql(
    `INSERT INTO agents (story_id, position, type, name, guid, options, extra, webhook_path)
     SELECT id, 0, 'Agents::WebhookAgent', 'Hook', ?, '{}', '{}', ? FROM stories`,
    ['h'.repeat(32), webhookPath],
  );
  return tenantId;
}

describe('a path of a webhook that is in use at the target', () => {
  it('I8: is named with its story and what to do, and nothing is stored', async () => {
    const tenantId = await takePath();
    const { err } = await importFrom(copy);
    expect(err).toContain(`"${webhookPath}" by the story "Demo here" of tenant ${tenantId}`);
    expect(err).toContain('--new-webhook-addresses');
    expect(err).not.toMatch(/Duplicate entry|agents_webhook_path/);
    expect(await rows('SELECT id FROM tenants')).toEqual([{ id: tenantId }]);
  });

  it('I8: becomes another path with --new-webhook-addresses, which the import says', async () => {
    await takePath();
    const { response, err } = await importFrom(copy, '--new-webhook-addresses');
    expect(err).toBe('');
    const { [webhookPath]: taken } = response['new_webhook_paths'] as Record<string, string>;
    expect(taken).toMatch(new RegExp(`^${webhookPath}-[0-9a-f]{8}$`));
    const moved = await rows("SELECT options, webhook_path AS path FROM agents WHERE name <> 'Hook'");
    expect(moved).toEqual([{ path: taken, options: expect.stringContaining(`"path":"${taken}"`) }]);
  });
});

it('a copy of an installation that 0.12.0 began is taken by a new one, if both are migrated', async () => {
  const older = `${copy}-older`;
  await cp(copy, older, { recursive: true });
  const file = path.join(older, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as TenantManifest;
  const of = (migrations: readonly string[]) => writeFile(file, JSON.stringify({ ...manifest, migrations }));
  await of(FORMER);
  expect((await importFrom(older)).err).toContain('the export was created by another version');
  await of([...FORMER, ...manifest.migrations]);
  expect((await importFrom(older)).err).toBe('');
});
