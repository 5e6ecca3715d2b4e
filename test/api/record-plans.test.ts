import type { Session } from '../../src/platform/mysql/session.js';
import type { SqlValue } from '../../src/platform/mysql/statements/sql.js';
import type { RecordListQuery } from '../../src/data/records/search/record-list.js';
import { createRecordServices } from '../../src/data/records/record-services.js';
import type { RecordType } from '../../src/data/records/types/record-type.js';
import { type Account, buildAccount } from '../support/builders.js';
import { buildRecordType, fieldId, insertMany, useRecordApi } from '../support/records.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
const api = useRecordApi(stores);

interface PlanRow {
  table: string | null;
  type: string | null;
  key: string | null;
}

/** The plans of every statement that a list runs: `table:index`. */
async function plansOf(account: Account, query: RecordListQuery, offset: number): Promise<string[]> {
  const asked: [string, SqlValue[] | undefined][] = [];
  const database = {
    ...stores.db,
    read: <T>(work: (session: Session) => Promise<T>) =>
      stores.db.read((session) => {
        const rows = <Row>(sql: string, values?: SqlValue[]) => {
          asked.push([sql, values]);
          return session.rows<Row>(sql, values);
        };
        return work({ ...session, rows });
      }),
  };
  await createRecordServices({ database }).records.list(account.actor, query, { limit: 20, offset });
  const statements = asked.filter(([sql]) => /^SELECT (STRAIGHT_JOIN|CAST)/.test(sql));
  const plans: string[] = [];
  for (const [sql, values] of statements) {
    const rows = await stores.db.read((session) =>
      session.rows<PlanRow>(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, values),
    );
    const tables = rows.filter(({ table }) => table !== null && table !== 'record_counts');
    plans.push(tables.map(({ table, type, key }) => `${table}:${type === 'ALL' ? 'ALL' : key}`).join(' '));
  }
  return plans.filter((plan) => plan !== '');
}

async function scene() {
  const account = await buildAccount(stores.db);
  const type = await buildRecordType(api, account);
  const rows = Array.from({ length: 3_000 }, (_, index) => ({
    story: { id: 1 + (index % 10), name: 'Story' },
    values: { Text: `t${index % 1_000}`, Number: index, Flag: index % 2 === 0 },
  }));
  await insertMany(stores, type, rows);
  await stores.db.read((session) => session.rows('ANALYZE TABLE records, record_values'));
  return { account, type };
}

const filter = (
  type: RecordType,
  name: string,
  operator: 'EQUAL' | 'GREATER_THAN' | 'NOT_EQUAL' | 'IS_EMPTY',
  value?: unknown,
) => ({
  field_id: fieldId(type, name),
  operator,
  value,
});

describe('the statements of a list', () => {
  it('read indexes only, beginning where the fewest rows are', async () => {
    const { account, type } = await scene();
    const rare = filter(type, 'Text', 'EQUAL', 't8');
    const half = filter(type, 'Flag', 'EQUAL', true);
    const byNumber = { order_field_id: fieldId(type, 'Number') };
    const cases: [RecordListQuery, number, string[]][] = [
      [{}, 0, ['r:records_list']],
      [{}, 2_900, ['r:records_list']],
      [{ story_ids: [3] }, 0, ['r:records_story', 'r:records_story']],
      [{ range_start: new Date(0) }, 0, ['r:records_list', 'r:records_list']],
      [{ filters: [rare] }, 0, ['d:record_values_key', 'd:record_values_key r:PRIMARY']],
      [{ filters: [half] }, 0, ['d:record_values_key', 'r:records_list v0:PRIMARY']],
      [
        { filters: [half, rare] },
        0,
        ['d:record_values_key v0:PRIMARY', 'd:record_values_key r:PRIMARY v0:PRIMARY'],
      ],
      [
        { filters: [filter(type, 'Text', 'NOT_EQUAL', 't8')] },
        0,
        ['d:record_values_key', 'r:records_list v0:PRIMARY'],
      ],
      [
        { filters: [filter(type, 'Choice', 'IS_EMPTY')] },
        0,
        ['d:record_values_key', 'r:records_list v0:PRIMARY'],
      ],
      [byNumber, 0, ['o:record_values_key']],
      [byNumber, 2_900, ['o:record_values_key']],
      [{ ...byNumber, filters: [rare] }, 0, ['d:record_values_key', 'd:record_values_key o:PRIMARY']],
      [{ ...byNumber, filters: [half] }, 0, ['d:record_values_key', 'o:record_values_key v0:PRIMARY']],
    ];
    for (const [query, offset, plans] of cases) {
      const found = await plansOf(account, { record_type_id: type.id, ...query }, offset);
      expect({ query, plans: found }).toEqual({ query, plans });
    }
  });
});
