import {
  countCalledRuns,
  createAfterCommit,
  createCommitEvent,
  createFailureLinks,
  createGroupBuffer,
  createOutcomeWriter,
  createRunawayGuard,
  createRunEnds,
  type DeliveryLoader,
  type EventCache,
  type GroupBuffer,
  meterOutcomes,
  type OutcomeWriter,
  publishOutcomes,
} from '../../engine/face.js';
import type { CoreServices } from './core-services.js';

/** Stores the outcomes of a worker process, and does what follows their commit. */
export interface OutcomeServices {
  writer: OutcomeWriter;
  /** The writer for jobs: members of a group wait in it for the rest of their group. */
  ofJobs: GroupBuffer;
  /** Resolves when all is stored and followed up; call it after the last job. */
  close(): Promise<void>;
}

/** Creates the writer of outcomes with the list of what follows a commit, in this order. */
export function createOutcomeServices(
  services: CoreServices,
  { loader, events }: { loader: DeliveryLoader; events: EventCache },
): OutcomeServices {
  const { database, dispatcher, graphs, metrics, progress, liveEvents } = services;
  const logger = services.loggers.upkeep;
  const committed = createCommitEvent();
  const writer = createOutcomeWriter({
    database,
    dispatcher,
    events,
    handleFailure: createFailureLinks({ loader, graphs }),
    committed,
    meter: metrics?.runs,
  });
  const following = { database, outcomes: writer, loader, graphs, logger };
  const afterCommit = createAfterCommit({ ...following, progress });
  const ofJobs = createGroupBuffer(following);
  const limit = services.config.runEventLimit;
  const guard = createRunawayGuard({ database, graphs, limit, liveEvents, logger });
  const ends = metrics && createRunEnds({ database, meter: metrics.runs, logger });
  committed.subscribe((done, stored) => afterCommit.follow(done, stored));
  committed.subscribe((done) => guard.follow(done));
  committed.subscribe((done, stored) => services.traces?.committed(done, stored));
  committed.subscribe((done) => meterOutcomes(done, services.quotas));
  if (metrics !== undefined) committed.subscribe((done) => countCalledRuns(done, metrics.runs));
  committed.subscribe((done) => ends?.follow(done));
  committed.subscribe((done) => publishOutcomes(done, liveEvents));
  return {
    writer,
    ofJobs,
    async close() {
      await ofJobs.drain();
      await writer.drain();
      await afterCommit.drain();
      await guard.drain();
      await ends?.close();
      await writer.drain();
    },
  };
}
