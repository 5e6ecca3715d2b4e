import { filtersIn } from '../runs/run-query.js';

/** The events that are asked for; all of it stands in the address. */
export interface EventFilters {
  story: number | undefined;
  action: number | undefined;
  /** A span until now, such as `24h`; empty for any time. */
  span: string;
  /** Events from this time on and before that one; empty for any. They count instead of the span. */
  since: string;
  until: string;
  path: string;
  value: string;
  /** The event with which a chosen one is compared; it narrows nothing. */
  compare: number | undefined;
}

/** Returns the filters that an address names; what it names wrongly is as absent. */
export function eventFiltersIn(query: string): EventFilters {
  const given = new URLSearchParams(query);
  const id = (name: string) => {
    const text = given.get(name) ?? '';
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  };
  const { span, since, until } = filtersIn(query);
  return {
    story: id('story'),
    action: id('action'),
    span,
    since,
    until,
    path: given.get('path') ?? '',
    value: given.get('value') ?? '',
    compare: id('compare'),
  };
}

/** Whether any filter narrows the list. */
export const isNarrowed = (filters: EventFilters): boolean =>
  eventQueryOf({ ...filters, compare: undefined }) !== '';

/** Returns the query of an address; it names only what is filtered. */
export function eventQueryOf(filters: EventFilters): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(
    named.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}
