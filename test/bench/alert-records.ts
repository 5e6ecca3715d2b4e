import type { FieldInput } from '../../src/data/records/types/record-type-changes.js';
import type { ApiAccount } from './api-account.js';

/** The fields of the bench's records, as the API takes them. */
const FIELDS: FieldInput[] = [
  { name: 'Host', result_type: 'TEXT' },
  { name: 'Score', result_type: 'NUMBER' },
  { name: 'Severity', result_type: 'TEXT_ENUM', fixed_values: ['high', 'low'] },
  { name: 'Note', result_type: 'TEXT' },
];

/** A record type with ids of its fields by name. */
export interface AlertType {
  id: number;
  fieldIds: Record<'Host' | 'Score' | 'Severity' | 'Note', number>;
}

/** The values of a record by field name. */
export type AlertValues = Record<keyof AlertType['fieldIds'], string | number | null>;

interface TypeResponse {
  id: number;
  record_fields: { id: number; name: string }[];
}

/** Makes the type through the API. */
export async function createAlertType(account: ApiAccount, name: string): Promise<AlertType> {
  const body = { name, team_id: account.team.id, fields: FIELDS };
  const { id, record_fields: fields } = await account.call<TypeResponse>(
    'POST',
    '/api/v1/record_types',
    body,
  );
  const fieldIds = Object.fromEntries(fields.map((field) => [field.name, field.id]));
  return { id, fieldIds: fieldIds as AlertType['fieldIds'] };
}

/** The body that makes a record. */
export function alertRecord(type: AlertType, values: AlertValues) {
  const named = Object.entries(values) as [keyof AlertValues, string | number | null][];
  return {
    record_type_id: type.id,
    field_values: named.map(([name, value]) => ({ field_id: type.fieldIds[name], value })),
  };
}
