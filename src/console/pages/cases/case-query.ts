import type { Case } from '../../../../clients/typescript/api.js';
import type { Input } from '../../../../clients/typescript/client.js';

/** The orders to choose from, by the names of the API. */
export const ORDERS = ['UPDATED_AT_DESC', 'CREATED_AT_DESC', 'PRIORITY_DESC', 'NAME_ASC'] as const;
/** How a case may stand. */
export const STATUSES: readonly Case['status'][] = ['OPEN', 'CLOSED'];
/** The most urgent first. */
export const PRIORITIES: readonly Case['priority'][] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'];

/** The cases that are asked for; all of it stands in the address, so it can be sent to others and gone back to. */
export interface CaseFilters {
  view: 'list' | 'board';
  search: string;
  status: '' | Case['status'];
  priority: '' | Case['priority'];
  team: number | undefined;
  /** The address of a user. */
  assignee: string;
  tag: string;
  order: (typeof ORDERS)[number];
  page: number;
}

/** Returns the filters that an address names; what it names wrongly is as absent. */
export function caseFiltersIn(query: string): CaseFilters {
  const given = new URLSearchParams(query);
  const text = (name: string) => given.get(name) ?? '';
  const oneOf = <Word extends string>(name: string, words: readonly Word[]): Word | undefined =>
    words.find((word) => word === text(name));
  return {
    view: oneOf('view', ['board']) ?? 'list',
    search: text('search'),
    status: oneOf('status', STATUSES) ?? '',
    priority: oneOf('priority', PRIORITIES) ?? '',
    team: idIn(text('team')),
    assignee: text('assignee'),
    tag: text('tag'),
    order: oneOf('order', ORDERS) ?? ORDERS[0],
    page: idIn(text('page')) ?? 1,
  };
}

/** Returns the path of the list that filters name; it names only what differs from the usual list. */
export function casesPath(filters: CaseFilters): string {
  const usual = caseFiltersIn('');
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value !== usual[name as keyof CaseFilters]) query.set(name, String(value));
  }
  return query.size === 0 ? '/cases' : `/cases?${query}`;
}

/** Whether filters leave cases out; the view, the order and the page do not. */
export function isNarrowed({ search, status, priority, team, assignee, tag }: CaseFilters): boolean {
  return team !== undefined || [search, status, priority, assignee, tag].some((text) => text !== '');
}

/** Returns the parameters of the API for filters. */
export function inputOf(filters: CaseFilters): Input<'cases.list'> {
  const { search, status, priority, team, assignee, tag, order, page } = filters;
  return {
    ...(search !== '' && { search }),
    ...(status !== '' && { status }),
    ...(priority !== '' && { priority }),
    ...(team !== undefined && { team_id: team }),
    ...(assignee !== '' && { assignee_email: assignee }),
    ...(tag !== '' && { tag }),
    order,
    page,
  };
}

function idIn(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
