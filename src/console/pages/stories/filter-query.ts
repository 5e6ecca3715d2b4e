/** The order of the list, by the names of the API. */
export type Order = 'RECENTLY_EDITED' | 'NAME' | 'ACTION_COUNT_DESC';

/** The list that is asked for; all of it stands in the address, so it can be sent to others and gone back to. */
export interface StoryFilters {
  search: string;
  folder: number | undefined;
  tag: string;
  kind:
    | ''
    | 'DISABLED'
    | 'HIGH_PRIORITY'
    | 'LOCKED'
    | 'SEND_TO_STORY_ENABLED'
    | 'CHANGE_CONTROL_ENABLED'
    | 'STARRED';
  order: Order;
  page: number;
}

const ORDERS: readonly string[] = ['RECENTLY_EDITED', 'NAME', 'ACTION_COUNT_DESC'];
const KINDS: readonly string[] = [
  'DISABLED',
  'HIGH_PRIORITY',
  'LOCKED',
  'SEND_TO_STORY_ENABLED',
  'CHANGE_CONTROL_ENABLED',
  'STARRED',
];

/** Returns the filters that an address names; what it names wrongly is as absent. */
export function filtersIn(query: string): StoryFilters {
  const given = new URLSearchParams(query);
  const order = given.get('order') ?? '';
  const kind = given.get('kind') ?? '';
  return {
    search: given.get('search') ?? '',
    folder: wholeNumber(given.get('folder')),
    tag: given.get('tag') ?? '',
    kind: (KINDS.includes(kind) ? kind : '') as StoryFilters['kind'],
    order: (ORDERS.includes(order) ? order : 'RECENTLY_EDITED') as Order,
    page: wholeNumber(given.get('page')) ?? 1,
  };
}

/** Returns the query of an address; it names only what differs from the usual list. */
export function queryOf(filters: StoryFilters): string {
  const { order, page, ...rest } = filters;
  const given = {
    ...rest,
    order: order === 'RECENTLY_EDITED' ? '' : order,
    page: page === 1 ? '' : page,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.toString();
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
