import type { TestFabula } from '../fabula.js';
import type { TestStores } from '../stores.js';

/** A record type with its fields. */
export interface RecordWorld {
  typeId: number;
  /** The id of each field by its name. */
  fields: Map<string, number>;
  /** The ids of its records, in the order in which they were made. */
  recordIds: number[];
}

interface Made {
  id: number;
  record_fields: { id: number; name: string }[];
}

const FIELDS = [
  { name: 'Subject', result_type: 'TEXT' },
  { name: 'Verdict', result_type: 'TEXT_ENUM', fixed_values: ['malicious', 'suspicious', 'clean'] },
  { name: 'Score', result_type: 'NUMBER' },
  { name: 'Reported', result_type: 'BOOLEAN' },
];
const SUBJECTS = ['Your invoice', 'Password expires today', 'Parcel could not be delivered', 'Team lunch'];
const VERDICTS = ['malicious', 'clean', 'suspicious', 'clean', 'malicious'];
const RECORDS = 64;

const valuesOf = (n: number) => ({
  Subject: `${SUBJECTS[n % SUBJECTS.length] ?? ''} ${n}`,
  Verdict: VERDICTS[n % VERDICTS.length],
  Score: (n * 37) % 100,
  Reported: n % 3 === 0,
});

/** Makes a record type with records over some days, by the API. */
export async function buildRecordWorld(stores: TestStores, fabula: TestFabula): Promise<RecordWorld> {
  const body = { name: 'Phishing report', team_id: fabula.account.team.id, fields: FIELDS };
  const type = (await (await fabula.api('POST', '/api/v1/record_types', body)).json()) as Made;
  const fields = new Map(type.record_fields.map(({ id, name }): [string, number] => [name, id]));
  const recordIds: number[] = [];
  for (let n = 0; n < RECORDS; n += 1) {
    const values = Object.entries(valuesOf(n)).map(([name, value]) => ({
      field_id: fields.get(name),
      value,
    }));
    const response = await fabula.api('POST', '/api/v1/records', {
      record_type_id: type.id,
      field_values: values,
    });
    if (response.status !== 201) throw new Error(`record ${n}: ${response.status}`);
    recordIds.push(((await response.json()) as { id: number }).id);
  }
  await stores.sql('UPDATE records SET created_at = created_at - INTERVAL (id * 7 % 50) HOUR');
  return { typeId: type.id, fields, recordIds };
}
