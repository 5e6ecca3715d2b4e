import { deepStrictEqual } from 'node:assert';
import { timestamp } from '../../src/platform/time/timestamp.js';
import type { ApiAccount } from './api-account.js';
import { type AlertType, alertRecord } from './alert-records.js';
import type { BenchStores } from './bench-stores.js';
import { FIRST_AT, MATCHES, valuesAt } from './record-fill.js';

/** Columns that differ between two records of equal values. */
const OWN = { id: 0, created_at: '', updated_at: '' };

/**
 * Holds records that `fillRecords` wrote against the same ones made through the API: their responses, their rows in the
 * tables, and the count. The latter are deleted again.
 * @throws when anything differs.
 */
export async function checkFill(
  stores: Pick<BenchStores, 'rows'>,
  account: ApiAccount,
  { type, firstId, size }: { type: AlertType; firstId: number; size: number },
): Promise<void> {
  const seconds = Math.floor(size / MATCHES);
  // A needle, an empty note, the first ones without either, and the last.
  for (const n of [0, seconds, seconds + 1, 2, 3, size - 1]) {
    const body = alertRecord(type, valuesAt(n, size));
    const { id } = await account.call<{ id: number }>('POST', '/api/v1/records', body);
    const [filled, made] = await Promise.all([firstId + n, id].map((one) => shown(account, one)));
    deepStrictEqual({ ...filled, ...OWN }, { ...made, ...OWN });
    deepStrictEqual(await rowsOf(stores, firstId + n), await rowsOf(stores, id));
    deepStrictEqual(filled?.['created_at'], timestamp(new Date(FIRST_AT.getTime() + n * 1000)));
    await account.call('DELETE', `/api/v1/records/${id}`);
  }
  const [count] = await stores.rows<{ counted: string; there: number }>(
    `SELECT (SELECT SUM(records) FROM record_counts WHERE record_type_id = ?) AS counted,
            (SELECT COUNT(*) FROM records WHERE record_type_id = ?) AS there`,
    [type.id, type.id],
  );
  deepStrictEqual([Number(count?.counted), count?.there], [size, size]);
}

/** The record as the API answers it; `Timestamp` is its own. */
async function shown(account: ApiAccount, id: number): Promise<Record<string, unknown>> {
  const response = await account.call<{ records: { name: string }[] }>('GET', `/api/v1/records/${id}`);
  return { ...response, records: response.records.filter(({ name }) => name !== 'Timestamp') };
}

function rowsOf({ rows }: Pick<BenchStores, 'rows'>, id: number): Promise<unknown[]> {
  return rows(
    `SELECT r.record_type_id, r.team_id, r.story_id, r.story_name, r.story_run_guid, r.parent_id, r.test_mode, r.data,
            v.field_id, v.test_mode AS mode, HEX(v.sort_key) AS sort_key, v.full_text
     FROM records r JOIN record_values v ON v.record_id = r.id WHERE r.id = ? ORDER BY v.field_id`,
    [id],
  );
}
