import { type Actor, redactFor, visibleTeamIds } from '../../../../api/face.js';
import type { Page, Window } from '../../../../platform/mysql/statements/page-query.js';
import { NotFound, type Problem } from '../../../../platform/errors.js';
import { CASE_LIMITS, type LinkedCase } from '../../case.js';
import {
  countCaseLinks,
  linkedAmong,
  linkToAll,
  listLinkedCases,
  unlinkCases,
} from '../../links/case-link-store.js';
import type { Usable } from '../../../../platform/validation/partial-input.js';
import { refuseCasePeople } from '../../people/case-people.js';
import {
  type CaseDatabase,
  type CaseScene,
  changeCases,
  checkCasesChange,
  readPart,
  requireCaseCapacity,
} from '../../case-scene.js';

/** A case, and those that were asked to be linked to it. */
export interface CaseWithLinks {
  id: number;
  name: string;
  linked: LinkedCase[];
}

export type LinkedCaseService = ReturnType<typeof createLinkedCaseService>;

/** Creates the service of links between cases (spec §7.4). A link changes both cases, so it needs the right to write both. */
export function createLinkedCaseService({ database }: { database: CaseDatabase }) {
  return {
    /** Returns a page of the linked cases that the actor may see, in the order they were linked. */
    list: (actor: Actor, caseId: number, window: Window): Promise<Page<LinkedCase>> =>
      readPart(database, actor, caseId, async ({ session }) => {
        const { items, total } = await listLinkedCases(caseId, visibleTeamIds(actor), window, session);
        return { items: items.map((linked) => redactFor(actor, linked.teamId, linked)), total };
      }),

    /** Links two cases, unless they are already linked. Returns the other case. */
    add: async (actor: Actor, caseId: number, otherId: number): Promise<LinkedCase> => {
      refuseCasePeople(linksToItself(caseId, { id: otherId }));
      const { linked } = await linkAll(database, actor, caseId, [otherId]);
      return linked[0] as LinkedCase;
    },

    /** Links the case to each other one, unless they are already linked; to all of them, or to none. */
    addAll: (actor: Actor, caseId: number, otherIds: number[]): Promise<CaseWithLinks> => {
      refuseCasePeople(linksToItself(caseId, namedIds(otherIds)));
      return linkAll(database, actor, caseId, otherIds);
    },

    /** Returns the problems of the other case, if one is named. @throws NotFound and Forbidden as `add`. */
    check: (actor: Actor, caseId: number, otherId: number | undefined): Promise<Problem[]> =>
      checkLinks(database, actor, caseId, { id: otherId }),

    /** Returns the problems of the other cases that are named. @throws NotFound and Forbidden as `addAll`. */
    checkAll: (actor: Actor, caseId: number, otherIds: Usable<number[]> = []): Promise<Problem[]> =>
      checkLinks(database, actor, caseId, namedIds(otherIds)),

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

/** Ids of other cases by their field in the body. */
type NamedIds = Record<string, number | undefined>;

function namedIds(ids: Usable<number[]>): NamedIds {
  return Object.fromEntries(ids.map((id, index) => [`ids[${index}]`, id]));
}

function linksToItself(caseId: number, named: NamedIds): Problem[] {
  return Object.entries(named).flatMap(([details, id]): Problem[] =>
    id === caseId ? [{ message: 'A case cannot be linked to itself', details }] : [],
  );
}

/** @throws NotFound and Forbidden for this case, or another one that is named. */
async function checkLinks(
  database: CaseDatabase,
  actor: Actor,
  caseId: number,
  named: NamedIds,
): Promise<Problem[]> {
  const others = Object.values(named).flatMap((id) => (id === undefined || id === caseId ? [] : [id]));
  await checkCasesChange(database, actor, [caseId, ...others]);
  return linksToItself(caseId, named);
}

function linkAll(
  database: CaseDatabase,
  actor: Actor,
  caseId: number,
  otherIds: number[],
): Promise<CaseWithLinks> {
  return changeCases(database, actor, [caseId, ...otherIds], async ([one, ...others]) => {
    if (one === undefined) throw new NotFound('Case');
    const { session, stored } = one;
    // The lock on the case excludes other changes of its links.
    const before = await linkedAmong(caseId, otherIds, session);
    const fresh = others.filter((other) => !before.has(other.stored.id));
    await linkToAll(
      caseId,
      fresh.map((other) => other.stored.id),
      session,
    );
    const counts = fresh.length === 0 ? [] : await countCaseLinks([caseId, ...otherIds], session);
    for (const n of counts.values()) requireCaseCapacity(n - 1, CASE_LIMITS.linkedCases, 'linked cases');
    for (const other of fresh) await noteBoth('LINKED_CASE_ADDED', one, other);
    const linked = others.map(({ stored: { id, teamId, name } }) => ({ id, teamId, name }));
    return { id: caseId, name: stored.name, linked };
  });
}

async function noteBoth(
  type: 'LINKED_CASE_ADDED' | 'LINKED_CASE_REMOVED',
  one: CaseScene,
  other: CaseScene,
): Promise<void> {
  await one.note(type, String(other.stored.id));
  await other.note(type, String(one.stored.id));
}
