import { visibleTeamIds } from '../../access/auth/access.js';
import type { Actor } from '../../access/auth/actor.js';
import { shownTo } from '../../access/auth/shown-to.js';
import type { Page, Window } from '../../platform/mysql/page-query.js';
import { NotFound, type Problem, Unprocessable } from '../../platform/errors.js';
import { CASE_LIMITS, type LinkedCase } from '../case.js';
import { countLinks, linkCases, listLinkedCases, unlinkCases } from '../case-link-store.js';
import {
  type CaseDatabase,
  type CaseScene,
  changeCases,
  checkCaseChange,
  readPart,
  requireRoom,
} from '../case-scene.js';

const LINKED_TO_ITSELF: Problem = { message: 'A case cannot be linked to itself', details: 'id' };

export type LinkedCaseService = ReturnType<typeof createLinkedCaseService>;

/** Creates the service of links between cases (spec §7.4). A link changes both cases, so it needs the right to write both. */
export function createLinkedCaseService({ database }: { database: CaseDatabase }) {
  return {
    /** Returns a page of the linked cases that the actor may see, in the order they were linked. */
    list: (actor: Actor, caseId: number, window: Window): Promise<Page<LinkedCase>> =>
      readPart(database, actor, caseId, async ({ session }) => {
        const { items, total } = await listLinkedCases(caseId, visibleTeamIds(actor), window, session);
        return { items: items.map((linked) => shownTo(actor, linked.teamId, linked)), total };
      }),

    /** Links two cases, unless they are already linked. Returns the other case. */
    add: (actor: Actor, caseId: number, otherId: number): Promise<LinkedCase> => {
      if (otherId === caseId) throw new Unprocessable([LINKED_TO_ITSELF]);
      return changeCases(database, actor, [caseId, otherId], async ([one, other]) => {
        if (one === undefined || other === undefined) throw new NotFound('Case');
        const { session } = one;
        const linked = await linkCases(caseId, otherId, session);
        if (linked) {
          const counts = await countLinks([caseId, otherId], session);
          for (const n of counts.values()) requireRoom(n - 1, CASE_LIMITS.linkedCases, 'linked cases');
          await noteBoth('LINKED_CASE_ADDED', one, other);
        }
        return { id: otherId, teamId: other.stored.teamId, name: other.stored.name };
      });
    },

    /** Returns the problems of the other case, if one is named. @throws NotFound and Forbidden as `add`. */
    check: async (actor: Actor, caseId: number, otherId: number | undefined): Promise<Problem[]> => {
      await checkCaseChange(database, actor, caseId);
      if (otherId === caseId) return [LINKED_TO_ITSELF];
      return otherId === undefined ? [] : checkCaseChange(database, actor, otherId);
    },

    /** @throws NotFound if they are not linked. */
    remove: (actor: Actor, caseId: number, otherId: number): Promise<void> =>
      changeCases(database, actor, [caseId, otherId], async ([one, other]) => {
        if (one === undefined || other === undefined) throw new NotFound('Case');
        const unlinked = await unlinkCases(caseId, otherId, one.session);
        if (!unlinked) throw new NotFound('Linked case');
        await noteBoth('LINKED_CASE_REMOVED', one, other);
      }),
  };
}

async function noteBoth(
  type: 'LINKED_CASE_ADDED' | 'LINKED_CASE_REMOVED',
  one: CaseScene,
  other: CaseScene,
): Promise<void> {
  await one.note(type, String(other.stored.id));
  await other.note(type, String(one.stored.id));
}
