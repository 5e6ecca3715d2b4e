import type { Database } from '../../../platform/mysql/database.js';
import type { CallLog, KnownCalls } from './call-log.js';
import { type TeamWebhook, findTeamWebhooks } from './called-story-store.js';
import { KEPT_CALLS } from './pending-calls.js';
import type { RefusalReason } from './refusal-reason.js';

/** A webhook that has refused a call within a day. */
export interface RefusedWebhook extends Pick<TeamWebhook, 'id' | 'name' | 'teamId'> {
  story: { id: number; name: string };
  count: number;
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
    const most = [...counts]
      .filter(([, count]) => count > 0)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, limit);
    const calls = await log.read(most.map(([id]) => id));
    return most.flatMap(([id]) => {
      const webhook = byId.get(id);
      const known = calls.get(id);
      const refusals = known && refusalsIn(known);
      if (webhook === undefined || refusals === undefined) return [];
      const { name, teamId, storyId, storyName } = webhook;
      return [{ id, name, teamId, story: { id: storyId, name: storyName }, ...refusals }];
    });
  };
}

/** The kept refusals are all of the last day, unless there are too many to keep; then the counters tell. */
function refusalsIn({
  refused,
  counts,
}: KnownCalls): Pick<RefusedWebhook, 'count' | 'reasons' | 'firstAt' | 'lastAt'> | undefined {
  const kept = refused.filter(({ reason }) => reason !== 'client_gone');
  const [newest] = kept;
  const oldest = kept.at(-1);
  if (newest === undefined || oldest === undefined) return undefined;
  const lastAt = new Date(newest.at);
  if (refused.length < KEPT_CALLS || counts === undefined) {
    const reasons = new Map<RefusalReason, number>();
    for (const { reason } of kept) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    return { count: kept.length, reasons: [...reasons], firstAt: new Date(oldest.at), lastAt };
  }
  const all = Object.entries(counts.refused) as [RefusalReason, number][];
  const reasons = all.filter(([reason]) => reason !== 'client_gone');
  const count = reasons.reduce((sum, [, n]) => sum + n, 0);
  return { count, reasons, firstAt: counts.since, lastAt };
}
