import { canRead } from '../../auth/access.js';
import type { Actor } from '../../auth/actor.js';
import type { Page, Window } from '../../db/page-query.js';
import { NotFound, Unprocessable } from '../../errors.js';
import type { CaseRecord } from '../case.js';
import {
  attachRecord,
  detachRecord,
  findRecordTeam,
  listRecords,
  recordsById,
} from '../case-record-store.js';
import { type CaseDatabase, changeCase, readableCase } from '../case-scene.js';

export type CaseRecordService = ReturnType<typeof createCaseRecordService>;

/** Records attached to a case (decisions §7). */
export function createCaseRecordService({ database }: { database: CaseDatabase }) {
  return {
    /** A page of the case's records, oldest first. */
    list: (actor: Actor, caseId: number, window: Window): Promise<Page<CaseRecord>> =>
      database.read(async (session) => {
        await readableCase(actor, caseId, session);
        return listRecords(caseId, window, session);
      }),

    /**
     * Attaches a record of the case's team; one that is attached stays so.
     * @throws NotFound for a record the actor cannot see; Unprocessable for one of another team.
     */
    add: (actor: Actor, caseId: number, recordId: number): Promise<CaseRecord> =>
      changeCase(database, actor, caseId, async (scene) => {
        const teamId = await findRecordTeam(recordId, scene.session);
        if (teamId === undefined || !canRead(actor, teamId)) throw new NotFound('Record');
        if (teamId !== scene.stored.teamId) {
          const message = 'record_id is a record of another team than the case';
          throw new Unprocessable([{ message, details: 'record_id' }]);
        }
        const added = await attachRecord(caseId, recordId, scene.session);
        if (added) await scene.note('RECORD_RESULT_SET_ADDED', String(recordId));
        const record = (await recordsById([recordId], scene.session)).get(recordId);
        if (record === undefined) throw new NotFound('Record');
        return record;
      }),

    /** Takes the record off the case; the record itself stays. @throws NotFound when it is not attached. */
    remove: (actor: Actor, caseId: number, recordId: number): Promise<void> =>
      changeCase(database, actor, caseId, async (scene) => {
        const removed = await detachRecord(caseId, recordId, scene.session);
        if (!removed) throw new NotFound('Record');
        await scene.note('RECORD_RESULT_SET_REMOVED', String(recordId));
      }),
  };
}
