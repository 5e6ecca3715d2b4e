import type { Run } from '../../../../clients/typescript/api.js';

/** How a run may have ended, or that it goes on; `warnings`: completed, although a step has errors in its log. */
export type RunState = Run['status'] | 'warnings';

/** The runs that are asked for; all of it stands in the address, so it can be sent to others and gone back to. */
export interface RunFilters {
  story: number | undefined;
  status: '' | RunState;
  source: '' | Run['source'];
  /** A span until now, such as `24h`; empty for any time. */
  span: string;
  /** Runs from this time on and before that one, as the API writes them; empty for any. They count instead of the span. */
  since: string;
  until: string;
  path: string;
  value: string;
  /** Runs of drafts instead of live ones. */
  drafts: boolean;
}

/** The spans to choose from, in hours. */
export const SPANS: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };
/** The states to choose from. */
export const STATES: readonly RunState[] = ['running', 'completed', 'warnings', 'failed', 'cancelled'];
/** How a run may have begun. */
export const SOURCES: readonly Run['source'][] = ['webhook', 'api', 'schedule', 'send_to_story'];

const HOUR_MS = 60 * 60_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

/** Returns the filters that an address names; what it names wrongly is as absent. */
export function filtersIn(query: string): RunFilters {
  const given = new URLSearchParams(query);
  const text = (name: string) => given.get(name) ?? '';
  const oneOf = <Word extends string>(name: string, words: readonly Word[]): Word | '' =>
    words.find((word) => word === text(name)) ?? '';
  return {
    story: /^[1-9]\d{0,14}$/.test(text('story')) ? Number(text('story')) : undefined,
    status: oneOf('status', STATES),
    source: oneOf('source', SOURCES),
    span: oneOf('span', Object.keys(SPANS)),
    since: timeIn(text('since')),
    until: timeIn(text('until')),
    path: text('path'),
    value: text('value'),
    drafts: text('drafts') === 'true',
  };
}

const timeIn = (text: string) => (TIME.test(text) && !Number.isNaN(Date.parse(text)) ? text : '');

/** Returns the address of the list with these filters: a time of the day, a story, a status. */
export function runsPath(filters: Partial<RunFilters>): string {
  const query = queryOf({ ...filtersIn(''), ...filters });
  return query === '' ? '/runs' : `/runs?${query}`;
}

/** Returns the query of an address; it names only what differs from all runs. */
export function queryOf(filters: RunFilters): string {
  const named = Object.entries(filters).filter(([, value]) => !isUsual(value));
  return new URLSearchParams(
    named.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

/** Returns the parameter of the API for a span until now, which is in milliseconds. */
export function sinceInput(span: string, now = Date.now()) {
  const hours = SPANS[span];
  return hours === undefined ? {} : { since: new Date(now - hours * HOUR_MS).toISOString() };
}

/** Returns the parameters of the API for filters; `now` in milliseconds. */
export function inputOf(filters: RunFilters, now: number) {
  const { story, status, source, span, since, until, path, value, drafts } = filters;
  return {
    ...(story !== undefined && { story_id: story }),
    ...stateInput(status),
    ...(source !== '' && { source }),
    ...(since === '' && until === '' ? sinceInput(span, now) : {}),
    ...(since !== '' && { since }),
    ...(until !== '' && { until }),
    ...(path !== '' && { path }),
    ...(value !== '' && { value }),
    ...(drafts && { story_mode: 'TEST' as const }),
  };
}

function stateInput(state: RunFilters['status']) {
  if (state === '') return {};
  return state === 'warnings' ? { status: 'completed' as const, warnings: true as const } : { status: state };
}

const isUsual = (value: unknown) => value === undefined || value === '' || value === false;
