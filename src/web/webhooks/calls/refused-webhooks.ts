import type { Database } from '../../../platform/mysql/database.js';
import type { CallLog, KnownCalls } from './call-log.js';
import { type TeamWebhook, findTeamWebhooks } from './called-story-store.js';
import { KEPT_CALLS } from './pending-calls.js';
import type { RefusalReason } from './refusal-reason.js';

/** A webhook that has refused a call within a day. */
export interface RefusedWebhook extends Pick<TeamWebhook, 'id' | 'name' | 'teamId'> {
  story: { id: number; name: string };
  count: number;
  /** There may be more: only the last calls are known. */
  isAtLeast: boolean;
  reasons: [RefusalReason, number][];
  /** The first and the last refusal that are counted. */
  firstAt: Date;
  lastAt: Date;
}

/** The teams that are asked for. */
interface TeamScope {
  tenantId: number;
  teamIds: readonly number[];
}

/** Webhooks whose refused calls are counted: those that were called last. */
const MOST_COUNTED = 1_000;
const DAY_MS = 86_400_000;

/** Returns up to `limit` webhooks of teams that have refused calls within a day, those with most first. @throws if Redis does not reply. */
export type ReadRefusedWebhooks = (scope: TeamScope, limit: number) => Promise<RefusedWebhook[]>;

/** Creates the reader of refused calls. A client that left is nobody's fault, and is not counted. */
export function createRefusedWebhooks({
  database,
  log,
}: {
  database: Pick<Database, 'read'>;
  log: Pick<CallLog, 'called' | 'countRefused' | 'read'>;
}): ReadRefusedWebhooks {
  return async (scope, limit) => {
    const called = await log.called();
    if (called.length === 0) return [];
    const webhooks = await database.read((session) => findTeamWebhooks(session, called, scope));
    const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    const counts = await log.countRefused(called.filter((id) => byId.has(id)).slice(0, MOST_COUNTED));
    const refusing = [...counts].filter(([, count]) => count > 0).map(([id]) => id);
    const found = [...(await log.read(refusing))].flatMap(([id, known]) => {
      const webhook = byId.get(id);
      const refusals = refusalsIn(known);
      if (webhook === undefined || refusals === undefined) return [];
      const { name, teamId, storyId, storyName } = webhook;
      return [{ id, name, teamId, story: { id: storyId, name: storyName }, ...refusals }];
    });
    return found.toSorted((a, b) => b.count - a.count).slice(0, limit);
  };
}

/**
 * The kept refusals are all of the last day, unless there are too many to keep. Then the counters tell, if they began within
 * the day: calls keep them for longer.
 */
function refusalsIn({
  refused,
  counts,
}: KnownCalls): Pick<RefusedWebhook, 'count' | 'isAtLeast' | 'reasons' | 'firstAt' | 'lastAt'> | undefined {
  const kept = refused.filter(({ reason }) => reason !== 'client_gone');
  const [newest] = kept;
  const oldest = kept.at(-1);
  if (newest === undefined || oldest === undefined) return undefined;
  const lastAt = new Date(newest.at);
  const isFull = refused.length >= KEPT_CALLS;
  if (!isFull || counts === undefined || counts.since.getTime() < Date.now() - DAY_MS) {
    const reasons = new Map<RefusalReason, number>();
    for (const { reason } of kept) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const firstAt = new Date(oldest.at);
    return { count: kept.length, isAtLeast: isFull, reasons: [...reasons], firstAt, lastAt };
  }
  const all = Object.entries(counts.refused) as [RefusalReason, number][];
  const reasons = all.filter(([reason]) => reason !== 'client_gone');
  const count = reasons.reduce((sum, [, n]) => sum + n, 0);
  return { count, isAtLeast: false, reasons, firstAt: counts.since, lastAt };
}
