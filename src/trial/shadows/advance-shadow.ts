import { setTimeout as sleep } from 'node:timers/promises';
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
import type { ShadowCounts, ShadowSkipReason } from './shadow.js';
import { addDifferences, deleteDifferences, type RunDifference } from './shadow-difference-store.js';
import { findTakenRuns, nextRuns, type TakenRun } from './shadow-run-store.js';
import {
  addLeftOut,
  deleteShadow,
  findOpenShadow,
  type OpenShadow,
  restartShadow,
  type RunPlace,
  saveTurn,
  type ShadowTurn,
  stopShadow,
} from './shadow-store.js';

/** Runs that are compared in one turn, and the time after which it ends: a process that dies loses so much. */
const RUNS_AT_ONCE = 25;
const TURN_MS = 5_000;
/** Runs that are looked at in one turn: of a sample, few are taken. */
const LOOKED_AT = 500;
/** Taken runs that go on: so many are waited for, and for so long. */
const MOST_WAITING = 100;
const WAIT_SECONDS = 3_600;
export interface AdvanceShadowDeps extends Omit<CompareRunDeps, 'database' | 'graphs'> {
  database: Pick<Database, 'read' | 'transaction'>;
  graphs: Pick<StoryGraphs, 'find' | 'invalidate'>;
  quotas: Pick<TenantQuotas, 'add' | 'arrivalRefusal'>;
  findActor: (userId: number) => Promise<Actor | undefined>;
  /** The part of a processor that comparisons may take, from 0 to 1: after each of them is a rest. */
  cpuShare: number;
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
  if (shadow === undefined || shadow.isFrozen) return false;
  const { draft, userId } = shadow;
  if (draft === undefined) return remove(deps, id);
  const actor = await deps.findActor(userId);
  if (actor === undefined || !canWrite(actor, draft.teamId)) {
    await inTransaction(deps, (session) => stopShadow(session, id, { reason: 'no_rights' }));
    return true;
  }
  if (draft.version !== shadow.draftVersion) return restart(deps, shadow, draft.version);
  if (deps.quotas.arrivalRefusal(shadow.tenantId) !== undefined) return false;
  const taken = await takeRuns(deps, shadow);
  const place = { actor, teamId: draft.teamId, storyId: shadow.storyId, draftId: shadow.draftId };
  const turn = await compareAll(deps, { shadow, taken, place, signal });
  if (turn.isEmpty) return false;
  await store(deps, shadow, turn);
  return true;
}

const inTransaction = <T>(
  { database }: AdvanceShadowDeps,
  work: Parameters<typeof database.transaction<T>>[0],
): Promise<T> => retryLockConflicts(() => database.transaction(work));

/** Nobody can see a shadow whose draft is no more. */
async function remove(deps: AdvanceShadowDeps, id: number): Promise<boolean> {
  await inTransaction(deps, async (session) => {
    await deleteShadow(session, id);
    await deleteDifferences(session, id);
  });
  return true;
}

/** The runs are still there: another state of the draft gets them from the first one. */
async function restart(deps: AdvanceShadowDeps, shadow: OpenShadow, draftVersion: number): Promise<boolean> {
  await inTransaction(deps, async (session) => {
    if (await restartShadow(session, shadow, draftVersion)) await deleteDifferences(session, shadow.id);
  });
  return true;
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

/** Spreads the runs of a sample evenly, the same in each turn. */
function isSampled(id: number, percent: number): boolean {
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
  const waiting: number[] = [];
  const differences: RunDifference[] = [];
  const began = performance.now();
  const compare = createRestingComparer(deps, place, signal);
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
      else skip('not_ended');
      continue;
    }
    done += 1;
    if (found.skipped !== undefined) skip(found.skipped as ShadowSkipReason);
    else {
      counts[found.differences.length > 0 ? 'different' : 'same'] += 1;
      if (found.isPartial) counts.partial += 1;
      const { guid: runGuid, createdAt: runAt } = run;
      differences.push(...found.differences.map((difference) => ({ found: difference, runGuid, runAt })));
    }
  }
  const isCut = last !== taken.last;
  const hasEnded = !isCut && waiting.length === 0 && (taken.isLast || countOf(counts) >= shadow.most);
  const isEmpty =
    done === 0 &&
    !hasEnded &&
    countOf(counts) === countOf(shadow) &&
    last.id === shadow.last.id &&
    waiting.length === shadow.waiting.length;
  return { ...counts, last, waiting, differences, hasEnded, isEmpty };
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

/** Compares one run after another, with a rest after each. */
function createRestingComparer(
  { quotas, logger, cpuShare, ...deps }: AdvanceShadowDeps,
  place: DraftToCompare,
  signal: AbortSignal | undefined,
) {
  for (const id of [place.draftId, place.storyId]) deps.graphs.invalidate(id);
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
      const tookMs = performance.now() - began;
      quotas.add(place.actor.tenantId, { cpuMs: tookMs });
      await sleep(tookMs / cpuShare - tookMs, undefined, { signal }).catch(() => undefined);
    }
  };
}

async function store(deps: AdvanceShadowDeps, shadow: OpenShadow, turn: Turn): Promise<void> {
  await inTransaction(deps, async (session) => {
    // It locks the row: another process that did the same turn stores nothing.
    if (!(await saveTurn(session, shadow, turn))) return;
    const leftOut = await addDifferences(session, shadow.id, turn.differences);
    if (leftOut > 0) await addLeftOut(session, shadow.id, leftOut);
  });
}
