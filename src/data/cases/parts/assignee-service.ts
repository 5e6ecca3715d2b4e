import type { Actor } from '../../../api/face.js';
import type { Page, Window } from '../../../platform/mysql/statements/page-query.js';
import type { CaseUser } from '../case.js';
import { listAssignees } from '../people/case-people-store.js';
import { type CaseDatabase, readPart } from '../case-scene.js';

export type AssigneeService = ReturnType<typeof createAssigneeService>;

/** Creates the service that lists the users who work on a case (spec §7.4). */
export function createAssigneeService({ database }: { database: Pick<CaseDatabase, 'read'> }) {
  return {
    /** Returns a page of the assignees, in the order in which they were assigned. */
    list: (actor: Actor, caseId: number, window: Window): Promise<Page<CaseUser>> =>
      readPart(database, actor, caseId, ({ session }) => listAssignees(caseId, window, session)),
  };
}
