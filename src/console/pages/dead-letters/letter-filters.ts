import { SPANS } from '../runs/run-query.js';

/** Names a group: the story, the action, and the kind of its error. */
export interface GroupName {
  storyId: number;
  actionId: number;
  kind: string;
}

/** The dead letters that are shown; all of it stands in the address. */
export interface LetterFilters {
  /** Part of the error message. */
  error: string;
  story: number | undefined;
  /** A span until now, such as `24h`; empty for any time. */
  span: string;
  group: GroupName | undefined;
  /** The letter of the group that is looked at; undefined: the newest. */
  letter: number | undefined;
}

/** Returns the filters that an address names; what it names wrongly is as absent. */
export function letterFiltersIn(query: string): LetterFilters {
  const given = new URLSearchParams(query);
  const number = (name: string) => {
    const text = given.get(name) ?? '';
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  };
  const storyId = number('of');
  const actionId = number('action');
  const kind = given.get('kind') ?? '';
  return {
    error: given.get('error') ?? '',
    story: number('story'),
    span: Object.hasOwn(SPANS, given.get('span') ?? '') ? (given.get('span') ?? '') : '',
    letter: number('letter'),
    group:
      storyId === undefined || actionId === undefined || kind === ''
        ? undefined
        : { storyId, actionId, kind },
  };
}

/** Returns the path of the page with these filters. */
export function letterPath(filters: Partial<LetterFilters>): string {
  const query = letterQuery(filters);
  return query === '' ? '/dead-letters' : `/dead-letters?${query}`;
}

/** Returns the query that names these filters. */
export function letterQuery({ error = '', story, span = '', group, letter }: Partial<LetterFilters>): string {
  const query = new URLSearchParams();
  if (error !== '') query.set('error', error);
  if (story !== undefined) query.set('story', String(story));
  if (span !== '') query.set('span', span);
  if (group !== undefined) {
    query.set('of', String(group.storyId));
    query.set('action', String(group.actionId));
    query.set('kind', group.kind);
    if (letter !== undefined) query.set('letter', String(letter));
  }
  return query.toString();
}
