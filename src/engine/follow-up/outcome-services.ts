import type { LiveEvents } from '../../api/face.js';
import type { TenantQuotas } from '../../people/face.js';
import type { Logger } from '../../platform/logger.js';
import type { BatchMeter } from '../../platform/mysql/commit/group-commit.js';
import type { Database } from '../../platform/mysql/database.js';
import type { StoryGraphs } from '../../stories/face.js';
import { type CommitListener, createCommitEvent } from '../commit/commit-event.js';
import { countCalledRuns, meterOutcomes } from '../commit/meter-outcomes.js';
import { createOutcomeWriter, type OutcomeWriter } from '../commit/outcome-writer.js';
import type { Dispatcher } from '../dispatch/adding/dispatcher.js';
import { createFailureLinks } from '../dispatch/adding/failure-links.js';
import type { DeliveryLoader } from '../execute/delivery-loader.js';
import { createGroupBuffer, type GroupBuffer } from '../implode/group-buffer.js';
import type { EventCache } from '../state/events/event-cache.js';
import type { RunNotifications } from '../state/runs/run-notifications.js';
import type { RunMeter } from '../state/runs/run-store.js';
import { createAfterCommit } from './after-commit.js';
import { publishOutcomes } from './publish-outcomes.js';
import { createRunEnds } from './run-ends.js';
import { createRunawayGuard } from './runaway-guard.js';

export interface OutcomeServicesDeps {
  database: Database;
  dispatcher: Dispatcher;
  graphs: StoryGraphs;
  progress: RunNotifications;
  liveEvents: LiveEvents;
  quotas: Pick<TenantQuotas, 'addOfStory'>;
  loader: DeliveryLoader;
  events: EventCache;
  /** Most events of a run that loops. */
  eventLimit: number;
  /** Counts runs and batches; undefined: they are not counted. */
  meter: (RunMeter & BatchMeter) | undefined;
  /** Makes the spans of what was committed; undefined: there are none. */
  traces: { committed: CommitListener } | undefined;
  logger: Logger;
}

/** Stores the outcomes of a worker process, and does what follows their commit. */
export interface OutcomeServices {
  writer: OutcomeWriter;
  /** The writer for jobs: members of a group wait in it for the rest of their group. */
  ofJobs: GroupBuffer;
  /** Resolves when all is stored and followed up; call it after the last job. */
  close(): Promise<void>;
}

/** Creates the writer of outcomes with the list of what follows a commit, in this order. */
export function createOutcomeServices(deps: OutcomeServicesDeps): OutcomeServices {
  const { database, dispatcher, events, loader, graphs, progress, liveEvents, meter, logger } = deps;
  const committed = createCommitEvent();
  const writer = createOutcomeWriter({
    database,
    dispatcher,
    events,
    handleFailure: createFailureLinks({ loader, graphs }),
    committed,
    meter,
  });
  const following = { database, outcomes: writer, loader, graphs, logger };
  const afterCommit = createAfterCommit({ ...following, progress });
  const ofJobs = createGroupBuffer(following);
  const guard = createRunawayGuard({ database, graphs, limit: deps.eventLimit, liveEvents, logger });
  const ends = meter && createRunEnds({ database, meter, logger });
  committed.subscribe((done, stored) => afterCommit.follow(done, stored));
  committed.subscribe((done) => guard.follow(done));
  committed.subscribe((done, stored) => deps.traces?.committed(done, stored));
  committed.subscribe((done) => meterOutcomes(done, deps.quotas));
  if (meter !== undefined) committed.subscribe((done) => countCalledRuns(done, meter));
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
