import { type Actor, canRead } from '../../../api/face.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { Problem } from '../../../platform/errors.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import { countChildren, findAncestors, findRecords } from '../record-store.js';
import type { StoredRecord } from '../record.js';

/** Maximum children of one record: a response contains them all. */
export const MAX_CHILDREN = 1000;
/** Maximum levels of parents; the check for cycles stops there. */
const MAX_DEPTH = 100;

/** The changes of a record's children in an update. */
export interface FamilyChanges {
  add_child_records: number[];
  remove_child_records: number[];
}

/** The changes to make if there are no problems. Existing children are not added again. */
export interface FamilyPlan {
  added: number[];
  removed: number[];
  problems: Problem[];
}

/** Checks the new children of a record (spec §6.3): they exist, are of its team, have no parent, and make no cycle. */
export async function planFamily(
  actor: Actor,
  parent: StoredRecord,
  changes: Usable<FamilyChanges>,
  session: Session,
): Promise<FamilyPlan> {
  const { add_child_records: wanted = [], remove_child_records: unwanted = [] } = changes;
  const add = wanted.filter(isGiven);
  const remove = unwanted.filter(isGiven);
  const found = await findRecords([...new Set([...add, ...remove])], actor.tenantId, session);
  const known = new Map(
    found.filter(({ teamId }) => canRead(actor, teamId)).map((record) => [record.id, record]),
  );
  const above = add.length === 0 ? [] : await findAncestors(parent.id, MAX_DEPTH, session);
  const line = new Set([parent.id, ...above]);

  const problems = [
    ...wanted.flatMap((id, index) => {
      if (id === undefined) return [];
      const why =
        whyNoChild(known.get(id), parent, line) ??
        (remove.includes(id) ? 'is also being removed' : undefined);
      return why === undefined ? [] : [problem(`add_child_records[${index}]`, `${why}: ${id}`)];
    }),
    ...unwanted.flatMap((id, index) =>
      id === undefined || known.has(id)
        ? []
        : [problem(`remove_child_records[${index}]`, `is not a record: ${id}`)],
    ),
  ];
  const added = [...new Set(add)].filter((id) => known.get(id)?.parentId !== parent.id);
  const removed = [...new Set(remove)].filter((id) => known.get(id)?.parentId === parent.id);
  if (above.length >= MAX_DEPTH) problems.push(problem('add_child_records', 'would be nested too deeply'));
  const children =
    added.length === 0 ? 0 : (await countChildren(parent.id, session)) + added.length - removed.length;
  if (children > MAX_CHILDREN) {
    problems.push(
      problem(
        'add_child_records',
        `result in ${children} children; a record can have at most ${MAX_CHILDREN}`,
      ),
    );
  }
  return { added, removed, problems };
}

function isGiven(id: number | undefined): id is number {
  return id !== undefined;
}

function whyNoChild(
  child: StoredRecord | undefined,
  parent: StoredRecord,
  line: ReadonlySet<number>,
): string | undefined {
  if (child === undefined) return 'is not a record';
  if (child.teamId !== parent.teamId) return 'belongs to another team';
  if (line.has(child.id))
    return child.id === parent.id ? 'is the record itself' : 'has this record among its descendants';
  if (child.parentId !== null && child.parentId !== parent.id) return 'already has a parent';
  return undefined;
}

function problem(details: string, what: string): Problem {
  return { message: `${details} ${what}`, details };
}
