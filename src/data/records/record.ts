import { type FieldValue, secondsText } from './field-value.js';
import type { RecordField, RecordType } from './types/record-type.js';

/** A stored record. */
export interface StoredRecord {
  id: number;
  typeId: number;
  teamId: number;
  /** Null: created through the API. The name is the one at the time of creation. */
  storyId: number | null;
  storyName: string | null;
  storyRunGuid: string | null;
  /** The parent record; null also if the parent's type was deleted. */
  parentId: number | null;
  testMode: boolean;
  /** Values that are not empty, by field id. */
  data: Record<string, FieldValue>;
  createdAt: Date;
  updatedAt: Date;
}

/** A record to be inserted. */
export interface RecordDraft {
  type: RecordType;
  /** By field id; missing fields are empty. Typed by `readFieldValue`. */
  values: ReadonlyMap<number, FieldValue>;
  /** Null: created through the API. */
  story: { id: number; name: string } | null;
  storyRunGuid: string | null;
  testMode: boolean;
  parentId: number | null;
}

/** A record with everything that a response contains. */
export interface RecordView {
  record: StoredRecord;
  type: RecordType;
  children: { record: StoredRecord; type: RecordType }[];
  caseIds: number[];
}

/** Returns a record's value in a field, default fields included. */
export function valueIn(
  record: Pick<StoredRecord, 'storyName' | 'createdAt' | 'data'>,
  field: Pick<RecordField, 'id' | 'source'>,
): FieldValue {
  if (field.source === 'story_name') return record.storyName;
  if (field.source === 'timestamp') return secondsText(record.createdAt);
  return record.data[String(field.id)] ?? null;
}
