import type { Database } from '../../platform/mysql/database.js';
import type { WorkLease } from '../../platform/mysql/lease/work-lease.js';
import type { ObjectStore } from '../../platform/objects/object-store.js';
import {
  addProgress,
  type ArchivedRun,
  type ArchiveStep,
  endWaits,
  storeArchived,
  storeWaits,
} from './archive-progress-store.js';
import type { ArchivableRun } from './archive-run-store.js';
import { createDataFile, type DataFile, FILE_LIMITS, fileDigest, type FileLimits } from './data-file.js';
import { type PreparedRun, readRun } from './read-run.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { dataObject, factsObject } from './archive-names.js';
import { writeIndexes } from './index/index-merge.js';

/** The archive gave back other bytes than it was given. */
class NotAsStored extends Error {}

export interface ArchiveBatchDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  objects: ObjectStore;
  lease: Pick<WorkLease, 'keep'>;
  limits?: FileLimits | undefined;
  /** Called with what a store has added. */
  onStored: (step: ArchiveStep) => void;
}

/** Runs of one file: they are noted in one transaction. */
const MOST_RUNS = 5_000;
/** Rows of one statement. */
const ROWS = 500;
/** A run that has work left is looked at again after this time. */
const WAIT_MINUTES = 15;
const RENEW_MS = 10_000;

export type ArchiveBatch = ReturnType<typeof createArchiveBatch>;

/** Gathers runs into a file. What the database notes of them is committed after the file is stored and compared. */
export function createArchiveBatch(deps: ArchiveBatchDeps) {
  const { database, objects, lease, limits = FILE_LIMITS } = deps;
  let file = createDataFile(limits);
  let archived: ArchivedRun[] = [];
  let live: string[] = [];
  let gone: string[] = [];
  let hasMoved = false;
  const step: ArchiveStep = { afterRunId: 0, runs: 0, files: 0, bytes: 0 };

  const store = async (): Promise<void> => {
    if (!file.isEmpty()) {
      const finished = await file.finish();
      await keeping(lease, () => storeFile(objects, finished));
      step.files = 1;
      step.bytes = finished.bytes.length;
    }
    step.runs = archived.length;
    await database.transaction(async (session) => {
      for (const rows of pagesOf(archived)) await storeArchived(session, rows);
      for (const guids of pagesOf(live)) await storeWaits(session, guids, WAIT_MINUTES);
      for (const guids of pagesOf(gone)) await endWaits(session, guids);
      await addProgress(session, step);
    });
    deps.onStored({ ...step });
    file = createDataFile(limits);
    [archived, live, gone, hasMoved] = [[], [], [], false];
    [step.runs, step.files, step.bytes] = [0, 0, 0];
  };

  return {
    /** Adds a run; one that has work left waits, and one that is gone waits no longer. */
    async add(run: ArchivableRun, prepared: PreparedRun | undefined): Promise<void> {
      const { guid } = run;
      if (run.live === 1) return void live.push(guid);
      if (prepared === undefined) return void gone.push(guid);
      const read = await readRun(database, { run, ...prepared }, async (line) => {
        // A large run goes on in the next file, and is noted with its last one.
        if (file.isFull()) await store();
        await file.add(guid, line);
      });
      archived.push(read);
    },
    /** Notes that all runs up to this id were looked at. */
    passed(id: number): void {
      step.afterRunId = id;
      hasMoved = true;
    },
    isFull: () => file.isFull() || archived.length + live.length + gone.length >= MOST_RUNS,
    isEmpty: () => !hasMoved && file.isEmpty() && archived.length + live.length + gone.length === 0,
    /** Stores the file, then what the database notes. @throws LeaseLost; the place's errors. */
    store,
  };
}

function pagesOf<T>(rows: T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, page) =>
    rows.slice(page * ROWS, (page + 1) * ROWS),
  );
}

/** Renews the lease while a slow place works. @throws LeaseLost if another process has it afterwards. */
async function keeping(lease: Pick<WorkLease, 'keep'>, work: () => Promise<void>): Promise<void> {
  let lost: unknown;
  const beat = setInterval(() => void lease.keep().catch((error: unknown) => (lost = error)), RENEW_MS);
  try {
    await work();
  } finally {
    clearInterval(beat);
  }
  if (lost !== undefined) throw lost;
  await lease.keep();
}

/**
 * Stores a data file, reads it again and compares it, then stores its figures, and its index last: a file without an index
 * is no part of the archive. @throws NotAsStored, or the error of the place.
 */
async function storeFile(objects: ObjectStore, file: DataFile): Promise<void> {
  const name = dataObject(file.name);
  await objects.put(name, file.bytes);
  const stored = fileDigest(await objects.read(name));
  if (stored !== file.sha256) throw new NotAsStored(`${name} has the digest ${stored}, not ${file.sha256}`);
  const facts = { format: 1, bytes: file.bytes.length, lines: file.lines, sha256: file.sha256 };
  await objects.put(factsObject(file.name), Buffer.from(`${stringifyJson(facts)}\n`));
  await writeIndexes(objects, { level: 0, lines: file.index });
}
