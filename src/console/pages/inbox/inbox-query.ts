import type { Input } from '../../../../clients/typescript/client.js';
import type { InboxEntry } from '../../../../clients/typescript/api.js';

/** The kinds of entries with their words, in the order of the filter. */
export const KIND_WORDS: Record<InboxEntry['kind'], string> = {
  failures: 'Failures',
  held: 'Held work',
  quota: 'Quotas',
  schedule: 'Schedules',
  webhook: 'Refused webhooks',
  credential: 'Credentials',
  repository: 'Git repositories',
  api_key: 'API keys',
};

/** Entries by whether they are snoozed or have ended. */
export const STATES = {
  OPEN: 'Open',
  SNOOZED: 'Snoozed',
  ALL: 'Open and snoozed',
  CLOSED: 'Closed',
} as const;

/** Entries by the person they are assigned to. */
export const PEOPLE = {
  '': 'Anyone',
  me: 'Mine',
  nobody: 'Unassigned',
} as const;

/** The entries that are shown; all of it stands in the address. */
export interface InboxFilters {
  kind: InboxEntry['kind'] | '';
  who: keyof typeof PEOPLE;
  state: keyof typeof STATES;
  /** A part of what an entry says. */
  search: string;
}

/** Returns the filters that an address names; what it names wrongly is as absent. */
export function inboxFiltersIn(query: URLSearchParams): InboxFilters {
  return {
    kind: keyIn<InboxEntry['kind'] | ''>({ ...KIND_WORDS, '': 'All kinds' }, query.get('kind'), ''),
    who: keyIn(PEOPLE, query.get('who'), ''),
    state: keyIn(STATES, query.get('state')?.toUpperCase(), 'OPEN'),
    search: query.get('search') ?? '',
  };
}

/** Whether less than everything open is shown. */
export const isFiltered = ({ kind, who, search }: InboxFilters): boolean =>
  kind !== '' || who !== '' || search !== '';

/** Returns what the server is asked for. A search looks at what has come. */
export function inboxInput(
  { kind, who, state }: Omit<InboxFilters, 'search'>,
  me: number,
): Input<'inbox.list'> {
  return {
    state,
    ...(kind !== '' && { kind }),
    ...(who === 'me' && { assignee_id: me }),
    ...(who === 'nobody' && { assigned: false }),
  };
}

/** Returns the entries that have a text in what they say or in the names of their story and action. */
export function foundIn(entries: readonly InboxEntry[], search: string): readonly InboxEntry[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return entries;
  return entries.filter(({ title, detail, story, action, queue, assignee }) =>
    [title, detail, story?.name, action?.name, queue, assignee?.name].some(
      (text) => text?.toLowerCase().includes(wanted) === true,
    ),
  );
}

function keyIn<Key extends string>(
  known: Record<Key, string>,
  text: string | null | undefined,
  usual: Key,
): Key {
  return text !== null && text !== undefined && Object.hasOwn(known, text) ? (text as Key) : usual;
}
