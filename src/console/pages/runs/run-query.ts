import type { Run } from '../../../../clients/typescript/api.js';

/** The runs that are asked for; all of it stands in the address, so it can be sent to others and gone back to. */
export interface RunFilters {
  story: number | undefined;
  status: '' | Run['status'];
  source: '' | Run['source'];
  /** A span until now, such as `24h`; empty for any time. */
  span: string;
  path: string;
  value: string;
  /** Runs of drafts instead of live ones. */
  drafts: boolean;
}

/** The spans to choose from, in hours. */
export const SPANS: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };
/** How a run may have ended, or that it goes on. */
export const STATUSES: readonly Run['status'][] = ['running', 'completed', 'failed', 'cancelled'];
/** How a run may have begun. */
export const SOURCES: readonly Run['source'][] = ['webhook', 'api', 'schedule', 'send_to_story'];

const HOUR_MS = 60 * 60_000;

/** Returns the filters that an address names; what it names wrongly is as absent. */
export function filtersIn(query: string): RunFilters {
  const given = new URLSearchParams(query);
  const text = (name: string) => given.get(name) ?? '';
  const oneOf = <Word extends string>(name: string, words: readonly Word[]): Word | '' =>
    words.find((word) => word === text(name)) ?? '';
  return {
    story: /^[1-9]\d{0,14}$/.test(text('story')) ? Number(text('story')) : undefined,
    status: oneOf('status', STATUSES),
    source: oneOf('source', SOURCES),
    span: oneOf('span', Object.keys(SPANS)),
    path: text('path'),
    value: text('value'),
    drafts: text('drafts') === 'true',
  };
}

/** Returns the query of an address; it names only what differs from all runs. */
export function queryOf(filters: RunFilters): string {
  const named = Object.entries(filters).filter(([, value]) => !isUsual(value));
  return new URLSearchParams(
    named.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

/** Returns the parameters of the API for filters; `now` in milliseconds. */
export function inputOf(filters: RunFilters, now: number) {
  const { story, status, source, span, path, value, drafts } = filters;
  const hours = SPANS[span];
  return {
    ...(story !== undefined && { story_id: story }),
    ...(status !== '' && { status }),
    ...(source !== '' && { source }),
    ...(hours !== undefined && { since: new Date(now - hours * HOUR_MS).toISOString() }),
    ...(path !== '' && { path }),
    ...(value !== '' && { value }),
    ...(drafts && { story_mode: 'TEST' as const }),
  };
}

const isUsual = (value: unknown) => value === undefined || value === '' || value === false;
