import type { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import { messageOf } from '../../platform/errors.js';
import { withTimeout } from '../../platform/runtime/timeout.js';
import type { Logger } from '../../platform/logger.js';
import { type DayUsage, type QuotaLimits, sumOfUsage } from './quota.js';
import { addUsage, countTenantRecords, deleteOldUsage, findQuotaStates } from './quota-store.js';
import { type QuotaState, quotaStateOf } from './quota-state.js';
import type { UsageTally } from './usage-tally.js';

/** Number of tenants that one statement stores, or one refresh reads; the others wait for the next one. */
const TENANTS_AT_ONCE = 500;
/** Interval at which the next refresh checks whether the running one has ended. */
const BUSY_MS = 50;
const LOG_EVERY_MS = 60_000;
/** A process that stops waits at most this long to store its last counts. */
const LAST_REFRESH_MS = 2_000;

/** Dependencies of the refresh. */
export interface QuotaRefreshDeps {
  database: Pick<Database, 'read'>;
  defaults: QuotaLimits;
  tenantOf(storyId: number): Promise<number | undefined>;
  logger: Logger;
  everyMs: number;
  tally: UsageTally;
  states: LRUCache<number, QuotaState>;
  /** Tenants to read in the next refresh, and those of them whose records to count. */
  wanted: Set<number>;
  wantedRecords: Set<number>;
}

/** Stores the use counted in this process, and reads the use of all processes, if there is anything to store or read. */
export interface QuotaRefresh {
  /** Starts the next refresh in `ms`, unless it starts earlier anyway. */
  soon(ms: number): void;
  close(): Promise<void>;
}

export function createQuotaRefresh(deps: QuotaRefreshDeps): QuotaRefresh {
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

  const refresh = async (): Promise<void> => {
    await storeUsage(deps);
    const today = await readStates(deps);
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
    void refresh()
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
      if (!deps.tally.isEmpty()) await withTimeout(storeUsage(deps), LAST_REFRESH_MS).catch(failed);
    },
  };
}

/** If the response of the database is lost, the use may be counted twice: these sums need not be exact. */
async function storeUsage(deps: QuotaRefreshDeps): Promise<void> {
  const { tally, database, states } = deps;
  const taken = [...(await tally.take((storyId) => deps.tenantOf(storyId)))];
  for (let first = 0; first < taken.length; first += TENANTS_AT_ONCE) {
    const some = new Map(taken.slice(first, first + TENANTS_AT_ONCE));
    try {
      await retryLockConflicts(() => database.read((session) => addUsage(some, session)));
    } catch (error) {
      tally.giveBack(new Map(taken.slice(first)));
      throw error;
    }
    for (const [tenantId, usage] of some) addToState(states.peek(tenantId), usage);
  }
}

function addToState(state: QuotaState | undefined, usage: DayUsage): void {
  if (state !== undefined) state.usage = sumOfUsage(state.usage, usage);
}

/** Reads the requested quota states. Returns the end of the database's current day; undefined if no tenant was found. */
async function readStates(deps: QuotaRefreshDeps): Promise<string | undefined> {
  const { database, defaults, states, wanted, wantedRecords } = deps;
  const ids = [...wanted].slice(0, TENANTS_AT_ONCE);
  const counted = ids.filter((id) => wantedRecords.has(id));
  for (const id of ids) {
    wanted.delete(id);
    wantedRecords.delete(id);
  }
  const { found, records } = await database.read(async (session) => ({
    found: await findQuotaStates(ids, session),
    records: await countTenantRecords(counted, session),
  }));
  for (const stored of found) {
    const { tenantId } = stored;
    const count = counted.includes(tenantId) ? (records.get(tenantId) ?? 0) : states.peek(tenantId)?.records;
    states.set(tenantId, quotaStateOf(stored, defaults, count));
  }
  return found[0]?.resetsAt;
}
