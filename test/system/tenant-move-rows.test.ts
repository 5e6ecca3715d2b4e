import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TenantTable } from '../../src/operate/backup/tenant/tables/tenant-table.js';
import { TENANT_TABLES } from '../../src/operate/backup/tenant/tables/tenant-tables.js';
import type { SqlValue } from '../../src/platform/mysql/statements/sql.js';
import { buildAccessWorld, type Kind } from '../support/access-world.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { useManageApi } from '../support/manage-api.js';
import { runCli } from '../support/run-cli.js';
import { secondStores } from '../support/second-stores.js';
import { type TestStores, useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
const manage = useManageApi(stores);
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fabula-move-rows-'));
  stores.onClose(() => rm(folder, { recursive: true, force: true }));
});

const ALONE: readonly Kind[] = [
  'storyWithRecipient',
  'storyWithOwner',
  'storyWithAgent',
  'storyWithRequest',
  'webhook',
  'note',
  'event',
  'deadLetter',
  'folder',
  'tag',
  'template',
  'resource',
  'credential',
  'apiKey',
  'member',
  'record',
];
const OF_A_CASE: readonly Kind[] = ['comment', 'caseAction', 'subscriber', 'caseRecord', 'linkedCase'];

interface Column {
  name: string;
  type: string;
  nullable: string;
  hasDefault: number;
  extra: string;
}

/** The values of columns on which the ids of some tables depend. */
const KINDS: Record<string, Record<string, SqlValue>> = {
  team_shares: { kind: 'resource' },
  agent_removals: { kind: 'events' },
  audit_logs: { target_type: 'story' },
  story_calls: { path: '1' },
  uncounted_ends: {},
  user_passwords: { hash: `scrypt$15$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}` },
};

async function countOf(at: TestStores, table: TenantTable, tenantId: number, join = ''): Promise<number> {
  const where = table.where.replaceAll(':tenant', String(tenantId));
  const [row] = await at.db.read((session) =>
    session.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table.name} ${join} WHERE ${where}`),
  );
  return row?.n ?? 0;
}

/** Adds a row with ids of the tenant to each table that has none. */
async function fill(tenantId: number): Promise<void> {
  const tables = new Map(TENANT_TABLES.map((table) => [table.name, table]));
  const someId = async (name: string): Promise<number> => {
    const where = tables.get(name)!.where.replaceAll(':tenant', String(tenantId));
    const [row] = await stores.db.read((session) =>
      session.rows<{ id: number }>(`SELECT id FROM ${name} WHERE ${where} ORDER BY id LIMIT 1`),
    );
    return row?.id ?? 0;
  };
  for (const table of TENANT_TABLES) {
    if ((await countOf(stores, table, tenantId)) > 0) continue;
    const columns = await stores.db.read((session) =>
      session.rows<Column>(
        `SELECT column_name AS name, data_type AS type, is_nullable AS nullable, column_default IS NOT NULL AS hasDefault, extra
         FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?`,
        [table.name],
      ),
    );
    const values: Record<string, SqlValue> = { ...KINDS[table.name] };
    for (const column of columns) {
      const kind = table.ids[column.name];
      if (column.extra.includes('auto_increment') || column.name in values) continue;
      if (kind !== undefined)
        values[column.name] = await someId(typeof kind === 'string' ? kind : kind.after);
      else if (column.nullable === 'NO' && column.hasDefault === 0) values[column.name] = valueOf(column);
    }
    const names = Object.keys(values);
    await stores.sql(`INSERT INTO ${table.name} (${names.join(', ')}) VALUES (?)`, [Object.values(values)]);
  }
}

function valueOf({ name, type }: Column): SqlValue {
  if (/date|time/.test(type)) return new Date('2026-11-20T10:00:00Z');
  if (/int/.test(type)) return 1;
  if (/blob|binary/.test(type)) return Buffer.from([0, 255, 10]);
  return /path|lineage|options|content|recipients/.test(name) ? '{}' : 'x';
}

/** How many rows each table has, and how many of them refer to a row that exists. */
async function shapeOf(at: TestStores, tenantId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TENANT_TABLES) {
    counts[table.name] = await countOf(at, table, tenantId);
    for (const [column, kind] of Object.entries(table.ids)) {
      if (typeof kind !== 'string' || column === 'id') continue;
      const parent = TENANT_TABLES.find(({ name }) => name === kind)!;
      const its = parent.where.replaceAll(':tenant', String(tenantId));
      const where = `${column} IN (SELECT p.id FROM (SELECT * FROM ${kind}) p WHERE ${its})`;
      counts[`${table.name}.${column}`] = await countOf(
        at,
        { ...table, where: `${table.where} AND ${where}` },
        tenantId,
      );
    }
  }
  return counts;
}

test('every table of a tenant moves with its references, and a second import is refused without a trace', async () => {
  const world = await buildAccessWorld(stores, manage);
  const place = world.places.get('own team')!;
  const stranger = world.places.get('other tenant')!;
  for (const each of [place, stranger]) {
    for (const kind of ALONE) await world.make(kind, each);
    const parent = Number(await world.make('case', each));
    for (const kind of OF_A_CASE) await world.make(kind, each, parent);
  }
  const { tenantId } = place;
  await fill(tenantId);
  const env = fabulaEnvironment(stores);
  const copy = path.join(folder, 'copy');
  const exported = await runCli(['tenant', 'export', String(tenantId), copy], { env });
  expect(exported).toMatchObject({ code: 0, err: '' });
  const before = await shapeOf(stores, tenantId);
  expect(TENANT_TABLES.filter(({ name }) => before[name] === 0)).toEqual([]);

  const second = await secondStores(stores, { migrated: true });
  const there = fabulaEnvironment(second);
  const imported = await runCli(['tenant', 'import', copy, '--name', 'Moved', '--keep-quotas', '--json'], {
    env: there,
  });
  expect(imported).toMatchObject({ code: 0, err: '' });
  const { id } = JSON.parse(imported.out) as { id: number };
  expect(id).not.toBe(tenantId);
  const after = await shapeOf(second, id);
  // The import itself, and the export, are in the audit logs.
  expect({ ...after, audit_logs: 0 }).toEqual({ ...before, audit_logs: 0 });
  expect((await runCli(['tenant', 'list'], { env: there })).out).toContain('Moved');

  const again = await runCli(['tenant', 'import', copy], { env: there });
  expect(again.code).toBe(1);
  expect(again.err).toContain('this installation already has a part of the tenant');
  expect(await shapeOf(second, id)).toEqual(after);
  const tenants = await second.db.read((session) => session.rows('SELECT id, frozen_at FROM tenants'));
  expect(tenants).toEqual([{ id, frozen_at: null }]);
});

test('a copy that was changed, or whose passphrase is wrong, is refused before anything is stored', async () => {
  const world = await buildAccessWorld(stores, manage);
  const place = world.places.get('own team')!;
  await world.make('credential', place);
  const passphrase = path.join(folder, 'right');
  await writeFile(passphrase, 'a long enough passphrase');
  const copy = path.join(folder, 'sealed');
  const args = ['tenant', 'export', String(place.tenantId), copy, '--passphrase-file', passphrase];
  expect(await runCli(args, { env: fabulaEnvironment(stores) })).toMatchObject({ code: 0, err: '' });
  const second = await secondStores(stores, { migrated: true });
  const env = fabulaEnvironment(second);

  expect((await runCli(['tenant', 'import', copy], { env })).err).toContain('use --passphrase-file');
  const wrong = path.join(folder, 'wrong');
  await writeFile(wrong, 'another long passphrase');
  const opened = await runCli(['tenant', 'import', copy, '--passphrase-file', wrong], { env });
  expect(opened.err).toContain('the export has an invalid signature');
  await writeFile(path.join(copy, 'tables', 'users.jsonl.gz'), 'x');
  const damaged = await runCli(['tenant', 'import', copy, '--passphrase-file', passphrase], { env });
  expect(damaged.err).toContain('tables/users.jsonl.gz');
  for (const { name } of TENANT_TABLES) {
    expect([name, await second.db.read((session) => session.rows(`SELECT * FROM ${name}`))]).toEqual([
      name,
      [],
    ]);
  }
});
