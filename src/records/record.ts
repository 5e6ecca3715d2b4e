import { type FieldValue, secondsText } from './field-value.js';
import type { RecordField, RecordType } from './types/record-type.js';

/** A record as it is stored. */
export interface StoredRecord {
  id: number;
  typeId: number;
  teamId: number;
  /** Null: made through the API. The name is that of the time. */
  storyId: number | null;
  storyName: string | null;
  storyRunGuid: string | null;
  /** The record it is a child of; one that can be seen. */
  parentId: number | null;
  testMode: boolean;
  /** Values that are not empty, by field id. */
  data: Record<string, FieldValue>;
  createdAt: Date;
  updatedAt: Date;
}

/** A record to be written. */
export interface RecordDraft {
  type: RecordType;
  /** By field id; fields that are not there are empty. Typed as `readFieldValue` gives them. */
  values: ReadonlyMap<number, FieldValue>;
  /** Null: made through the API. */
  story: { id: number; name: string } | null;
  storyRunGuid: string | null;
  testMode: boolean;
  parentId: number | null;
}

/** A record with all that its answer shows. */
export interface RecordView {
  record: StoredRecord;
  type: RecordType;
  children: { record: StoredRecord; type: RecordType }[];
  caseIds: number[];
}

/** What a record holds in a field, default fields included. */
export function valueIn(
  record: Pick<StoredRecord, 'storyName' | 'createdAt' | 'data'>,
  field: Pick<RecordField, 'id' | 'source'>,
): FieldValue {
  if (field.source === 'story_name') return record.storyName;
  if (field.source === 'timestamp') return secondsText(record.createdAt);
  return record.data[String(field.id)] ?? null;
}
