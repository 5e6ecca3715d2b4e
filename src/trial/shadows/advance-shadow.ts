import { type Actor, canWrite } from '../../api/face.js';
import type { Logger } from '../../platform/logger.js';
import { messageOf } from '../../platform/errors.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Database } from '../../platform/mysql/database.js';
import { isTransient } from '../../platform/mysql/db-errors.js';
import { ThreadsBusy } from '../../platform/threads/thread-errors.js';
import type { TenantQuotas } from '../../people/face.js';
import type { StoryGraphs } from '../../stories/face.js';
import {
  type DraftToCompare,
  type ComparedRun,
  type CompareRunDeps,
  createRunComparer,
} from './compare-run.js';
import { MOST_LISTED, type ShadowCounts, type ShadowSkipReason } from './shadow.js';
import { addListedRuns, CLEARED_AT_ONCE, deleteListedRuns, type ListedRun } from './listed-run-store.js';
import { addDifferences, deleteDifferences, type RunDifference } from './shadow-difference-store.js';
import { findTakenRuns, nextRuns, type RunPlace, type TakenRun } from './shadow-run-store.js';
import {
  addFound,
  findOpenShadow,
  forgetShadow,
  type OpenShadow,
  restartShadow,
  saveTurn,
  type ShadowTurn,
  type StoryState,
  stopShadow,
} from './shadow-store.js';

/** Runs that are compared in one turn, and the time after which it ends: other tenants wait for so long and one run. */
const RUNS_AT_ONCE = 25;
const TURN_MS = 250;
/** Runs that are looked at in one turn: of a sample, few are taken. */
const LOOKED_AT = 500;
/** Taken runs that go on: so many are waited for, and for so long. */
const MOST_WAITING = 100;
const WAIT_SECONDS = 3_600;
export interface AdvanceShadowDeps extends Omit<CompareRunDeps, 'database' | 'graphs'> {
  database: Pick<Database, 'read' | 'transaction'>;
  graphs: Pick<StoryGraphs, 'find' | 'invalidate'>;
  quotas: Pick<TenantQuotas, 'add' | 'arrivalRefusal'>;
  /** Finds the user, as far as a key of the team sees. */
  findActor: (userId: number, keyTeamId: number | null) => Promise<Actor | undefined>;
  logger: Logger;
}

/**
 * Takes one shadow on by one turn: compares the next runs that are over, and stores what was found with the place in the runs, in
 * one transaction. A process may die anywhere: the turn is done again. Returns whether there was something to do.
 */
export async function advanceShadow(
  deps: AdvanceShadowDeps,
  id: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const { database } = deps;
  const shadow = await database.read((session) => findOpenShadow(session, id));
  if (shadow === undefined) return false;
  const { draft, live, userId, keyTeamId } = shadow;
  if (draft === undefined || live === undefined) {
    await inTransaction(deps, (session) => forgetShadow(session, id));
    return true;
  }
  const actor = await deps.findActor(userId, keyTeamId);
  if (actor === undefined || !canWrite(actor, draft.teamId) || !canWrite(actor, live.teamId)) {
    await inTransaction(deps, (session) => stopShadow(session, id, { reason: 'no_rights' }));
    return true;
  }
  if (draft.version !== shadow.draftVersion) return restart(deps, shadow, draft.version);
  if (deps.quotas.arrivalRefusal(shadow.tenantId) !== undefined) return false;
  const taken = await takeRuns(deps, shadow);
  const place = { actor, teamId: draft.teamId, storyId: shadow.storyId, draftId: shadow.draftId };
  await freshen(deps, { [shadow.draftId]: draft, [shadow.storyId]: live });
  const turn = await compareAll(deps, { shadow, taken, place, signal });
  if (turn.isEmpty) return false;
  await store(deps, shadow, turn);
  return true;
}

const inTransaction = <T>(
  { database }: AdvanceShadowDeps,
  work: Parameters<typeof database.transaction<T>>[0],
): Promise<T> => retryLockConflicts(() => database.transaction(work));

/** They are many: small transactions delete them. */
async function clearListedRuns(deps: AdvanceShadowDeps, id: number): Promise<void> {
  for (let deleted = CLEARED_AT_ONCE; deleted === CLEARED_AT_ONCE; )
    deleted = await inTransaction(deps, (session) => deleteListedRuns(session, id));
}

/** The runs are still there: another state of the draft gets them from the first one. */
async function restart(deps: AdvanceShadowDeps, shadow: OpenShadow, draftVersion: number): Promise<boolean> {
  await clearListedRuns(deps, shadow.id);
  await inTransaction(deps, async (session) => {
    if (!(await restartShadow(session, shadow, draftVersion))) return;
    await deleteDifferences(session, shadow.id);
    await deleteListedRuns(session, shadow.id);
  });
  return true;
}

/** A story that this process knows in another version than the database is read anew. */
async function freshen({ graphs }: AdvanceShadowDeps, states: Record<number, StoryState>): Promise<void> {
  for (const [id, { version }] of Object.entries(states)) {
    const known = await graphs.find(Number(id));
    if (known?.version !== version) graphs.invalidate(Number(id));
  }
}

interface Taken {
  /** Those that were taken before and go on, then new ones. */
  runs: TakenRun[];
  /** Taken ones of which nothing is left. */
  gone: number;
  /** The place up to which runs were looked at, after each of the new ones and after all. */
  places: Map<number, RunPlace>;
  last: RunPlace;
  /** No more runs follow those that were looked at. */
  isLast: boolean;
}

async function takeRuns({ database }: AdvanceShadowDeps, shadow: OpenShadow): Promise<Taken> {
  const { waiting, most, last, percent, storyId, until } = shadow;
  const room = Math.max(0, most - countOf(shadow) - waiting.length);
  return database.read(async (session) => {
    const size = Math.min(LOOKED_AT, percent === 100 ? Math.min(room, RUNS_AT_ONCE) : LOOKED_AT);
    const { runs: seen, isLast } =
      room === 0 ? { runs: [], isLast: true } : await nextRuns(session, { storyId, last, until }, size);
    const sampled = seen.filter(({ id }) => isSampled(id, percent));
    const chosen = sampled.slice(0, Math.min(room, RUNS_AT_ONCE));
    // Of what was looked at, all is done unless more were found than are taken.
    const end = chosen.length < sampled.length ? chosen.at(-1) : seen.at(-1);
    const ids = [...waiting, ...chosen.map(({ id }) => id)];
    const runs = await findTakenRuns(session, ids);
    return {
      runs,
      gone: ids.length - runs.length,
      places: new Map(chosen.map((place) => [place.id, place])),
      last: end ?? last,
      isLast: isLast && chosen.length === sampled.length,
    };
  });
}

/** Returns whether a sample takes a run: evenly spread, and the same in each turn. */
export function isSampled(id: number, percent: number): boolean {
  return (Math.imul(id, 0x9e3779b1) >>> 0) % 100 < percent;
}

/** Returns how many runs have a result. */
function countOf({ same, different, skipped }: ShadowCounts): number {
  return Object.values(skipped).reduce((sum, count) => sum + count, same + different);
}

interface Comparing {
  shadow: OpenShadow;
  taken: Taken;
  place: DraftToCompare;
  signal: AbortSignal | undefined;
}

interface Turn extends ShadowTurn {
  differences: RunDifference[];
  listed: ListedRun[];
  isEmpty: boolean;
}

async function compareAll(
  deps: AdvanceShadowDeps,
  { shadow, taken, place, signal }: Comparing,
): Promise<Turn> {
  const counts = { ...pick(shadow), skipped: { ...shadow.skipped } };
  const skip = (reason: ShadowSkipReason, count = 1) => {
    counts.skipped[reason] = (counts.skipped[reason] ?? 0) + count;
  };
  if (taken.gone > 0) skip('events_deleted', taken.gone);
  const leaveOut = ({ id: runId }: TakenRun, reason: ShadowSkipReason) => {
    skip(reason);
    listed.push({ runId, reason });
  };
  const waiting: number[] = [];
  const differences: RunDifference[] = [];
  const listed: ListedRun[] = [];
  const began = performance.now();
  const compare = createMeteredComparer(deps, place);
  let last = taken.last;
  let done = 0;
  for (const [at, run] of taken.runs.entries()) {
    const isOver = signal?.aborted === true || performance.now() - began > TURN_MS;
    if (isOver) {
      // Waiting ones stay, new ones are looked at again.
      const left = taken.runs.slice(at);
      waiting.push(...left.filter(({ id }) => !taken.places.has(id)).map(({ id }) => id));
      const before = taken.runs.slice(0, at).findLast(({ id }) => taken.places.has(id));
      last = (before && taken.places.get(before.id)) ?? shadow.last;
      break;
    }
    const found = await outcomeOf(run, shadow, compare);
    if (found === 'open') {
      if (mayWait(run, shadow) && waiting.length < MOST_WAITING) waiting.push(run.id);
      else leaveOut(run, 'not_ended');
      continue;
    }
    done += 1;
    if (found.skipped !== undefined) {
      leaveOut(run, found.skipped as ShadowSkipReason);
      continue;
    }
    if (found.isPartial) counts.partial += 1;
    counts[found.differences.length > 0 ? 'different' : 'same'] += 1;
    if (found.differences.length > 0) listed.push({ runId: run.id, reason: null });
    differences.push(...found.differences.map((difference) => ({ found: difference, run })));
  }
  const isCut = last !== taken.last;
  const hasEnded = !isCut && waiting.length === 0 && (taken.isLast || countOf(counts) >= shadow.most);
  const isEmpty =
    done === 0 &&
    !hasEnded &&
    countOf(counts) === countOf(shadow) &&
    last.id === shadow.last.id &&
    waiting.length === shadow.waiting.length;
  return { ...counts, last, waiting, differences, listed, hasEnded, isEmpty };
}

const pick = ({ same, different, partial }: OpenShadow) => ({ same, different, partial });

function mayWait({ ageSeconds }: TakenRun, { kind }: OpenShadow): boolean {
  return kind !== 'last' && ageSeconds < WAIT_SECONDS;
}

async function outcomeOf(
  run: TakenRun,
  shadow: OpenShadow,
  compare: (run: TakenRun) => Promise<ComparedRun>,
): Promise<'open' | ComparedRun> {
  if (run.isCancelled) return { skipped: 'cancelled' };
  if (run.isOpen) return 'open';
  const found = await compare(run);
  if (found.skipped !== 'open') return found;
  return mayWait(run, shadow) ? 'open' : { skipped: 'not_ended' };
}

/** Compares one run after another, and counts the time as the tenant's. */
function createMeteredComparer({ quotas, logger, ...deps }: AdvanceShadowDeps, place: DraftToCompare) {
  // Each turn begins with the present state of both stories, and keeps it.
  const graphs = { find: (id: number) => deps.graphs.find(id), invalidate: () => undefined };
  const compare = createRunComparer(place, { ...deps, graphs });
  return async (run: TakenRun): Promise<ComparedRun> => {
    const began = performance.now();
    try {
      return await compare(run);
    } catch (error) {
      if (isTransient(error) || error instanceof ThreadsBusy) throw error;
      logger.warn('comparing a run with a draft failed', { run: run.guid, error: messageOf(error) });
      return { skipped: 'failed' };
    } finally {
      quotas.add(place.actor.tenantId, { cpuMs: performance.now() - began });
    }
  };
}

async function store(deps: AdvanceShadowDeps, shadow: OpenShadow, turn: Turn): Promise<void> {
  const { id } = shadow;
  await inTransaction(deps, async (session) => {
    // It locks the row: another process that did the same turn stores nothing.
    if (!(await saveTurn(session, shadow, turn))) return;
    const { leftOut, groups } = await addDifferences(session, id, turn.differences);
    const room = groups.slice(0, Math.max(0, MOST_LISTED - shadow.listed));
    await addListedRuns(session, id, { runs: turn.listed, groups: room });
    if (leftOut > 0 || room.length > 0) await addFound(session, id, { leftOut, listed: room.length });
  });
}
