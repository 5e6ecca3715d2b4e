import { requireTeam } from '../auth/access.js';
import type { Actor } from '../auth/actor.js';
import { noteAttachedRecord } from '../cases/attached-records.js';
import type { Database } from '../db/database.js';
import type { Window } from '../db/page-query.js';
import { retryLockConflicts } from '../db/retry-conflicts.js';
import type { Session } from '../db/session.js';
import { NotFound, type Problem, Unprocessable } from '../errors.js';
import { limited } from '../problems.js';
import { checkCases, checkParent } from './record-attachments.js';
import { countRecords } from './record-count-store.js';
import { type FamilyChanges, planFamily } from './record-family.js';
import { type RecordListQuery, readListQuery } from './record-list.js';
import { findCaseIds, findChildren, findRecord, readRecords } from './record-store.js';
import { lockTeamOf } from './record-lock-store.js';
import { getRecordType } from './record-type-service.js';
import { findRecordTypes } from './record-type-store.js';
import type { RecordType } from './record-type.js';
import { checkFieldValues, checkSize, type FieldValueInput } from './record-values.js';
import {
  attachToCases,
  insertRecords,
  leaveParent,
  lockRecord,
  removeRecords,
  setParent,
  touchRecord,
  updateValues,
} from './record-write-store.js';
import type { RecordView, StoredRecord } from './record.js';
import { searchRecords } from './search-records.js';

/** The body of a POST. */
export interface RecordInput {
  record_type_id: number;
  field_values: FieldValueInput[];
  parent_record_id?: number | null | undefined;
  case_ids: number[];
  test_mode: boolean;
}

/** The body of a PUT. */
export interface RecordChanges extends FamilyChanges {
  field_values: FieldValueInput[];
}

/** A page of records, all of one type. */
export interface RecordPage {
  type: RecordType;
  records: StoredRecord[];
  total: number;
}

export interface RecordServiceDeps {
  database: Pick<Database, 'read' | 'transaction' | 'facts'>;
}

export type RecordService = ReturnType<typeof createRecordService>;

/** Records, for somebody who may or may not do this (api-spec §1, §2; decisions §2, §6). */
export function createRecordService({ database }: RecordServiceDeps) {
  const change = <T>(work: (session: Session) => Promise<T>) =>
    retryLockConflicts(() => database.transaction(work));

  return {
    /** @throws NotFound for an unknown type or team; Unprocessable naming all that is wrong. */
    list(actor: Actor, query: RecordListQuery, window: Window): Promise<RecordPage> {
      return database.read(async (session) => {
        const { type, search } = await readListQuery(actor, query, session);
        const { ids, total } = await searchRecords(search, window, session);
        return { type, records: await readRecords(ids, session), total };
      });
    },

    /** @throws NotFound when there is none that the actor may see. */
    get: (actor: Actor, id: number): Promise<RecordView> =>
      database.read(async (session) => viewOf(await getRecord(actor, id, session), session)),

    /** A record made through the API: of no story. */
    async create(actor: Actor, input: RecordInput): Promise<RecordView> {
      const { idStep } = await database.facts();
      return change(async (session) => {
        const type = await getRecordType(actor, input.record_type_id, 'shared', session);
        requireTeam(actor, type.teamId, 'write', 'Record type');
        const { values, problems } = checkFieldValues(input.field_values, type.fields);
        const parentProblems = await checkParent(actor, input.parent_record_id, type, session);
        const caseProblems = await checkCases(actor, input.case_ids, type, session);
        refuse([...problems, ...parentProblems, ...caseProblems]);
        const draft = {
          type,
          values: new Map([...values].map(([field, value]) => [field.id, value])),
          story: null,
          storyRunGuid: null,
          testMode: input.test_mode,
          parentId: input.parent_record_id ?? null,
        };
        const [id = 0] = await insertRecords([draft], idStep, session);
        await attachToCases(id, [...new Set(input.case_ids)], session);
        await noteAttachedRecord(actor, id, input.case_ids, session);
        return viewOf(await getRecord(actor, id, session), session);
      });
    },

    /** Sets values, adds and removes children: all of it or nothing. */
    update(actor: Actor, id: number, changes: RecordChanges): Promise<RecordView> {
      return change(async (session) => {
        const { typeId, teamId } = await getRecord(actor, id, session);
        requireTeam(actor, teamId, 'write', 'Record');
        const type = await getRecordType(actor, typeId, 'shared', session);
        // Two updates that each make the other's record a child would not see each other's cycle.
        if (changes.add_child_records.length > 0) await lockTeamOf(teamId, session);
        if (!(await lockRecord(id, session))) throw new NotFound('Record');
        const record = await getRecord(actor, id, session);
        const { values, problems } = checkFieldValues(changes.field_values, type.fields);
        const family = await planFamily(actor, record, changes, session);
        const replaced = new Set([...values.keys()].map((field) => String(field.id)));
        const kept = Object.entries(record.data).flatMap(([key, value]) =>
          replaced.has(key) ? [] : [value],
        );
        refuse([...problems, ...checkSize([...kept, ...values.values()]), ...family.problems]);
        if (values.size > 0) await updateValues(record, values, session);
        await leaveParent(family.removed, id, session);
        await setParent(family.added, id, session);
        if (family.added.length + family.removed.length > 0) await touchRecord(id, session);
        return viewOf(await getRecord(actor, id, session), session);
      });
    },

    /** Deletes the record; its children stay, without a parent. */
    async delete(actor: Actor, id: number): Promise<void> {
      await change(async (session) => {
        const { typeId, teamId, testMode } = await getRecord(actor, id, session);
        requireTeam(actor, teamId, 'write', 'Record');
        // Held, so that nobody gives the record a field's value while it goes.
        await getRecordType(actor, typeId, 'shared', session);
        if (!(await lockRecord(id, session))) throw new NotFound('Record');
        await removeRecords([id], session);
        await countRecords([{ typeId, testMode, by: -1 }], session);
      });
    },
  };
}

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw new Unprocessable(limited(problems));
}

async function getRecord(actor: Actor, id: number, session: Session): Promise<StoredRecord> {
  const record = await findRecord(id, actor.tenantId, session);
  if (record === undefined) throw new NotFound('Record');
  requireTeam(actor, record.teamId, 'read', 'Record');
  return record;
}

async function viewOf(record: StoredRecord, session: Session): Promise<RecordView> {
  const children = await findChildren(record.id, session);
  const types = await findRecordTypes(
    [...new Set([record, ...children].map(({ typeId }) => typeId))],
    session,
  );
  const typeOf = ({ typeId }: StoredRecord) => types.find(({ id }) => id === typeId);
  const type = typeOf(record);
  // The type was deleted in this very moment.
  if (type === undefined) throw new NotFound('Record');
  return {
    record,
    type,
    children: children.flatMap((child) => {
      const childType = typeOf(child);
      return childType === undefined ? [] : [{ record: child, type: childType }];
    }),
    caseIds: await findCaseIds(record.id, session),
  };
}
