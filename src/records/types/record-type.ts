/** Kinds of values a field can hold (spec §6.1). */
export const RESULT_TYPES = ['TEXT', 'NUMBER', 'TIMESTAMP', 'BOOLEAN', 'TEXT_ENUM'] as const;
export type ResultType = (typeof RESULT_TYPES)[number];

/** Where a field's values come from: the two default fields are filled by the server. */
export type FieldSource = 'custom' | 'story_name' | 'timestamp';

/** One column of a record type. */
export interface RecordField {
  id: number;
  name: string;
  resultType: ResultType;
  /** The values that a TEXT_ENUM takes; empty for the other types. */
  fixedValues: string[];
  source: FieldSource;
  /** Whether every record of the type has a value row for it, so that empties can be found by index. */
  complete: boolean;
}

/** A record type with its fields: the default ones first, then its own in the order they were added. */
export interface RecordType {
  id: number;
  tenantId: number;
  teamId: number;
  name: string;
  editable: boolean;
  ttlDays: number | null;
  fields: RecordField[];
}

/** The fields that every type has, in the order they are shown. */
export const DEFAULT_FIELDS: readonly Pick<RecordField, 'name' | 'resultType' | 'source'>[] = [
  { name: 'Story name', resultType: 'TEXT', source: 'story_name' },
  { name: 'Timestamp', resultType: 'TIMESTAMP', source: 'timestamp' },
];

/** Keys of a record in a list that no field of a type's own may be named by. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(['id', ...DEFAULT_FIELDS.map(({ name }) => name)]);

/** Default fields as exports of stories name them: the server fills them, whatever a story says. */
export const EXPORTED_DEFAULT_NAMES: ReadonlySet<string> = new Set([
  ...DEFAULT_FIELDS.map(({ name }) => name),
  'Updated at',
]);

/** The fields that writers may fill. */
export function customFields(type: Pick<RecordType, 'fields'>): RecordField[] {
  return type.fields.filter(({ source }) => source === 'custom');
}
