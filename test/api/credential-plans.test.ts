import type { Actor } from '../../src/access/auth/actor.js';
import { listCredentials } from '../../src/credentials/credential-record-store.js';
import { type PlanRow, plansOf } from '../support/plans.js';
import { useStores } from '../support/stores.js';

/** The list of credentials reads the teams of the tenant, and the credentials of each, by index. */
const stores = useStores();
const TENANTS = 50;
const MANY = 5_000;

const indexes = (rows: PlanRow[]) =>
  rows.map(({ table, key, type }) => `${table}: ${key ?? type}`).join(', ');

beforeEach(async () => {
  const numbers = JSON.stringify(Array.from({ length: MANY }, (_, n) => n));
  await stores.sql(
    `INSERT INTO teams (tenant_id, name) SELECT 1 + s.n % ${TENANTS}, CONCAT('T', s.n)
     FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) s WHERE s.n < 500`,
    [numbers],
  );
  await stores.sql(
    `INSERT INTO credentials (team_id, name, slug, encrypted_value)
     SELECT t.id, CONCAT('C', s.n), '', '' FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) s
     JOIN teams t ON t.name = CONCAT('T', s.n % 500)`,
    [numbers],
  );
  await stores.sql('ANALYZE TABLE teams, credentials', []);
});

it('reads the teams of a tenant and their credentials by index', async () => {
  const [team] = await stores.db.read((session) =>
    session.rows<{ id: number }>('SELECT MIN(id) AS id FROM teams WHERE tenant_id = 3'),
  );
  const actor = { tenantId: 3, roles: new Map([[team!.id, 'VIEWER']]) } as unknown as Actor;
  for (const filter of [{}, { teamId: team!.id }]) {
    const plans = await plansOf(
      stores.db,
      (session) => listCredentials(actor, filter, { offset: 0, limit: 20 }, session),
      indexes,
    );
    expect(plans.join('; ')).not.toMatch(/: ALL|c: (?:PRIMARY|index)/);
  }
});
