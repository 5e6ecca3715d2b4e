import {
  draftOf,
  plannedFields,
  presentToStory,
  type RecordDraft,
  type RecordType,
  type RecordToWrite,
  type RequiredRecordType,
  type WrittenRecord,
} from '../../data/face.js';
import { type StoryExport, requiredRecordTypes } from '../../stories/face.js';
import { TRIAL_TEAM, TRIAL_TENANT } from './plan-graphs.js';
import type { TrialClock } from './trial-deliveries.js';

/** Writes a record; returns it, or the problem. */
export type WriteRecord = (record: RecordToWrite) => WrittenRecord;

/** Returns a writer of records of these types, which may become more, that stores nothing; ids count from `firstId`. */
export function createTrialRecords(
  known: readonly RecordType[],
  clock: TrialClock,
  firstId = 1,
): WriteRecord {
  const typeOf = ({ teamId, typeName }: RecordToWrite) =>
    known.findLast((type) => type.teamId === teamId && type.name === typeName);
  let records = firstId - 1;
  return (record) => {
    const { draft, problem } = draftOf(record, typeOf(record));
    if (problem !== undefined) return { problem };
    records += 1;
    return { record: presentToStory(storedOf(draft, records, new Date(clock.nowMs())), draft.type) };
  };
}

/** Returns the types that an import of these stories would create. Ids count from 1; ids of fields are unique over all types. */
export function recordTypesOf(stories: StoryExport[]): RecordType[] {
  let fieldId = 0;
  return requiredRecordTypes(stories)
    .types.filter((wanted) => plannedFields(wanted).problems.length === 0)
    .map((wanted, index) => plannedType(wanted, index + 1, () => ++fieldId));
}

function plannedType(wanted: RequiredRecordType, id: number, nextFieldId: () => number): RecordType {
  const { fields } = plannedFields(wanted);
  return {
    id,
    tenantId: TRIAL_TENANT,
    teamId: TRIAL_TEAM,
    name: wanted.name,
    editable: true,
    ttlDays: null,
    fields: fields.map((field) => ({ ...field, id: nextFieldId(), complete: true })),
  };
}

function storedOf(
  { type, values, story, storyRunGuid, testMode, parentId }: RecordDraft,
  id: number,
  now: Date,
) {
  const filled = [...values].filter(([, value]) => value !== null);
  return {
    id,
    typeId: type.id,
    teamId: type.teamId,
    storyId: story?.id ?? null,
    storyName: story?.name ?? null,
    storyRunGuid,
    parentId,
    testMode,
    data: Object.fromEntries(filled.map(([fieldId, value]) => [String(fieldId), value])),
    createdAt: now,
    updatedAt: now,
  };
}
