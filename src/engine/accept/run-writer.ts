import type { Database } from '../../platform/mysql/database.js';
import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import { type BatchMeter, createGroupCommit } from '../../platform/mysql/commit/group-commit.js';
import { fitsPacket } from '../../platform/mysql/statements/insert-rows.js';
import { PayloadTooLarge } from '../../platform/errors.js';
import { jsonTextOf } from '../../platform/json.js';
import { receiversOf } from '../dispatch/adding/emission.js';
import type { Dispatcher } from '../dispatch/adding/dispatcher.js';
import type { JobRef } from '../state/deliveries/delivery-job.js';
import type { Receiver } from '../state/outcome.js';
import type { Session } from '../../platform/mysql/session.js';
import { insertDeliveries, type NewDelivery } from '../state/deliveries/delivery-store.js';
import { insertEvents } from '../state/events/event-store.js';
import type { LiveEvents } from '../../api/face.js';
import { pendingJobsOf } from '../state/deliveries/pending-jobs-store.js';
import { extendLineage } from '../../agents/face.js';
import { findStartedRuns, insertRuns, recordResponses, type RunMeter } from '../state/runs/run-store.js';
import type { RunStart, RunStarter } from './run-starter.js';
import type { TenantQuotas } from '../../people/face.js';

const MAX_PENDING_ITEMS = 20_000;
const MAX_PENDING_BYTES = 256 * 1024 * 1024;
/** Limit of one story, so that its flood leaves room for others (rule 19). */
const MAX_PENDING_OF_STORY = 5_000;
const MAX_BATCH_ITEMS = 500;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** A web request is waiting, so it fails soon if the database is unreachable. */
const RETRY_FOR_MS = 3_000;

interface Start {
  run: RunStart;
  payload: string;
  bytes: number;
}

interface Started {
  eventId: number;
  jobs: JobRef[];
}

export interface RunWriterDeps {
  database: Database;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  /** New runs are refused while others have waited longer than this to be stored. */
  maxWaitMs: number;
  /** Replaces what JSON text from outside must not contain; without it the text is stored unchanged. */
  admit?(json: string): string;
  /** Called with awaited runs that may be complete as soon as they start. */
  onAwaitedProgress(guids: string[]): void;
  /** Counts what each tenant stores; not counted without it. */
  usage?: Pick<TenantQuotas, 'add'>;
  /** Counts runs and batches; absent: they are not counted. */
  meter?: (RunMeter & BatchMeter) | undefined;
  /** Optional: receives each started run. */
  liveEvents?: LiveEvents;
}

/** Returns the RunStarter that stores in MySQL, with `drain` for shutdown. */
export function createRunWriter(deps: RunWriterDeps): RunStarter & { drain(): Promise<void> } {
  const writer = createGroupCommit<Start, { eventId: number }>({
    name: 'run starts',
    commit: (starts) => commitStarts(starts, deps),
    sizeOf: (start) => start.bytes,
    maxItems: MAX_BATCH_ITEMS,
    maxBytes: MAX_BATCH_BYTES,
    maxPendingItems: MAX_PENDING_ITEMS,
    maxPendingBytes: MAX_PENDING_BYTES,
    maxWaitMs: deps.maxWaitMs,
    shares: { keyOf: ({ run }) => run.story.id, most: MAX_PENDING_OF_STORY },
    retryForMs: RETRY_FOR_MS,
    isDown: () => deps.database.isDown(),
    meter: deps.meter,
  });

  return {
    async start(run) {
      const json = jsonTextOf(run.payload);
      const payload = deps.admit?.(json) ?? json;
      const bytes = Buffer.byteLength(payload);
      const { maxAllowedPacket } = await deps.database.facts();
      // MySQL closes the connection on a packet over its limit, so that payload is refused here (rule 5).
      if (!fitsPacket(bytes, maxAllowedPacket)) throw new PayloadTooLarge('The event is too large to store');
      return writer.submit({ run, payload, bytes });
    },
    drain: () => writer.drain(),
  };
}

async function commitStarts(starts: Start[], deps: RunWriterDeps): Promise<{ eventId: number }[]> {
  const started = await storeOnce(starts, deps.database);
  deps.dispatcher.dispatch(started.flatMap(({ jobs }) => jobs));
  for (const { run, bytes } of starts) deps.usage?.add(run.story.tenantId, { events: 1, bytes });
  if (deps.meter !== undefined) countRuns(starts, started, deps.meter);
  const over = starts.filter(({ run }, index) => run.awaited === true && started[index]?.jobs.length === 0);
  const answered = starts.filter(isResponse);
  const guids = [...over, ...answered].map(({ run }) => run.guid);
  if (guids.length > 0) deps.onAwaitedProgress(guids);
  if (deps.liveEvents?.isWanted === true) publishStarts(starts, started, deps.liveEvents);
  return started;
}

/** Counts the runs; one without receivers ends at once. */
function countRuns(starts: Start[], started: Started[], meter: RunMeter): void {
  starts.forEach(({ run }, index) => {
    meter.started(run.source, 1);
    if (started[index]?.jobs.length === 0 && hasNoReceivers(run)) meter.ended(run.guid, Date.now());
  });
}

function hasNoReceivers({ story, agent }: RunStart): boolean {
  return receiversOf(story, agent, 'normal').length === 0;
}

function publishStarts(starts: Start[], started: Started[], liveEvents: LiveEvents): void {
  liveEvents.runsStarted(
    starts.map(({ run }) => ({ guid: run.guid, storyId: run.story.id, source: run.source })),
  );
  for (const { run } of starts) liveEvents.count(run.story.id, { events: 1 });
  const over = starts.filter((_start, index) => started[index]?.jobs.length === 0);
  liveEvents.mayHaveEnded(over.map(({ run }) => run.guid));
}

/**
 * Stores each run once. A run that exists was committed by an attempt whose response was lost (rule 3): it counts as
 * started, and gets the jobs that this attempt did not add.
 */
async function storeOnce(starts: Start[], database: Database): Promise<Started[]> {
  try {
    return await store(starts, database);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const guids = starts.map(({ run }) => run.guid);
  const { known, jobs } = await database.read(async (session) => {
    const runs = await findStartedRuns(session, guids);
    return { known: runs, jobs: await pendingJobsOf(session, [...runs.keys()]) };
  });
  const missing = starts.filter(({ run }) => !known.has(run.guid));
  const stored = await store(missing, database);
  const byGuid = new Map(missing.map(({ run }, index) => [run.guid, stored[index]]));
  const jobsOf = (guid: string) => jobs.filter(({ storyRunGuid }) => storyRunGuid === guid);
  return starts.map(
    ({ run: { guid } }) => byGuid.get(guid) ?? { eventId: known.get(guid) ?? 0, jobs: jobsOf(guid) },
  );
}

function store(starts: Start[], database: Database): Promise<Started[]> {
  return database.groupTransaction((session) => storeStarts(session, starts));
}

async function storeStarts(session: Session, starts: Start[]): Promise<Started[]> {
  const receivers = starts.map(({ run }) => receiversOf(run.story, run.agent, 'normal'));
  session.ids.prefetch({ events: starts.length, deliveries: receivers.flat().length });
  await insertRuns(
    session,
    starts.map(({ run }) => ({
      guid: run.guid,
      storyId: run.story.id,
      source: run.source,
      awaited: run.awaited === true,
    })),
  );
  const eventIds = await insertEvents(session, starts.map(toEvent));
  const deliveries = starts.map(({ run }, index) =>
    toDeliveries(run, receivers[index] ?? [], eventIds[index] ?? 0),
  );
  const deliveryIds = await insertDeliveries(session, deliveries.flat());
  await recordExits(session, starts, eventIds);
  return pair(deliveries, eventIds, deliveryIds);
}

function toEvent({ run, payload }: Start) {
  return {
    storyRunGuid: run.guid,
    storyId: run.story.id,
    agentId: run.agent.id,
    payload,
    lineage: JSON.stringify(extendLineage(run.agent.slug)),
  };
}

function toDeliveries(run: RunStart, receivers: Receiver[], eventId: number): NewDelivery[] {
  return receivers.map((receiver) => ({
    storyRunGuid: run.guid,
    storyId: run.story.id,
    agentId: receiver.agentId,
    eventId,
    queue: receiver.queue,
    awaited: run.awaited === true,
    called: false,
    depth: 1,
  }));
}

/** Returns true if the webhook agent is itself a response exit of an awaited run. */
function isResponse({ run }: Start): boolean {
  return run.awaited === true && run.story.responseExitGuids.has(run.agent.guid);
}

async function recordExits(session: Session, starts: Start[], eventIds: number[]): Promise<void> {
  const responses = starts.flatMap((start, index) =>
    isResponse(start) ? [{ guid: start.run.guid, eventId: eventIds[index] ?? 0 }] : [],
  );
  if (responses.length > 0) await recordResponses(session, responses);
}

function pair(deliveries: NewDelivery[][], eventIds: number[], ids: number[]): Started[] {
  let next = 0;
  return deliveries.map((rows, index) => ({
    eventId: eventIds[index] ?? 0,
    jobs: rows.map((row) => ({
      queue: row.queue,
      storyId: row.storyId,
      deliveryId: ids[next++] ?? 0,
      generation: 0,
    })),
  }));
}
