import type { Actor } from '../../src/api/auth/actor.js';
import { listCredentials } from '../../src/data/credentials/credential-record-store.js';
import type { Session } from '../../src/platform/mysql/session.js';
import type { SqlValue } from '../../src/platform/mysql/statements/sql.js';
import { listResources } from '../../src/data/resources/resource-store.js';
import { type PlanRow, plansOf } from '../support/plans.js';
import { useStores } from '../support/stores.js';

/** Lists of credentials and resources read the teams of the tenant, and the values of each, by index. */
const stores = useStores();
const TENANTS = 50;
const MANY = 5_000;
const WINDOW = { offset: 0, limit: 20 };

const indexes = (rows: PlanRow[]) =>
  rows.map(({ table, key, type }) => `${table}: ${key ?? type}`).join(', ');

/** Every tenth value is in one of 50 folders. */
const FOLDER = 'IF(s.n % 10 = 0, 1 + s.n DIV 100, NULL)';
const SOURCE =
  "FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) s JOIN teams t ON t.name = CONCAT('T', s.n % 500)";

beforeEach(async () => {
  const numbers = JSON.stringify(Array.from({ length: MANY }, (_, n) => n));
  await stores.sql(
    `INSERT INTO teams (tenant_id, name) SELECT 1 + s.n % ${TENANTS}, CONCAT('T', s.n)
     FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) s WHERE s.n < 500`,
    [numbers],
  );
  await stores.sql(
    `INSERT INTO credentials (team_id, name, slug, encrypted_value, folder_id)
     SELECT t.id, CONCAT('C', s.n), '', '', ${FOLDER} ${SOURCE}`,
    [numbers],
  );
  await stores.sql(
    `INSERT INTO resources (team_id, name, slug, value, folder_id)
     SELECT t.id, CONCAT('R', s.n), CONCAT('r', s.n), '1', ${FOLDER} ${SOURCE}`,
    [numbers],
  );
  await stores.sql('ANALYZE TABLE teams, credentials, resources', []);
});

const searches = (sql: string) => /COUNT|LIMIT/.test(sql);

/** The plans of the statements that count and search; others read what was found by its id. */
function searchPlans(work: (session: Session) => Promise<unknown>): Promise<string[]> {
  return stores.db.read((unseen) =>
    plansOf(
      stores.db,
      (session) =>
        work({
          ...session,
          rows: <Row>(sql: string, values?: SqlValue[]) =>
            (searches(sql) ? session : unseen).rows<Row>(sql, values),
        }),
      indexes,
    ),
  );
}

type Filter = { teamId?: number; folderId?: number };

describe.each([
  [
    'credentials',
    (actor: Actor, filter: Filter, session: Session) => listCredentials(actor, filter, WINDOW, session),
  ],
  [
    'resources',
    (actor: Actor, filter: Filter, session: Session) => listResources(actor, filter, WINDOW, session),
  ],
] as const)('a list of %s', (what, list) => {
  it('reads the teams of a tenant and their values by index, and a folder by its own', async () => {
    const [team] = await stores.db.read((session) =>
      session.rows<{ id: number }>('SELECT MIN(id) AS id FROM teams WHERE tenant_id = 1'),
    );
    const actor = { tenantId: 1, roles: new Map([[team!.id, 'VIEWER']]) } as unknown as Actor;
    const filters = [{}, { teamId: team!.id }, { folderId: 1 }, { folderId: 1, teamId: team!.id }];
    for (const filter of filters) {
      const found = (await searchPlans((session) => list(actor, filter, session))).join('; ');
      expect(found).not.toMatch(/: ALL|[cr]: (?:PRIMARY|index|credentials_live)/);
      if ('folderId' in filter && !('teamId' in filter)) expect(found).toContain(`${what}_folder`);
    }
  });
});
