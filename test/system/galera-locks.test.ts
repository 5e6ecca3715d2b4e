import { MIGRATIONS } from '../../migrations/index.js';
import type { Actor } from '../../src/api/auth/actor.js';
import { createCountQuota } from '../../src/people/quotas/count-quota.js';
import { createApiKeyService } from '../../src/people/keys/api-key-service.js';
import { createApiKeyStore } from '../../src/people/keys/api-key-store.js';
import { createTeamService } from '../../src/people/teams/team-service.js';
import { createTenantStore } from '../../src/people/tenants/tenant-store.js';
import { createUserService } from '../../src/people/users/user-service.js';
import { createFolderService } from '../../src/data/folders/folder-service.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { migrateLatest } from '../../src/platform/mysql/schema/migrate.js';
import { retryLockConflicts } from '../../src/platform/mysql/commit/retry-conflicts.js';
import { createRecordChores } from '../../src/data/records/write/record-chores.js';
import { createRecordService } from '../../src/data/records/record-service.js';
import { createRecordTypeService } from '../../src/data/records/types/record-type-service.js';
import { describeGalera } from '../support/galera/describe-galera.js';
import type { Galera } from '../support/galera/galera.js';

const LIMIT_MS = 240_000;
const IDS = Object.keys(MIGRATIONS);
/** Without claims, several of so many meet in the moment between two nodes. */
const ROUNDS = 25;

/** A tenant with one team, and what its Owner may do. */
interface Home {
  tenantId: number;
  teamId: number;
  owner: Actor;
}

const keysOf = (db: Database) =>
  createApiKeyService({
    db,
    keys: createApiKeyStore(db.knex),
    tenants: createTenantStore(db.knex),
    limits: { apiKeysPerUser: 1, apiKeysPerTenant: 1 },
  });

const makeKey =
  (db: Database) =>
  ({ tenantId, owner: { userId } }: Home) =>
    keysOf(db).createKey({ kind: 'personal', tenantId, userId, name: 'Key' });

const move = (database: Database, from: 0 | 1, into: 0 | 1) => (home: Home, folders: number[]) =>
  createFolderService({ database }).update(home.owner, folders[from] ?? 0, {
    parent_folder_id: folders[into],
  });

const types = (database: Database) => createRecordTypeService({ database });

describeGalera('two nodes of a Galera cluster that both take writes', (galera) => {
  const open: Database[] = [];
  afterAll(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
  });

  function connect(node: Galera['nodes'][number]): Database {
    const url = galera().urlOf(node);
    const options = { url, poolSize: 2 * ROUNDS, logger: createSilentLogger(), statementTimeoutMs: 60_000 };
    const database = createDatabase(options);
    open.push(database);
    return database;
  }

  let one: Database;
  let other: Database;
  let ran: string[][];

  beforeAll(async () => {
    const [first, second] = galera().nodes;
    one = connect(first);
    other = connect(second);
    ran = await Promise.all([migrateLatest(one), migrateLatest(other)]);
  }, LIMIT_MS);

  test('run each migration once when two releases start at once', async () => {
    expect(ran.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, IDS.length]);
    const noted = await one.knex('migrations').pluck<string[]>('name');
    expect(noted.toSorted()).toEqual(IDS);
  });

  const insert = async (table: string, row: Record<string, unknown>): Promise<number> => {
    const [id] = await one.knex(table).insert(row);
    return id ?? 0;
  };
  const count = async (table: string, where: Record<string, unknown>): Promise<number> => {
    const [row] = await one.knex(table).where(where).count<{ n: number }[]>({ n: '*' });
    return row?.n ?? 0;
  };

  async function makeHome(): Promise<Home> {
    const tenantId = await insert('tenants', { name: 'Tenant' });
    const teamId = await insert('teams', { tenant_id: tenantId, name: 'Team' });
    const userId = await makeOwner(tenantId, 'first');
    const identity = { keyId: 1, kind: 'personal', tenantId, userId, userEmail: 'first@x.test' } as const;
    const rights = { isOwner: true, roles: new Map([[teamId, 'TEAM_ADMIN' as const]]), keyTeamId: undefined };
    return { tenantId, teamId, owner: { ...identity, ...rights } };
  }
  const makeOwner = (tenantId: number, name: string) =>
    insert('users', {
      tenant_id: tenantId,
      email: `${name}@x.test`,
      first_name: name,
      last_name: '',
      is_owner: true,
    });

  /** Makes homes, and lets two nodes work on each at once. Returns the outcomes of both, by home. */
  async function meet<Prepared>(
    prepare: (home: Home) => Promise<Prepared>,
    works: [
      (home: Home, thing: Prepared) => Promise<unknown>,
      (home: Home, thing: Prepared) => Promise<unknown>,
    ],
  ) {
    const homes: { home: Home; thing: Prepared }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const home = await makeHome();
      homes.push({ home, thing: await prepare(home) });
    }
    return Promise.all(
      homes.map(async ({ home, thing }) => {
        const [left, right] = await Promise.allSettled(works.map((work) => work(home, thing)));
        const done = [left, right].filter((outcome) => outcome?.status === 'fulfilled').length;
        return { home, thing, done };
      }),
    );
  }

  test(
    'leave each tenant an Owner',
    async () => {
      const met = await meet(
        ({ tenantId }) => makeOwner(tenantId, 'second'),
        [
          ({ owner }) => createUserService({ database: one }).update(owner, owner.userId, { isOwner: false }),
          ({ owner }, second) =>
            createUserService({ database: other }).update(owner, second, { active: false }),
        ],
      );
      const left = await Promise.all(
        met.map(({ home: { tenantId } }) =>
          count('users', { tenant_id: tenantId, is_owner: true, deactivated_at: null }),
        ),
      );
      expect(left).toEqual(left.map(() => 1));
      expect(met.map(({ done }) => done)).toEqual(met.map(() => 1));
    },
    LIMIT_MS,
  );

  test(
    'keep the limit of keys of a user',
    async () => {
      const met = await meet(() => Promise.resolve(), [makeKey(one), makeKey(other)]);
      const keys = await Promise.all(
        met.map(({ home: { tenantId } }) => count('api_keys', { tenant_id: tenantId })),
      );
      expect(keys).toEqual(keys.map(() => 1));
    },
    LIMIT_MS,
  );

  test(
    'never put two folders into each other',
    async () => {
      const met = await meet(
        async ({ teamId }) => {
          const folder = { team_id: teamId, name: 'Folder', content_type: 'STORY' };
          return [await insert('folders', folder), await insert('folders', folder)];
        },
        [move(one, 0, 1), move(other, 1, 0)],
      );
      const nested = await Promise.all(
        met.map(({ home: { teamId } }) => count('folders', { team_id: teamId, parent_folder_id: null })),
      );
      expect(nested).toEqual(nested.map(() => 1));
    },
    LIMIT_MS,
  );

  test(
    'delete no team to which something is added',
    async () => {
      const type = { name: 'Type', fields: [] };
      const met = await meet(
        () => Promise.resolve(),
        [
          ({ owner, teamId }) => createTeamService({ database: one }).delete(owner, teamId),
          ({ owner, teamId }) =>
            createRecordTypeService({ database: other }).create(owner, { ...type, team_id: teamId }),
        ],
      );
      const ends = await Promise.all(
        met.map(async ({ home: { teamId } }) => [
          await count('teams', { id: teamId }),
          await count('record_types', { team_id: teamId }),
        ]),
      );
      for (const [teams, types] of ends) expect(types).toBe(teams);
    },
    LIMIT_MS,
  );

  test(
    'keep the quota of stories',
    async () => {
      const guard = createCountQuota({ stories: 1, schedules: 0 });
      const make =
        (database: Database) =>
        ({ tenantId, teamId, owner: { userId } }: Home) =>
          retryLockConflicts(() =>
            database.transaction((session) =>
              guard.within(tenantId, session, () =>
                session.run(
                  `INSERT INTO stories (tenant_id, team_id, user_id, guid, name, schema_version, language, extra)
                   VALUES (?, ?, ?, REPLACE(UUID(), '-', ''), 'Story', 1, 'en', '{}')`,
                  [tenantId, teamId, userId],
                ),
              ),
            ),
          );
      const met = await meet(() => Promise.resolve(), [make(one), make(other)]);
      const stories = await Promise.all(
        met.map(({ home: { tenantId } }) => count('stories', { tenant_id: tenantId })),
      );
      expect(stories).toEqual(stories.map(() => 1));
    },
    LIMIT_MS,
  );

  test(
    'give each record a value row for each field, though a field is added meanwhile',
    async () => {
      const records = createRecordService({ database: other, quotas: { requireRecord: () => undefined } });
      const met = await meet(
        async ({ owner }) => (await types(one).create(owner, { name: 'Type', fields: [] })).id,
        [
          ({ owner }, id) =>
            types(one).update(owner, id, {
              fields: [{ name: 'New', result_type: 'TEXT', fixed_values: [] }],
              field_ids_to_delete: [],
            }),
          ({ owner }, id) =>
            records.create(owner, { record_type_id: id, field_values: [], case_ids: [], test_mode: false }),
        ],
      );
      expect(met.map(({ done }) => done)).toEqual(met.map(() => 2));
      const chores = createRecordChores({ database: one, logger: createSilentLogger() });
      while ((await chores.workOnce()) > 0 || (await count('record_chores', {})) > 0);
      const rows = await one.read((session) =>
        session.rows<{ fields: number; rows: number }>(
          `SELECT (SELECT COUNT(*) FROM record_fields f
                   WHERE f.record_type_id = r.record_type_id AND f.source <> 'timestamp') AS fields,
                  (SELECT COUNT(*) FROM record_values v WHERE v.record_id = r.id) AS \`rows\`
           FROM records r`,
        ),
      );
      expect(rows).toHaveLength(ROUNDS);
      for (const record of rows) expect(record.rows).toBe(record.fields);
    },
    LIMIT_MS,
  );
});
