import type { LiveEventBatch, LiveEventCounts, LiveEvent } from '../../api/face.js';

/** Live events of one story, and of all stories, between two writes; more are only counted. */
const MOST_OF_STORY = 20;
const MOST_OF_ALL = 100;
/** Changed cases of all tenants between two writes, and changed audit logs. */
const MOST_CASES = 40;
const MOST_AUDIT_LOGS = 200;
/** Stories that are counted between two writes. */
const MOST_STORIES = 500;

/** Live events that wait for the next write. */
export interface LiveEventBuffer {
  /** Adds an item, or counts it as omitted. */
  add(item: LiveEvent): void;
  /** Adds to the numbers of a story. */
  count(storyId: number, numbers: Partial<LiveEventCounts>): void;
  /** Returns what has gathered; undefined: nothing. */
  take(at: number): LiveEventBatch | undefined;
  /** Counts a batch that could not be written. */
  lose(batch: LiveEventBatch): void;
}

/** Gathers live events within bounds: one story cannot crowd out the others. */
export function gatherLiveEvents(): LiveEventBuffer {
  let items: LiveEvent[] = [];
  let lost = 0;
  let sums = new Map<number, LiveEventCounts & { items: number }>();
  let cases = new Map<string, LiveEvent>();
  let auditLogs = new Map<number, LiveEvent>();

  /** Several changes of a thing within a moment are one live event. */
  const addOnce = <Key>(
    known: Map<Key, LiveEvent>,
    key: Key,
    { item, most }: { item: LiveEvent; most: number },
  ) => {
    if (known.has(key) || known.size < most) known.set(key, item);
    else lost += 1;
  };
  const sumOf = (storyId: number) => {
    const known = sums.get(storyId);
    if (known !== undefined) return known;
    if (sums.size >= MOST_STORIES) return undefined;
    const sum = { runsStarted: 0, events: 0, deadLetters: 0, omitted: 0, items: 0 };
    sums.set(storyId, sum);
    return sum;
  };
  return {
    add(item) {
      if (item.kind === 'case_changed') {
        return addOnce(cases, `${item.caseId} ${item.of.teamId}`, { item, most: MOST_CASES });
      }
      if (item.kind === 'audit_log_changed') {
        return addOnce(auditLogs, item.of.tenantId, { item, most: MOST_AUDIT_LOGS });
      }
      const sum = sumOf(item.storyId);
      if (sum === undefined) lost += 1;
      else if (sum.items >= MOST_OF_STORY || items.length >= MOST_OF_ALL) sum.omitted += 1;
      else {
        sum.items += 1;
        items.push(item);
      }
    },
    count(storyId, { runsStarted = 0, events = 0, deadLetters = 0 }) {
      const sum = sumOf(storyId);
      if (sum === undefined) lost += 1;
      else {
        sum.runsStarted += runsStarted;
        sum.events += events;
        sum.deadLetters += deadLetters;
      }
    },
    take(at) {
      const counted = [...sums].flatMap(([storyId, { items: _items, ...counts }]) =>
        Object.values(counts).some((number) => number > 0)
          ? [{ kind: 'counts' as const, storyId, at, ...counts }]
          : [],
      );
      const batch = { items: [...items, ...cases.values(), ...auditLogs.values(), ...counted], lost };
      items = [];
      sums = new Map();
      cases = new Map();
      auditLogs = new Map();
      lost = 0;
      return batch.items.length === 0 && batch.lost === 0 ? undefined : batch;
    },
    lose: (batch) => void (lost += batch.items.length + batch.lost),
  };
}
