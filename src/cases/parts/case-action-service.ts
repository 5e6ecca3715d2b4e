import type { Actor } from '../../auth/actor.js';
import type { Page, Window } from '../../db/page-query.js';
import { NotFound } from '../../errors.js';
import { CASE_LIMITS, type CaseAction } from '../case.js';
import { deleteAction, findAction, insertAction, listActions, updateAction } from '../case-action-store.js';
import { type CaseDatabase, changeCase, readableCase, requireRoom } from '../case-scene.js';
import { updateCase } from '../case-store.js';

export interface ActionBody {
  url?: string;
  label?: string;
  action_type?: string;
}

export type CaseActionService = ReturnType<typeof createCaseActionService>;

/** Downstream actions of a case: what its page offers to open (api-spec, Case). They are no activities. */
export function createCaseActionService({ database }: { database: CaseDatabase }) {
  return {
    list: (actor: Actor, caseId: number, window: Window): Promise<Page<CaseAction>> =>
      database.read(async (session) => {
        await readableCase(actor, caseId, session);
        return listActions(caseId, window, session);
      }),

    add: (actor: Actor, caseId: number, action: Omit<CaseAction, 'id'>): Promise<CaseAction> =>
      changeCase(database, actor, caseId, async ({ session }) => {
        const { total } = await listActions(caseId, { offset: 0, limit: 1 }, session);
        requireRoom(total, CASE_LIMITS.actions, 'actions');
        const id = await insertAction(caseId, action, session);
        await updateCase(caseId, {}, session);
        return { id, ...action };
      }),

    /** Changes what is given. */
    update: (actor: Actor, caseId: number, id: number, body: ActionBody): Promise<CaseAction> =>
      changeCase(database, actor, caseId, async ({ session }) => {
        const { url, label, action_type: actionType } = body;
        await updateAction(
          required(await findAction(caseId, id, session)).id,
          { url, label, actionType },
          session,
        );
        await updateCase(caseId, {}, session);
        return required(await findAction(caseId, id, session));
      }),

    remove: (actor: Actor, caseId: number, id: number): Promise<void> =>
      changeCase(database, actor, caseId, async ({ session }) => {
        const removed = await deleteAction(caseId, id, session);
        if (!removed) throw new NotFound('Action');
        await updateCase(caseId, {}, session);
      }),
  };
}

function required(action: CaseAction | undefined): CaseAction {
  if (action === undefined) throw new NotFound('Action');
  return action;
}
