import {
  createRecordChores,
  fillDueFields,
  removeDueFieldValues,
  removeDueRecords,
} from '../../src/data/records/write/record-chores.js';
import type { Operator } from '../../src/data/records/search/record-filter.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { buildRecordType, fieldId, insertMany, useRecordApi } from '../support/records.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useRecordApi(stores);

const rows = <Row>(sql: string, values: number[] = []) =>
  stores.db.read((session) => session.rows<Row>(sql, values));
const count = async (table: string, where = 'TRUE', values: number[] = []) =>
  (await rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`, values))[0]?.n;

async function scene(texts: (string | null)[] = ['a', 'b', 'c', 'd', 'e']) {
  const account = await buildAccount(stores.db);
  const type = await buildRecordType(api, account);
  const ids = await insertMany(
    stores,
    type,
    texts.map((Text) => ({ values: { Text, Number: 1 } })),
  );
  const change = (changes: object) =>
    api.services.recordTypes.update(account.actor, type.id, {
      fields: [],
      field_ids_to_delete: [],
      ...changes,
    });
  return { account, type, ids, change };
}

describe('the values of a field that was removed', () => {
  it('are gone for readers at once, and go in small batches', async () => {
    const { account, type, ids, change } = await scene();
    const text = fieldId(type, 'Text');
    await change({ field_ids_to_delete: [text] });
    const { body } = await api.call(account.key, 'GET', `/api/v1/records/${ids[0]}`);
    expect(body.records.map(({ name }: { name: string }) => name)).not.toContain('Text');
    const { body: list } = await api.call(account.key, 'GET', `/api/v1/records?record_type_id=${type.id}`);
    expect(Object.keys(list.record_results[0])).not.toContain('Text');
    expect(await count('record_values', 'field_id = ?', [text])).toBe(5);

    const batches = [];
    for (let batch = 0; batch < 4; batch++) batches.push(await removeDueFieldValues(stores.db, 2));
    expect(batches).toEqual([2, 2, 1, 0]);
    expect(await count('record_values', 'field_id = ?', [text])).toBe(0);
    expect(await count('record_chores')).toBe(0);
    const data = await rows<{ data: string }>('SELECT data FROM records');
    expect(data.map((row) => JSON.parse(row.data))).toEqual(
      ids.map(() => ({ [String(fieldId(type, 'Number'))]: 1 })),
    );
  });

  it('are removed once when two workers are at it', async () => {
    const { type, change } = await scene();
    await change({ field_ids_to_delete: [fieldId(type, 'Text'), fieldId(type, 'Number')] });
    const chores = createRecordChores({ database: stores.db, logger: stores.logger });
    for (let round = 0; round < 3; round++) await Promise.all([chores.workOnce(), chores.workOnce()]);
    expect(await count('record_chores')).toBe(0);
    expect(await count('records', "data = '{}'")).toBe(5);
  });
});

describe('a field that is added to records', () => {
  const QUESTIONS: { operator: Operator; value?: string }[] = [
    { operator: 'IS_EMPTY' },
    { operator: 'IS_NOT_EMPTY' },
    { operator: 'NOT_EQUAL', value: 'x' },
    { operator: 'NOT_EQUAL', value: '' },
    { operator: 'EQUAL', value: 'x' },
    { operator: 'EQUAL', value: '' },
    { operator: 'LESS_THAN', value: 'z' },
  ];

  it('is empty in them, for every filter, order and count, before the rows are there as after', async () => {
    const { account, type, ids, change } = await scene(Array.from({ length: 12 }, (_, index) => `t${index}`));
    const changed = await change({ fields: [{ name: 'New', result_type: 'TEXT' }] });
    const added = fieldId(changed, 'New');
    const put = (id: number, value: string) =>
      api.call(account.key, 'PUT', `/api/v1/records/${id}`, { field_values: [{ field_id: added, value }] });
    await put(ids[3]!, 'x');
    await put(ids[7]!, 'y');
    await insertMany(stores, changed, [{ values: { New: 'x' } }, { values: {} }]);

    const answers = async () => {
      const found: unknown[] = [];
      for (const { operator, value } of QUESTIONS) {
        for (const order of [undefined, added, fieldId(type, 'Text')]) {
          for (const direction of ['ASC', 'DESC']) {
            const { body } = await api.call(account.key, 'GET', '/api/v1/records?per_page=5&page=1', {
              record_type_id: type.id,
              order_direction: direction,
              ...(order !== undefined && { order_field_id: order }),
              filters: [
                { field_id: added, operator, ...(value !== undefined && { value }) },
                { field_id: fieldId(type, 'Flag'), operator: 'IS_EMPTY' },
              ].slice(0, order === undefined ? 1 : 2),
            });
            found.push([
              operator,
              value,
              direction,
              body.meta.count,
              body.record_results.map(({ id }: { id: number }) => id),
            ]);
          }
        }
      }
      for (const page of [1, 2, 3]) {
        const { body } = await api.call(
          account.key,
          'GET',
          `/api/v1/records?record_type_id=${type.id}&order_field_id=${added}&per_page=5&page=${page}`,
        );
        found.push(body.record_results.map(({ id }: { id: number }) => id));
      }
      return found;
    };

    const before = await answers();
    expect(before[0]).toEqual([
      'IS_EMPTY',
      undefined,
      'ASC',
      11,
      ids.filter((_, at) => at !== 3 && at !== 7).slice(0, 5),
    ]);
    expect(before.at(-3)).toEqual([ids[7], expect.any(Number), ids[3], expect.any(Number), ids[11]]);
    const batches = [];
    for (let batch = 0; batch < 4; batch++) batches.push(await fillDueFields(stores.db, 5));
    expect(batches).toEqual([5, 5, 2, 0]);
    expect(await count('record_values', 'field_id = ?', [added])).toBe(14);
    expect(await rows('SELECT complete FROM record_fields WHERE id = ?', [added])).toEqual([{ complete: 1 }]);
    expect(await answers()).toEqual(before);
  });

  it('has nothing to fill where there are no records', async () => {
    const { change } = await scene([]);
    await change({ fields: [{ name: 'New', result_type: 'TEXT' }] });
    expect(await count('record_chores')).toBe(0);
    expect(await count('record_fields', 'complete = FALSE')).toBe(0);
  });
});

describe('the records of a type that was deleted', () => {
  it('go in batches, with all that belongs to them', async () => {
    const { account, type, ids } = await scene();
    const other = await buildRecordType(api, account);
    const [child] = await insertMany(stores, other, [{ values: {}, parentId: ids[0]! }]);
    await api.services.recordTypes.delete(account.actor, type.id);
    expect([
      await removeDueRecords(stores.db, 3),
      await removeDueRecords(stores.db, 3),
      await removeDueRecords(stores.db, 3),
    ]).toEqual([3, 2, 0]);
    expect(await rows('SELECT id, parent_id FROM records')).toEqual([{ id: child, parent_id: null }]);
    expect(await count('record_values', 'record_id <> ?', [child!])).toBe(0);
    expect(await count('record_counts', 'record_type_id = ?', [type.id])).toBe(0);
    expect(await count('record_chores')).toBe(0);
  });
});

describe('the loop of the maintenance worker', () => {
  it('works until it is told to stop', async () => {
    const { type, change } = await scene();
    await change({ field_ids_to_delete: [fieldId(type, 'Text')] });
    const stopping = new AbortController();
    const running = createRecordChores({ database: stores.db, logger: stores.logger }).run(stopping.signal);
    await eventually(async () => (await count('record_chores')) === 0);
    stopping.abort();
    await running;
  });

  it('goes on when the database was away', async () => {
    const { type, change } = await scene();
    await change({ field_ids_to_delete: [fieldId(type, 'Text')] });
    let failures = 1;
    const database: Pick<typeof stores.db, 'exists' | 'read' | 'transaction'> = {
      exists: (condition) => stores.db.exists(condition),
      read: (work) => stores.db.read(work),
      transaction: (work) =>
        failures-- > 0 ? Promise.reject(new Error('away')) : stores.db.transaction(work),
    };
    const stopping = new AbortController();
    const running = createRecordChores({ database, logger: stores.logger }).run(stopping.signal);
    await eventually(async () => (await count('record_chores')) === 0);
    stopping.abort();
    await running;
  });
});
