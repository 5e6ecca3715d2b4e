import type { StreamEvent } from '../../../clients/typescript/api.js';
import type { Kind } from './keys.js';

/** One event of the stream. */
export interface LiveEvent {
  kind: StreamEvent['event'];
  data: StreamEvent['data'];
}

/**
 * Kinds of responses to ask for again, by the kind of live event: those about the same story or case, and lists. The inbox
 * gathers from everywhere, so it is read at intervals alone.
 */
const MADE_OLD: Partial<Record<LiveEvent['kind'], readonly Kind[]>> = {
  run_ended: ['runs', 'stats', 'activity'],
  counts: ['activity', 'stats'],
  log: ['logs'],
  dead_letter: ['dead-letters', 'canaries', 'status', 'activity', 'queues'],
  case_changed: ['cases'],
  audit_log_changed: ['audit'],
  story_changed: ['stories', 'story', 'drafts', 'graph', 'activity', 'schedules', 'versions', 'tests'],
};

/** Returns what tells by its key whether a response is made old by these live events. */
export function agedBy(all: readonly LiveEvent[]): (key: readonly unknown[]) => boolean {
  // From a resync on, nothing is missed: what was read before may lack something.
  if (all.some(({ kind }) => kind === 'resync')) return () => true;
  const ids = new Map<unknown, Set<unknown>>();
  for (const { kind, data } of all) {
    for (const aged of MADE_OLD[kind] ?? []) {
      ids.set(aged, (ids.get(aged) ?? new Set()).add(data.story_id ?? data.case_id));
    }
  }
  return ([kind, id]) => {
    const concerned = ids.get(kind);
    // Live events without an id concern all of the kind, and answers about several things are concerned by all of it.
    return concerned !== undefined && (id === null || concerned.has(undefined) || concerned.has(id));
  };
}
