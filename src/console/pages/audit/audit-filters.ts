import type { Input } from '../../../../clients/typescript/client.js';
import { numberIn } from '../../ui/browser/use-address.js';
import { SPANS } from '../runs/run-query.js';

/** The entries that are asked for; all of it stands in the address, so it can be sent to others. */
export interface AuditFilters {
  user: number | undefined;
  /** Type and verb: `story.update`. */
  action: string;
  /** The type of the changed thing, and its id. */
  type: string;
  target: number | undefined;
  team: number | undefined;
  /** A span until now, such as `24h`; empty for any time. */
  span: string;
  page: number;
}

const PAGE = 50;
const HOUR_MS = 60 * 60_000;

/** Returns the filters that the query of an address names; what it names wrongly is as absent. */
export function filtersIn(query: URLSearchParams): AuditFilters {
  const span = query.get('span') ?? '';
  return {
    user: numberIn(query, 'user'),
    action: query.get('action') ?? '',
    type: query.get('type') ?? '',
    target: numberIn(query, 'target'),
    team: numberIn(query, 'team'),
    span: Object.hasOwn(SPANS, span) ? span : '',
    page: numberIn(query, 'page') ?? 1,
  };
}

/** Whether any filter narrows the list. */
export function isNarrowed(filters: AuditFilters): boolean {
  return Object.entries(filters).some(
    ([name, value]) => name !== 'page' && value !== undefined && value !== '',
  );
}

/** Returns the parameters of the API for filters; `now` in milliseconds. */
export function inputOf(filters: AuditFilters, now: number): Input<'auditLogs.list'> {
  const { user, action, type, target, team, span, page } = filters;
  const hours = SPANS[span];
  return {
    page,
    per_page: PAGE,
    ...(user !== undefined && { user_id: [user] }),
    ...(action !== '' && { action: [action] }),
    ...(type !== '' && { target_type: type }),
    ...(target !== undefined && { target_id: target }),
    ...(team !== undefined && { team_id: team }),
    ...(hours !== undefined && { from: new Date(now - hours * HOUR_MS).toISOString() }),
  };
}
