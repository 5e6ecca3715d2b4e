import type { JsonObject } from '../../../platform/json.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import {
  CASE_PAGE,
  type CaseAction,
  type CaseActivity,
  type CaseRecord,
  type CaseUser,
  type CaseView,
  type LinkedCase,
} from '../case.js';

/** Returns a case as responses, notifications and formulas show it (spec §7.1). `baseUrl` has no trailing slash. */
export function presentCase(view: CaseView, baseUrl: string): JsonObject {
  const { stored } = view;
  const api = `${baseUrl}/api/v2/cases/${stored.id}`;
  return {
    case_id: stored.id,
    name: stored.name,
    description: stored.description,
    status: stored.status,
    priority: stored.priority,
    url: caseUrl(stored.id, baseUrl),
    metadata: stored.metadata,
    author: presentUser(view.author),
    ...presentActing(view.authorSetBy, view.author),
    opened_by: presentUser(view.openedBy),
    resolved_by: presentUser(view.resolvedBy),
    assignees: view.assignees.map(presentUser),
    tags: view.tags.map(({ id, name }) => ({ id, name })),
    activities: view.activities.map(presentCaseActivity),
    activities_meta: firstPage(`${api}/activities`, view.activityCount),
    team: { id: stored.teamId, name: view.teamName },
    actions: view.actions.map(presentAction),
    linked_cases: view.linkedCases.map(presentLinkedCase),
    opened_at: presentTime(stored.openedAt),
    resolved_at: presentTime(stored.resolvedAt),
    created_at: timestamp(stored.createdAt),
    updated_at: timestamp(stored.updatedAt),
    records: presentRecordGroups(view.records),
    records_meta: firstPage(`${api}/records`, view.recordCount),
    closure_conditions: stored.closureConditions.map(({ name, formula }) => ({ name, formula })),
  };
}

/** Returns the URL of the case's page (spec §7.1). */
export function caseUrl(id: number, baseUrl: string): string {
  return `${baseUrl}/cases/${id}`;
}

/** Returns a user as cases show it: the id is a string (spec §1.4). */
export function presentUser(user: CaseUser | undefined) {
  if (user === undefined) return null;
  return {
    user_id: String(user.id),
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    avatar_url: user.avatarUrl,
    is_service_account: user.isServiceAccount,
  };
}

export function presentCaseActivity(activity: CaseActivity) {
  return {
    id: activity.id,
    activity_type: activity.activityType,
    value: activity.value,
    user: presentUser(activity.user),
    ...presentActing(activity.actingUser, activity.user),
    created_at: timestamp(activity.createdAt),
  };
}

/** Returns the acting user and the user it acted for; an empty object if both are the same. */
function presentActing(actingUser: CaseUser | undefined, named: CaseUser | undefined) {
  if (actingUser === undefined) return {};
  return { acting_user: presentUser(actingUser), on_behalf_of: presentUser(named) };
}

/** An action without a text has the four keys of the specification. */
export function presentAction({ id, url, label, actionType, actionText }: CaseAction) {
  const action = { id, url, label, action_type: actionType };
  return actionText === null ? action : { ...action, action_text: actionText };
}

export function presentLinkedCase({ id, name, teamId }: LinkedCase) {
  return { case_id: id, name, team_id: teamId };
}

/** Groups records by type; types are in the order of their first record. */
export function presentRecordGroups(records: CaseRecord[]) {
  const groups = new Map<number, CaseRecord[]>();
  for (const record of records) {
    groups.set(record.recordTypeId, [...(groups.get(record.recordTypeId) ?? []), record]);
  }
  return [...groups].map(([id, members]) => ({
    record_type_id: id,
    record_type_name: members[0]?.recordTypeName ?? '',
    record_type_record_results: members.map(presentRecord),
  }));
}

/** Returns one record with its type. */
export function presentOneRecord(record: CaseRecord) {
  const { recordTypeId: id, recordTypeName: name } = record;
  return { record: { ...presentRecord(record), record_type: { id, name } } };
}

function presentRecord(record: CaseRecord) {
  return {
    id: record.id,
    results: record.values.map(({ fieldId, name, value }) => ({ id: fieldId, name, value })),
    created_at: timestamp(record.createdAt),
  };
}

function presentTime(time: Date | null): string | null {
  return time === null ? null : timestamp(time);
}

/** Returns the pagination object of a list inside a case: the first page, and the URL of the next one. */
function firstPage(address: string, count: number) {
  const pages = Math.max(1, Math.ceil(count / CASE_PAGE));
  const page = (number: number) => `${address}?page=${number}&per_page=${CASE_PAGE}`;
  return {
    current_page: page(1),
    previous_page: null,
    next_page: pages > 1 ? page(2) : null,
    next_page_number: pages > 1 ? 2 : null,
    per_page: CASE_PAGE,
    pages,
    count,
  };
}
