import type { Actor } from '../../../api/face.js';
import type { Page, Window } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import { NotFound, type Problem } from '../../../platform/errors.js';
import { CASE_LIMITS, type CaseAction } from '../case.js';
import {
  allActions,
  deleteAction,
  findCaseAction,
  insertAction,
  listActions,
  replaceActions,
  updateAction,
} from '../links/case-action-store.js';
import {
  type CaseDatabase,
  type CaseLook,
  changeCase,
  checkCaseChange,
  readPart,
  requireCaseCapacity,
} from '../case-scene.js';
import { updateCase } from '../case-store.js';

export interface ActionBody {
  url?: string;
  label?: string;
  action_type?: string;
  /** Empty: none. */
  action_text?: string;
}

function textOrNone(text: string): string | null {
  return text === '' ? null : text;
}

/** A new action; its text may be absent. */
export type NewActionBody = Required<Omit<ActionBody, 'action_text'>> & Pick<ActionBody, 'action_text'>;

/** Returns the action that a body asks for. */
export function requestedCaseAction(body: NewActionBody): Omit<CaseAction, 'id'> {
  const { url, label, action_type: actionType, action_text: text } = body;
  return { url, label, actionType, actionText: text === undefined ? null : textOrNone(text) };
}

export type CaseActionService = ReturnType<typeof createCaseActionService>;

/** Creates the service of downstream actions: links on a case's page (spec §7.1). They are not activities. */
export function createCaseActionService({ database }: { database: CaseDatabase }) {
  return {
    list: (actor: Actor, caseId: number, window: Window): Promise<Page<CaseAction>> =>
      readPart(database, actor, caseId, ({ session }) => listActions(caseId, window, session)),

    /** @throws NotFound if the case has no such action. */
    get: (actor: Actor, caseId: number, id: number): Promise<CaseAction> =>
      readPart(database, actor, caseId, ({ session }) => getAction(caseId, id, session)),

    /** Replaces all actions of the case. Returns the new ones, in the given order. */
    replace: (
      actor: Actor,
      caseId: number,
      actions: readonly Omit<CaseAction, 'id'>[],
    ): Promise<CaseAction[]> =>
      changeCase(database, actor, caseId, async ({ session }) => {
        await replaceActions(caseId, actions, session);
        await updateCase(caseId, {}, session);
        return allActions(caseId, session);
      }),

    /** @throws NotFound and Forbidden as `replace`. */
    checkReplace: (actor: Actor, caseId: number): Promise<Problem[]> =>
      checkCaseChange(database, actor, caseId),

    add: (actor: Actor, caseId: number, action: Omit<CaseAction, 'id'>): Promise<CaseAction> =>
      changeCase(database, actor, caseId, async (scene) => {
        const { session } = scene;
        await requireRoomForAction(scene);
        const id = await insertAction(caseId, action, session);
        await updateCase(caseId, {}, session);
        return { id, ...action };
      }),

    /** @throws NotFound, Forbidden and Unprocessable as `add`, for any action. */
    checkAdd: (actor: Actor, caseId: number): Promise<Problem[]> =>
      checkCaseChange(database, actor, caseId, requireRoomForAction),

    /** @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, caseId: number, id: number): Promise<Problem[]> =>
      checkCaseChange(database, actor, caseId, async ({ session }) => {
        await getAction(caseId, id, session);
      }),

    /** Changes the given fields. */
    update: (actor: Actor, caseId: number, id: number, body: ActionBody): Promise<CaseAction> =>
      changeCase(database, actor, caseId, async ({ session }) => {
        const { url, label, action_type: actionType, action_text: text } = body;
        await getAction(caseId, id, session);
        const actionText = text === undefined ? text : textOrNone(text);
        await updateAction(id, { url, label, actionType, actionText }, session);
        await updateCase(caseId, {}, session);
        return getAction(caseId, id, session);
      }),

    remove: (actor: Actor, caseId: number, id: number): Promise<void> =>
      changeCase(database, actor, caseId, async ({ session }) => {
        const removed = await deleteAction(caseId, id, session);
        if (!removed) throw new NotFound('Action');
        await updateCase(caseId, {}, session);
      }),
  };
}

async function requireRoomForAction({ stored, session }: CaseLook): Promise<void> {
  const { total } = await listActions(stored.id, { offset: 0, limit: 1 }, session);
  requireCaseCapacity(total, CASE_LIMITS.actions, 'actions');
}

async function getAction(caseId: number, id: number, session: Session): Promise<CaseAction> {
  const action = await findCaseAction(caseId, id, session);
  if (action === undefined) throw new NotFound('Action');
  return action;
}
