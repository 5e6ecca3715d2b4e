/** The schedules that are shown; the choice stands in the address. */
export interface Shown {
  view: 'week' | 'list';
  /** Weeks from now. */
  week: number;
  /** The page of the list. */
  page: number;
  /** A part of the name of an action or a story. */
  search: string;
  story: number | undefined;
  /** Whether those that start nothing are left out. */
  onlyOn: boolean;
}

/** The server tells starts up to 31 days from now. */
export const LAST_WEEK = 3;

const USUAL: Shown = { view: 'week', week: 0, page: 1, search: '', story: undefined, onlyOn: false };

/** Returns what an address names; what it names wrongly is as absent. */
export function shownIn(query: string): Shown {
  const given = new URLSearchParams(query);
  const number = (name: string) => {
    const text = given.get(name) ?? '';
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  };
  return {
    view: given.get('view') === 'list' ? 'list' : 'week',
    week: Math.min(number('week') ?? 0, LAST_WEEK),
    page: number('page') ?? 1,
    search: given.get('search') ?? '',
    story: number('story'),
    onlyOn: given.get('onlyOn') === 'true',
  };
}

/** Returns the query of an address; it names only what differs from the usual. */
export function queryOf(shown: Shown): string {
  const named = (Object.keys(USUAL) as (keyof Shown)[])
    .filter((name) => shown[name] !== USUAL[name])
    .map((name): [string, string] => [name, String(shown[name])]);
  return new URLSearchParams(named).toString();
}
