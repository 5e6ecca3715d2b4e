import { type Actor, requireTeam } from '../../api/face.js';
import type { Session } from '../../platform/mysql/session.js';
import type { Problem } from '../../platform/errors.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import { CASE_LIMITS, type StoredCase } from './case.js';
import type { CreateCaseBody, UpdateCaseBody } from './case-input.js';
import { findPeople, type People } from './people/case-people.js';
import { assigneeIds } from './people/case-people-store.js';
import { tagsOf } from './links/case-tag-store.js';
import { formulaProblems } from './closure/closure.js';
import type { ClosureFormulas } from './closure/closure-formulas.js';

/** Dependencies of a plan. A plan writes nothing. */
export interface PlanDeps {
  actor: Actor;
  session: Session;
  formulas: ClosureFormulas;
}

/** The users that a body names, and all problems of the body. */
export interface CasePlan {
  people: People;
  problems: Problem[];
}

/** The items that a list of a case gains and loses. */
export interface ListChange<Item> {
  added: Item[];
  gone: Item[];
}

export interface CaseUpdatePlan extends CasePlan {
  /** By user id. */
  assignees: ListChange<number>;
  /** By name. */
  tags: ListChange<string>;
}

/** @throws NotFound and Forbidden for the team. */
export function planCase(body: Usable<CreateCaseBody>, deps: PlanDeps): Promise<CasePlan> {
  if (body.team_id !== undefined) requireTeam(deps.actor, body.team_id, 'write');
  return planFields(body, deps);
}

/** @throws NotFound and Forbidden for the team that the case moves to. */
export async function planCaseUpdate(
  { id }: Pick<StoredCase, 'id'>,
  body: Usable<UpdateCaseBody>,
  deps: PlanDeps,
): Promise<CaseUpdatePlan> {
  if (body.team_id !== undefined && body.team_id !== null) requireTeam(deps.actor, body.team_id, 'write');
  const { people, problems } = await planFields(body, deps);
  const assignees = planAssignees(await assigneeIds(id, deps.session), body, people);
  const tags = planTags(
    (await tagsOf(id, deps.session)).map(({ name }) => name),
    body,
  );
  const room = [...assignees.problems, ...tags.problems];
  return { people, assignees, tags, problems: [...problems, ...room] };
}

async function planFields(
  body: Usable<UpdateCaseBody>,
  { actor, session, formulas }: PlanDeps,
): Promise<CasePlan> {
  const { author_email, assignee_emails, add_assignee_emails, remove_assignee_emails } = body;
  const emails = { author_email, assignee_emails, add_assignee_emails, remove_assignee_emails };
  const people = await findPeople(emails, actor.tenantId, session);
  const wrong = formulaProblems(body.closure_conditions || [], formulas);
  return { people, problems: [...people.problems, ...wrong] };
}

type Planned<Item> = ListChange<Item> & { problems: Problem[] };

function planAssignees(before: number[], body: Usable<UpdateCaseBody>, people: People): Planned<number> {
  const { assignee_emails: named, add_assignee_emails: more, remove_assignee_emails: less } = body;
  const ids = (emails: typeof named) => people.of(given(emails)).map(({ id }) => id);
  const wanted = named === undefined || named === null ? before : ids(named);
  const removed = new Set(ids(less));
  const after = [...new Set([...wanted, ...ids(more)])].filter((id) => !removed.has(id));
  const added = after.filter((id) => !before.includes(id));
  const tooMany = added.length > 0 && after.length > CASE_LIMITS.assignees;
  return {
    added,
    gone: before.filter((id) => !after.includes(id)),
    problems: tooMany ? [noRoom('add_assignee_emails', CASE_LIMITS.assignees, 'assignees')] : [],
  };
}

function planTags(before: string[], body: Usable<UpdateCaseBody>): Planned<string> {
  const removed = new Set(given(body.remove_tag_names));
  const added = [...new Set(given(body.add_tag_names))].filter(
    (name) => !before.includes(name) && !removed.has(name),
  );
  const gone = before.filter((name) => removed.has(name));
  const tooMany = added.length > 0 && before.length - gone.length + added.length > CASE_LIMITS.tags;
  return { added, gone, problems: tooMany ? [noRoom('add_tag_names', CASE_LIMITS.tags, 'tags')] : [] };
}

/** Returns the texts of a list; an empty list for "" and null. */
function given(list: readonly (string | undefined)[] | '' | null | undefined): string[] {
  return (list || []).filter((item) => item !== undefined);
}

function noRoom(details: string, most: number, what: string): Problem {
  return { message: `A case can have at most ${most} ${what}`, details };
}
