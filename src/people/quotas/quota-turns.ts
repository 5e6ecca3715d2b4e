import type { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import { messageOf } from '../../platform/errors.js';
import { withTimeout } from '../../platform/runtime/timeout.js';
import type { Logger } from '../../platform/logger.js';
import { type DayUsage, type QuotaLimits, sumOfUsage } from './quota.js';
import { addUsage, countTenantRecords, deleteOldUsage, findStandings } from './quota-store.js';
import { type Standing, standingOf } from './standing.js';
import type { UsageTally } from './usage-tally.js';

/** Number of tenants that one statement stores, or one turn reads; the others wait for the next turn. */
const TENANTS_AT_ONCE = 500;
/** Interval at which the next turn checks whether the running one has ended. */
const BUSY_MS = 50;
const LOG_EVERY_MS = 60_000;
/** A process that stops waits at most this long to store its last counts. */
const LAST_TURN_MS = 2_000;

/** Dependencies of the turns. */
export interface QuotaTurnsDeps {
  database: Pick<Database, 'read'>;
  defaults: QuotaLimits;
  tenantOf(storyId: number): Promise<number | undefined>;
  logger: Logger;
  everyMs: number;
  tally: UsageTally;
  standings: LRUCache<number, Standing>;
  /** Tenants to read in the next turn, and those of them whose records to count. */
  wanted: Set<number>;
  wantedRecords: Set<number>;
}

/** Stores the use counted in this process, and reads the use of all processes, if there is anything to store or read. */
export interface QuotaTurns {
  /** Starts the next turn in `ms`, unless it starts earlier anyway. */
  soon(ms: number): void;
  close(): Promise<void>;
}

export function createQuotaTurns(deps: QuotaTurnsDeps): QuotaTurns {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let running = false;
  let logAgainAt = 0;
  /** The day on which old days were last deleted. */
  let cleanedFor = '';

  const failed = (error: unknown): void => {
    if (!deps.tally.isEmpty()) soon(deps.everyMs);
    const now = performance.now();
    if (now < logAgainAt) return;
    logAgainAt = now + LOG_EVERY_MS;
    deps.logger.warn('could not store or read the quota usage of tenants', { error: messageOf(error) });
  };

  const turn = async (): Promise<void> => {
    await storeUsage(deps);
    const today = await readStandings(deps);
    if (deps.wanted.size > 0) soon(BUSY_MS);
    if (today === undefined || today === cleanedFor) return;
    cleanedFor = today;
    await deps.database.read(deleteOldUsage);
  };

  const begin = (): void => {
    timer = undefined;
    dueAt = Number.POSITIVE_INFINITY;
    if (running) return soon(BUSY_MS);
    running = true;
    void turn()
      .catch(failed)
      .finally(() => (running = false));
  };

  const soon = (ms: number): void => {
    const at = performance.now() + ms;
    if (at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    // The timer does not keep an idle process alive.
    timer = setTimeout(begin, ms).unref();
  };

  return {
    soon,
    async close() {
      clearTimeout(timer);
      dueAt = Number.NEGATIVE_INFINITY;
      if (!deps.tally.isEmpty()) await withTimeout(storeUsage(deps), LAST_TURN_MS).catch(failed);
    },
  };
}

/** If the response of the database is lost, the use may be counted twice: these sums need not be exact. */
async function storeUsage(deps: QuotaTurnsDeps): Promise<void> {
  const { tally, database, standings } = deps;
  const taken = [...(await tally.take((storyId) => deps.tenantOf(storyId)))];
  for (let first = 0; first < taken.length; first += TENANTS_AT_ONCE) {
    const some = new Map(taken.slice(first, first + TENANTS_AT_ONCE));
    try {
      await retryLockConflicts(() => database.read((session) => addUsage(some, session)));
    } catch (error) {
      tally.giveBack(new Map(taken.slice(first)));
      throw error;
    }
    for (const [tenantId, usage] of some) addToStanding(standings.peek(tenantId), usage);
  }
}

function addToStanding(standing: Standing | undefined, usage: DayUsage): void {
  if (standing !== undefined) standing.usage = sumOfUsage(standing.usage, usage);
}

/** Reads the wanted standings. Returns the end of the database's current day; undefined if no tenant was found. */
async function readStandings(deps: QuotaTurnsDeps): Promise<string | undefined> {
  const { database, defaults, standings, wanted, wantedRecords } = deps;
  const ids = [...wanted].slice(0, TENANTS_AT_ONCE);
  const counted = ids.filter((id) => wantedRecords.has(id));
  for (const id of ids) {
    wanted.delete(id);
    wantedRecords.delete(id);
  }
  const { found, records } = await database.read(async (session) => ({
    found: await findStandings(ids, session),
    records: await countTenantRecords(counted, session),
  }));
  for (const stored of found) {
    const { tenantId } = stored;
    const count = counted.includes(tenantId)
      ? (records.get(tenantId) ?? 0)
      : standings.peek(tenantId)?.records;
    standings.set(tenantId, standingOf(stored, defaults, count));
  }
  return found[0]?.resetsAt;
}
