import type {
  MetricsHistoryPoint,
  MetricsHistoryProvider,
  MetricsHistoryQuery,
} from '@bull-board/api/typings/app';
import { LRUCache } from 'lru-cache';
import { findAgentType } from '../../../agents/face.js';
import { messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import { sumByType, type TypeHour } from '../../../observe/face.js';

export interface BoardHistoryDeps {
  database: Pick<Database, 'read'>;
  logger: Logger;
}

/** Tells readers of a queue what its charts of days count. */
export const HISTORY_NOTE =
  'Daily charts count stored events and permanent failures; minute charts count jobs.';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The board asks for 90 days at most; statistics may be kept longer. */
const MOST_DAYS = 92;
/** A chart waits for sums this long; days that are not read by then come with the next request. */
const PATIENCE_MS = 1_500;
/** Sums of the last two days still change; older ones only while the counter is far behind. */
const FRESH_MS = 10_000;
const SETTLED_MS = HOUR_MS;

/**
 * Creates the board's history, from the sums that statistics count by hour. A day is read once an hour, however many pages
 * are open. While MySQL is unreachable the days that were read before are shown.
 */
export function createBoardHistory({ database, logger }: BoardHistoryDeps): MetricsHistoryProvider {
  const days = new LRUCache<number, TypeHour[]>({
    max: MOST_DAYS,
    ttl: SETTLED_MS,
    allowStale: true,
    noDeleteOnStaleGet: true,
  });
  let reading: Promise<void> = Promise.resolve();

  const readDays = async (wanted: number[], until: number): Promise<void> => {
    for (const day of wanted) {
      if (days.has(day)) continue;
      if (performance.now() > until) return;
      const range = { from: new Date(day), to: new Date(day + DAY_MS) };
      const sums = await database.read((session) => sumByType(session, range));
      days.set(day, sums, { ttl: Date.now() - day < 2 * DAY_MS ? FRESH_MS : SETTLED_MS });
    }
  };
  /** One request reads at a time: the others then find its days. */
  const fill = async (wanted: number[]): Promise<void> => {
    const until = performance.now() + PATIENCE_MS;
    const mine = reading.then(() => readDays(wanted, until));
    reading = mine.catch(() => undefined);
    try {
      await withTimeout(mine, PATIENCE_MS);
    } catch (error) {
      logger.debug('the queue board history is incomplete', { error: messageOf(error) });
    }
  };

  return {
    async getHistory(query) {
      const count = counterOf(query);
      if (count === undefined) return [];
      const wanted = daysOf(query);
      await fill(wanted);
      const sums = wanted.flatMap((day) => days.get(day) ?? []);
      return pointsOf(sums, query, count);
    },
  };
}

/** Returns what is counted for a metric; undefined for one that statistics do not have. */
function counterOf({ metric }: MetricsHistoryQuery): ((sums: TypeHour) => number) | undefined {
  if (metric === 'completed') return ({ events, handledFailures }) => events - handledFailures;
  if (metric === 'failed') return ({ deadLetters, handledFailures }) => deadLetters + handledFailures;
  return undefined;
}

/** Returns the starts of the days (UTC) of a query, newest first. */
function daysOf({ from, to }: MetricsHistoryQuery): number[] {
  const now = Date.now();
  const last = floor(Math.min(to, now), DAY_MS);
  const first = Math.max(floor(from, DAY_MS), floor(now, DAY_MS) - (MOST_DAYS - 1) * DAY_MS);
  const count = Math.max(0, (last - first) / DAY_MS + 1);
  return Array.from({ length: count }, (_, index) => last - index * DAY_MS);
}

function pointsOf(
  sums: TypeHour[],
  { queue, from, to, granularity }: MetricsHistoryQuery,
  count: (sums: TypeHour) => number,
): MetricsHistoryPoint[] {
  const step = granularity === 'hour' ? HOUR_MS : DAY_MS;
  const first = floor(from, step);
  const points = new Map<number, number>();
  for (const hour of sums) {
    const ts = floor(hour.hour, step);
    if (ts < first || ts > to || (queue !== undefined && queueOf(hour.type) !== queue)) continue;
    points.set(ts, (points.get(ts) ?? 0) + count(hour));
  }
  return [...points].map(([ts, value]) => ({ ts, value })).toSorted((a, b) => a.ts - b.ts);
}

/** Returns the queue of a type; undefined for webhooks, whose calls have no job. */
function queueOf(type: string): string | undefined {
  return findAgentType(type)?.queue;
}

function floor(ms: number, step: number): number {
  return Math.floor(ms / step) * step;
}
