import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import { createWorkLease, type WorkLease } from '../../platform/mysql/lease/work-lease.js';
import type { ObjectStore } from '../../platform/objects/object-store.js';
import { loopUntil } from '../../platform/runtime/background-loop.js';
import { type ArchiveBatch, createArchiveBatch } from './archive-batch.js';
import { type ArchiveStep, findProgress, storePlace } from './archive-progress-store.js';
import { findNextRuns, findWaitingRuns } from './archive-run-store.js';
import type { FileLimits } from './data-file.js';
import { mergeIndexes } from './index/index-merge.js';
import { prepareRuns } from './read-run.js';

const PAUSE_MS = 60_000;
/** With little to do, larger and fewer files are better than early ones. */
const PAUSE_AFTER_FILE_MS = 5 * 60_000;
const PAUSE_AFTER_ERROR_MS = 60_000;
const RUNS_AT_ONCE = 200;

export interface ArchiverDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  objects: ObjectStore;
  /** Age from which ended runs are archived. */
  afterHours: number;
  limits?: FileLimits;
  logger: Logger;
}

export interface ArchiveOptions {
  /** Goes on at this place although the database names another: the files were moved. */
  moved?: boolean;
  /** Called after each stored file with the sums so far. */
  onProgress?: (sums: ArchiveStep) => void;
  /** Ends the pass after the current run; its reason is thrown. */
  signal?: AbortSignal;
}

/** Copies ended runs into the archive, one process at a time. */
export interface Archiver {
  /** Archives until no run is left. Returns the sums; undefined if another process is at it. @throws WrongPlace. */
  pass(options?: ArchiveOptions): Promise<ArchiveStep | undefined>;
  /** Repeats passes until `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** The files of the archive are at another place. */
class WrongPlace extends Error {}

export function createArchiver(deps: ArchiverDeps): Archiver {
  const { database, objects, logger } = deps;

  const pass: Archiver['pass'] = async (options = {}) => {
    const lease = createWorkLease(database, 'archive');
    if (!(await lease.take())) return undefined;
    try {
      await requirePlace(deps, options.moved === true);
      const sums = await archiveAll(deps, lease, options);
      await mergeIndexes(objects);
      return sums;
    } finally {
      await lease.release();
    }
  };

  const once = async (signal: AbortSignal): Promise<number> => {
    const sums = await pass({ signal });
    if (sums === undefined || sums.files === 0) return PAUSE_MS;
    logger.info('archive', { runs: sums.runs, files: sums.files, bytes: sums.bytes });
    return PAUSE_AFTER_FILE_MS;
  };

  return {
    pass,
    run: (signal) =>
      loopUntil(signal, {
        pass: once,
        restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
        failure: 'could not archive runs',
        logger,
      }),
  };
}

/** Retention trusts what the database notes as archived, so all of it must be at one place. */
async function requirePlace({ database, objects }: ArchiverDeps, moved: boolean): Promise<void> {
  const { place } = await database.read(findProgress);
  if (place === objects.place) return;
  if (place !== '' && !moved) {
    throw new WrongPlace(
      `the archive is at ${place}, but ARCHIVE_TO is ${objects.place}: move its files, then run "fabula archive --moved"`,
    );
  }
  await database.read((session) => storePlace(session, objects.place));
}

async function archiveAll(
  deps: ArchiverDeps,
  lease: WorkLease,
  options: ArchiveOptions,
): Promise<ArchiveStep> {
  const sums: ArchiveStep = { afterRunId: 0, runs: 0, files: 0, bytes: 0 };
  const onStored = (step: ArchiveStep) => {
    for (const key of ['runs', 'files', 'bytes'] as const) sums[key] += step[key];
    options.onProgress?.(sums);
  };
  const batch = createArchiveBatch({ ...deps, lease, onStored });
  const ready = async () => {
    options.signal?.throwIfAborted();
    await lease.keep();
    if (batch.isFull()) await batch.store();
  };
  await addWaiting(batch, deps, ready);
  // The walk below sees what was noted: no run is archived twice.
  if (!batch.isEmpty()) await batch.store();
  await addNext(batch, deps, ready);
  if (!batch.isEmpty()) await batch.store();
  return sums;
}

/** Adds the runs that wait. A page ends with a store: the waits of its runs are over then, or moved on. */
async function addWaiting(
  batch: ArchiveBatch,
  { database }: ArchiverDeps,
  ready: () => Promise<void>,
): Promise<void> {
  for (let more = true; more; ) {
    const runs = await database.read((session) => findWaitingRuns(session, MOST_WAITING));
    const prepared = await prepareRuns(database, runs);
    for (const run of runs) {
      await ready();
      await batch.add(run, prepared.get(run.guid));
    }
    more = runs.length === MOST_WAITING;
    if (more) await batch.store();
  }
}

const MOST_WAITING = 2_000;

/** Adds the runs after the position that are old enough, up to the first one that is not. */
async function addNext(
  batch: ArchiveBatch,
  { database, afterHours: hours }: ArchiverDeps,
  ready: () => Promise<void>,
): Promise<void> {
  let { afterRunId: afterId } = await database.read(findProgress);
  for (let more = true; more; ) {
    const page = { afterId, hours, limit: RUNS_AT_ONCE };
    const runs = await database.read((session) => findNextRuns(session, page));
    const prepared = await prepareRuns(
      database,
      runs.filter(({ old, known }) => old === 1 && known !== 1),
    );
    const firstYoung = runs.findIndex(({ old }) => old !== 1);
    for (const run of firstYoung === -1 ? runs : runs.slice(0, firstYoung)) {
      await ready();
      // Retention demands the rows that an archived run got later.
      if (run.known !== 1) await batch.add(run, prepared.get(run.guid));
      afterId = run.id;
      batch.passed(afterId);
    }
    more = firstYoung === -1 && runs.length === RUNS_AT_ONCE;
  }
}
