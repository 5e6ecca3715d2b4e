import type { Session } from '../../platform/mysql/session.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { timestamp } from '../../platform/time/timestamp.js';
import { type FieldValue, readFieldValue } from './field-value.js';
import { readRecords } from './record-store.js';
import { findRecordType, findTypesNamed } from './types/record-type-store.js';
import {
  customFields,
  EXPORTED_DEFAULT_NAMES,
  type RecordField,
  type RecordType,
} from './types/record-type.js';
import { checkSize } from './write/record-values.js';
import { insertRecords } from './write/record-write-store.js';
import { type RecordDraft, type StoredRecord, valueIn } from './record.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** Maximum number of problems of one record in a message. */
const MAX_NAMED = 10;

/** A record that a story wants to write. */
export interface RecordToWrite {
  tenantId: number;
  teamId: number;
  /** Name of a record type of the team. */
  typeName: string;
  /** Untyped; `draftOf` types them. Missing fields stay empty; of equal names the last counts. */
  values: readonly { field: string; value: JsonValue }[];
  story: { id: number; name: string };
  storyRunGuid: string;
  /** Whether it is a test record: one of a draft. */
  testMode: boolean;
}

/** The written record in the form for the story's actions, or the reason why there is none. */
export type WrittenRecord = { record: JsonObject; problem?: undefined } | { problem: string };

/**
 * Writes the records of stories in the caller's transaction, with one insert for all; records with problems are
 * skipped.
 */
export async function writeStoryRecords(
  records: readonly RecordToWrite[],
  session: Session,
): Promise<WrittenRecord[]> {
  const types = await holdTypes(records, session);
  const drafted = records.map((record) => draftOf(record, types.get(keyOf(record))));
  const ids = await insertRecords(
    drafted.flatMap(({ draft }) => draft ?? []),
    session,
  );
  const written = (await readRecords(ids, session)).values();
  return drafted.map(({ draft, problem }) => {
    if (problem !== undefined) return { problem };
    const record = written.next().value;
    if (record === undefined) throw new Error('A record is missing right after it was written');
    return { record: presentToStory(record, draft.type) };
  });
}

/** Locks the named types against changes of their fields until the transaction ends; lowest ids first. */
async function holdTypes(
  records: readonly RecordToWrite[],
  session: Session,
): Promise<Map<string, RecordType>> {
  const named = new Map(records.map((record) => [keyOf(record), record]));
  const found = await findTypesNamed(
    [...named.values()].map(({ teamId, typeName }) => ({ teamId, name: typeName })),
    session,
  );
  const types = new Map<string, RecordType>();
  for (const { id, teamId, name } of found) {
    const key = keyOf({ teamId, typeName: name });
    const type = await findRecordType(id, named.get(key)?.tenantId ?? 0, 'shared', session);
    if (type !== undefined) types.set(key, type);
  }
  return types;
}

function keyOf({ teamId, typeName }: Pick<RecordToWrite, 'teamId' | 'typeName'>): string {
  return `${teamId} ${typeName}`;
}

/** A record ready to be inserted, or the reason why it cannot be. */
export type Drafted = { draft: RecordDraft; problem?: undefined } | { draft?: undefined; problem: string };

/** Types the record's values without using the database. `type`: the team's type with the record's type name. */
export function draftOf(record: RecordToWrite, type: RecordType | undefined): Drafted {
  if (type === undefined) return { problem: `This team has no record type "${record.typeName}"` };
  const { values, problems } = readValues(record.values, type);
  if (problems.length > 0) {
    const shown = problems.slice(0, MAX_NAMED).join('; ');
    return { problem: `The record of type "${type.name}" was not written: ${shown}` };
  }
  const { story, storyRunGuid, testMode } = record;
  return { draft: { type, values, story, storyRunGuid, testMode, parentId: null } };
}

/** Returns the typed values by field id, and all faults; fields that the server fills are ignored. */
function readValues(given: RecordToWrite['values'], type: RecordType) {
  const values = new Map<number, FieldValue>();
  const problems: string[] = [];
  for (const { field: name, value } of given) {
    const field = customFields(type).find((candidate) => candidate.name === name);
    if (field === undefined) {
      if (!EXPORTED_DEFAULT_NAMES.has(name)) problems.push(`there is no field "${name}"`);
      continue;
    }
    const typed = readFieldValue(field, rawOf(value, field));
    if (typed.problem === undefined) values.set(field.id, typed.value);
    else problems.push(`field "${name}" ${typed.problem}`);
  }
  const tooLarge = checkSize([...values.values()]).map(({ message }) => message);
  return { values, problems: [...problems, ...tooLarge] };
}

/** For a text field, a list or an object becomes its JSON, as everywhere in templates. */
function rawOf(value: JsonValue, { resultType }: RecordField): JsonValue {
  if (resultType !== 'TEXT' && resultType !== 'TEXT_ENUM') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' && value !== null ? stringifyJson(value) : value;
}

/** Returns the record as the event of the action that wrote it (docs/build/agents.md, Record). */
export function presentToStory(record: StoredRecord, type: RecordType): JsonObject {
  return {
    id: record.id,
    created_at: timestamp(record.createdAt),
    story: { id: record.storyId ?? 0, name: record.storyName ?? '' },
    story_run_guid: record.storyRunGuid,
    record_type: { id: type.id, name: type.name },
    values: Object.fromEntries(type.fields.map((field) => [field.name, valueIn(record, field)])),
  };
}
