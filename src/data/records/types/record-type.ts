/** The types of field values (spec §6.1). */
export const RESULT_TYPES = ['TEXT', 'NUMBER', 'TIMESTAMP', 'BOOLEAN', 'TEXT_ENUM'] as const;
export type ResultType = (typeof RESULT_TYPES)[number];

/** The source of a field's values: the server fills the two default fields. */
export type FieldSource = 'custom' | 'story_name' | 'timestamp';

/** One column of a record type. */
export interface RecordField {
  id: number;
  name: string;
  resultType: ResultType;
  /** The allowed values of a TEXT_ENUM; empty for the other types. */
  fixedValues: string[];
  source: FieldSource;
  /** Whether every record of the type has a value row for it, so that an index can find empty values. */
  complete: boolean;
}

/** A record type with its fields: default ones first, then its own in the order of their creation. */
export interface RecordType {
  id: number;
  tenantId: number;
  teamId: number;
  name: string;
  editable: boolean;
  ttlDays: number | null;
  fields: RecordField[];
}

/** Default fields of every type, in order. */
export const DEFAULT_FIELDS: readonly Pick<RecordField, 'name' | 'resultType' | 'source'>[] = [
  { name: 'Story name', resultType: 'TEXT', source: 'story_name' },
  { name: 'Timestamp', resultType: 'TIMESTAMP', source: 'timestamp' },
];

/** Keys of a record in a list that a type's own fields must not use as names. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(['id', ...DEFAULT_FIELDS.map(({ name }) => name)]);

/** Names of default fields in exports of stories: the server fills them and ignores a story's values. */
export const EXPORTED_DEFAULT_NAMES: ReadonlySet<string> = new Set([
  ...DEFAULT_FIELDS.map(({ name }) => name),
  'Updated at',
]);

/** Returns the fields that writers may fill. */
export function customFields(type: Pick<RecordType, 'fields'>): RecordField[] {
  return type.fields.filter(({ source }) => source === 'custom');
}
