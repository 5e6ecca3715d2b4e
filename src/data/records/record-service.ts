import { type Actor, requireTeam, redactFor } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { type Cursor, rowsBefore, type WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import { firstProblems } from '../../platform/validation/validate.js';
import { NO_QUOTAS, type TenantQuotas } from '../../people/face.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import {
  checkNewRecord,
  checkRecordChanges,
  type RecordChanges,
  type RecordInput,
} from './write/record-check.js';
import { countRecordChanges } from './search/record-count-store.js';
import { listQueryProblems, type RecordListQuery, readListQuery } from './search/record-list.js';
import { findCaseIds, findChildren, findRecord, readRecords } from './record-store.js';
import { lockTeamOf } from './write/record-lock-store.js';
import { getRecordType } from './types/record-type-service.js';
import { findRecordTypes } from './types/record-type-store.js';
import type { RecordType } from './types/record-type.js';
import {
  attachToCases,
  insertRecords,
  leaveParent,
  lockRecord,
  removeRecords,
  setParent,
  touchRecord,
  updateValues,
} from './write/record-write-store.js';
import type { RecordView, StoredRecord } from './record.js';
import { isNewestFirst, type RecordSearch } from './search/record-search.js';
import { searchRecords } from './search/search-records.js';

/** A page of records, all of one type. */
export interface RecordPage {
  type: RecordType;
  records: StoredRecord[];
  total: number;
  /** The start of the next page, newest first. */
  next?: Cursor | null;
}

export interface RecordServiceDeps {
  database: Pick<Database, 'read' | 'transaction' | 'facts'>;
  /** Called in the transaction that attaches a new record to cases; optional. */
  onAttached?: (
    actor: Actor,
    recordId: number,
    caseIds: readonly number[],
    session: Session,
  ) => Promise<void>;
  /** Called after COMMIT with a new record that is attached to cases of its team; optional. */
  afterAttached?: (actor: Actor, record: StoredRecord, caseIds: readonly number[]) => void;
  /** If absent, the number of records is not limited. */
  quotas?: Pick<TenantQuotas, 'requireRecord'>;
}

export type RecordService = ReturnType<typeof createRecordService>;

/** Returns a page of the search, and where the next one begins. @throws Unprocessable for a place in another order. */
async function readPageOf(
  search: RecordSearch,
  window: WalkWindow,
  session: Session,
): Promise<Omit<RecordPage, 'type'>> {
  if (!isNewestFirst(search)) {
    if (window.after !== undefined) throw new Unprocessable([NO_PLACES]);
    const { ids, total } = await searchRecords(search, window, session);
    return { records: await readRecords(ids, session), total };
  }
  const asked = { ...window, offset: rowsBefore(window), limit: window.limit + 1 };
  const { ids, total } = await searchRecords(search, asked, session);
  const records = await readRecords(ids.slice(0, window.limit), session);
  if (ids.length <= window.limit) return { records, total, next: null };
  const last = records.at(-1);
  // All of them were deleted meanwhile.
  if (last === undefined) return readPageOf(search, window, session);
  return { records, total, next: { id: last.id, time: last.createdAt } };
}

const NO_PLACES = {
  message: '"cursor" requires newest-first order. Use "page" with this order',
  details: 'cursor',
};

/** Records, with checks of what the actor may do (spec §2.2 and §6). */
export function createRecordService(deps: RecordServiceDeps) {
  const { database, quotas = NO_QUOTAS, onAttached, afterAttached } = deps;
  const change = <T>(work: (session: Session) => Promise<T>) =>
    retryLockConflicts(() => database.transaction(work));

  return {
    /** @throws NotFound for an unknown type or team; Unprocessable naming every fault. */
    list(actor: Actor, query: RecordListQuery, window: WalkWindow): Promise<RecordPage> {
      return database.read(async (session) => {
        const { type, search } = await readListQuery(actor, query, session);
        const { records, ...page } = await readPageOf(search, window, session);
        return { type, records: records.map((record) => redactFor(actor, record.teamId, record)), ...page };
      });
    },

    /** @throws NotFound for one that does not exist or that the actor may not see. */
    get: (actor: Actor, id: number): Promise<RecordView> =>
      database.read(async (session) => {
        const view = await viewOf(await getRecord(actor, id, session), session);
        return redactFor(actor, view.record.teamId, view);
      }),

    /** Returns the faults in the usable parts of a query. @throws NotFound as `list`. */
    checkList: (actor: Actor, query: Usable<RecordListQuery>): Promise<Problem[]> =>
      database.read((session) => listQueryProblems(actor, query, session)),

    /** Returns the faults in the usable parts of a new record. @throws NotFound and Forbidden as `create`. */
    async checkCreate(actor: Actor, input: Usable<RecordInput>): Promise<Problem[]> {
      const { record_type_id } = input;
      if (record_type_id === undefined) return [];
      const usable = { ...input, record_type_id };
      return database.read(
        async (session) => (await checkNewRecord(actor, usable, 'look', session)).problems,
      );
    },

    /** Returns the faults in the usable parts of an update. @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, id: number, changes: Usable<RecordChanges>): Promise<Problem[]> =>
      database.read(async (session) => {
        const record = await getRecord(actor, id, session);
        requireTeam(actor, record.teamId, 'write', 'Record');
        const type = await getRecordType(actor, record.typeId, 'none', session);
        return (await checkRecordChanges(actor, { record, type }, changes, session)).problems;
      }),

    /** Creates a record without a story. @throws QuotaReached if the tenant has reached its number of records. */
    async create(actor: Actor, input: RecordInput): Promise<RecordView> {
      const made = await change(async (session) => {
        const { type, values, problems } = await checkNewRecord(actor, input, 'hold', session);
        refuse(problems);
        quotas.requireRecord(actor.tenantId);
        const draft = {
          type,
          values: new Map([...values].map(([field, value]) => [field.id, value])),
          story: null,
          storyRunGuid: null,
          testMode: input.test_mode,
          parentId: input.parent_record_id ?? null,
        };
        const [id = 0] = await insertRecords([draft], session);
        await attachToCases(id, [...new Set(input.case_ids)], session);
        await onAttached?.(actor, id, input.case_ids, session);
        return viewOf(await getRecord(actor, id, session), session);
      });
      afterAttached?.(actor, made.record, input.case_ids);
      return made;
    },

    /** Sets values, adds and removes children: all or nothing. */
    update(actor: Actor, id: number, changes: RecordChanges): Promise<RecordView> {
      return change(async (session) => {
        const { typeId, teamId } = await getRecord(actor, id, session);
        requireTeam(actor, teamId, 'write', 'Record');
        const type = await getRecordType(actor, typeId, 'shared', session);
        // Two concurrent updates that make each other's record a child would not see each other's cycle.
        if (changes.add_child_records.length > 0) await lockTeamOf(teamId, session);
        if (!(await lockRecord(id, session))) throw new NotFound('Record');
        const record = await getRecord(actor, id, session);
        const checked = await checkRecordChanges(actor, { record, type }, changes, session);
        const { values, family, problems } = checked;
        refuse(problems);
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
        // The type is locked, so that no new field gives the record a value while it is being deleted.
        await getRecordType(actor, typeId, 'shared', session);
        if (!(await lockRecord(id, session))) throw new NotFound('Record');
        await removeRecords([id], session);
        await countRecordChanges([{ typeId, testMode, by: -1 }], session);
      });
    },
  };
}

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw new Unprocessable(firstProblems(problems));
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
  // The type was deleted just now.
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
