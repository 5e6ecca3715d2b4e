import type { Database } from '../../platform/mysql/database.js';
import { isDuplicateKey, isTransient } from '../../platform/mysql/db-errors.js';
import { fitsPacket } from '../../platform/mysql/statements/insert-rows.js';
import { PayloadTooLarge } from '../../platform/errors.js';
import type { LiveEvents } from '../../api/face.js';
import { type Dispatcher, insertStarts, type NewStart, type RunMeter } from '../../engine/face.js';

/** Few, because the client waits for the response. */
const MAX_TRIES = 2;

export interface RunStartDeps {
  database: Pick<Database, 'transaction' | 'facts'>;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  /** Counts runs; absent: they are not counted. */
  meter?: RunMeter | undefined;
  /** Optional: receives the started run. */
  liveEvents?: Pick<LiveEvents, 'runsStarted'>;
}

/**
 * Stores the run with its input and its first delivery, and dispatches its job.
 * @throws PayloadTooLarge; the driver's error if the database cannot store it.
 */
export async function startRun(start: NewStart, deps: RunStartDeps): Promise<void> {
  await store(start, deps);
  deps.meter?.started(start.source, 1);
  deps.liveEvents?.runsStarted([start]);
}

async function store(start: NewStart, { database, dispatcher }: RunStartDeps): Promise<void> {
  const { maxAllowedPacket } = await database.facts();
  if (!fitsPacket(Buffer.byteLength(start.input), maxAllowedPacket)) {
    throw new PayloadTooLarge('The payload is too large to store');
  }
  for (let tries = 1; ; tries++) {
    try {
      const jobs = await database.transaction((session) => insertStarts(session, [start]));
      dispatcher.dispatch(jobs);
      return;
    } catch (error) {
      // An earlier try was committed, but its response was lost (rule 3): the relay adds the job.
      if (tries > 1 && isDuplicateKey(error)) return;
      if (tries === MAX_TRIES || !isTransient(error)) throw error;
    }
  }
}
