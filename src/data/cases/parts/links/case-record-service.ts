import { lockRecord } from '../../../records/write/record-write-store.js';
import { type Actor, canRead } from '../../../../api/face.js';
import type { Page, Window } from '../../../../platform/mysql/statements/page-query.js';
import { NotFound, type Problem, Unprocessable } from '../../../../platform/errors.js';
import type { CaseRecord } from '../../case.js';
import {
  attachRecord,
  detachRecord,
  findCaseRecord,
  findRecordTeam,
  listRecords,
  recordsById,
} from '../../links/case-record-store.js';
import { type CaseDatabase, type CaseLook, changeCase, checkCaseChange, readPart } from '../../case-scene.js';

export type CaseRecordService = ReturnType<typeof createCaseRecordService>;

/** Records attached to a case (spec §7.4). */
export function createCaseRecordService({ database }: { database: CaseDatabase }) {
  return {
    /** Returns a page of the case's records, oldest first. */
    list: (actor: Actor, caseId: number, window: Window): Promise<Page<CaseRecord>> =>
      readPart(database, actor, caseId, ({ session }) => listRecords(caseId, window, session)),

    /** @throws NotFound if the case shows no such record. */
    get: (actor: Actor, caseId: number, recordId: number): Promise<CaseRecord> =>
      readPart(database, actor, caseId, async ({ session }) => {
        const record = await findCaseRecord(caseId, recordId, session);
        if (record === undefined) throw new NotFound('Record');
        return record;
      }),

    /**
     * Attaches a record of the case's team, unless it is already attached.
     * @throws NotFound for a record the actor cannot see; Unprocessable for a record of another team.
     */
    add: (actor: Actor, caseId: number, recordId: number): Promise<CaseRecord> =>
      changeCase(database, actor, caseId, async (scene) => {
        const problems = await checkRecord(actor, scene, recordId);
        if (problems.length > 0) throw new Unprocessable(problems);
        if (!(await lockRecord(recordId, scene.session))) throw new NotFound('Record');
        const added = await attachRecord(caseId, recordId, scene.session);
        if (added) await scene.note('RECORD_RESULT_SET_ADDED', String(recordId));
        const record = (await recordsById([recordId], scene.session)).get(recordId);
        if (record === undefined) throw new NotFound('Record');
        return record;
      }),

    /** Returns the problems of the record, if one is named. @throws NotFound and Forbidden as `add`. */
    check: (actor: Actor, caseId: number, recordId: number | undefined): Promise<Problem[]> =>
      checkCaseChange(database, actor, caseId, async (look) =>
        recordId === undefined ? [] : checkRecord(actor, look, recordId),
      ),

    /** Detaches the record from the case; the record itself stays. @throws NotFound if it is not attached. */
    remove: (actor: Actor, caseId: number, recordId: number): Promise<void> =>
      changeCase(database, actor, caseId, async (scene) => {
        const removed = await detachRecord(caseId, recordId, scene.session);
        if (!removed) throw new NotFound('Record');
        await scene.note('RECORD_RESULT_SET_REMOVED', String(recordId));
      }),
  };
}

async function checkRecord(
  actor: Actor,
  { stored, session }: CaseLook,
  recordId: number,
): Promise<Problem[]> {
  const teamId = await findRecordTeam(recordId, session);
  if (teamId === undefined || !canRead(actor, teamId)) throw new NotFound('Record');
  if (teamId === stored.teamId) return [];
  return [{ message: 'record_id belongs to a different team than the case', details: 'record_id' }];
}
