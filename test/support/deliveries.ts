import type { Session } from '../../src/platform/mysql/session.js';
import type { Database } from '../../src/platform/mysql/database.js';
import { createEventCache } from '../../src/engine/state/events/event-cache.js';
import { awaitedRuns } from '../../src/engine/follow-up/after-commit.js';
import type { DoneOutcome, Origin, UndoneOutcome } from '../../src/engine/state/outcome.js';
import {
  createOutcomeWriter,
  type OutcomeWriter,
  type OutcomeWriterDeps,
} from '../../src/engine/commit/outcome-writer.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import {
  type DeliveryRow,
  findDeliveries,
  insertDeliveries,
} from '../../src/engine/state/deliveries/delivery-store.js';
import { insertEvents } from '../../src/engine/state/events/event-store.js';
import { insertRuns } from '../../src/engine/state/runs/run-store.js';
import type { JobRef } from '../../src/engine/state/deliveries/delivery-job.js';
import type { Admission } from '../../src/engine/dispatch/admission.js';

/** A stored delivery as a test looks at it. */
export interface DeliveryState {
  id: number;
  agentId: number;
  state: string;
  generation: number;
  attempts: number;
  losses: number;
  error: string | null;
  failed: number;
  /** Until it is due, by the database's clock; negative when it is overdue. */
  dueInMs: number;
  ageMs: number;
}

const STORY = 1;
/** The agent that the deliveries are for, and the one that gets what it puts out. */
export const AGENT = 20;
export const RECEIVER = 30;

/** Stores runs with one event and one pending delivery each, and gives the deliveries. */
export async function storeDeliveries(
  db: Database,
  count: number,
  options: { awaited?: boolean } = {},
): Promise<DeliveryRow[]> {
  const guids = Array.from({ length: count }, () => newRunGuid());
  const awaited = options.awaited ?? false;
  const insertAll = async (session: Session) => {
    await insertRuns(
      session,
      guids.map((guid) => ({ guid, storyId: STORY, source: 'webhook' as const, awaited })),
    );
    const events = guids.map((storyRunGuid) => ({
      storyRunGuid,
      storyId: STORY,
      agentId: 10,
      payload: '{"in":1}',
      lineage: '{"start":0}',
    }));
    const eventIds = await insertEvents(session, events);
    const deliveries = eventIds.map((eventId, index) => ({
      storyRunGuid: guids[index]!,
      storyId: STORY,
      agentId: AGENT,
      eventId,
      queue: 'trigger' as const,
      awaited,
      called: false,
      depth: 1,
    }));
    return insertDeliveries(session, deliveries);
  };
  return db.transaction(async (session) => {
    const rows = await findDeliveries(session, await insertAll(session));
    return rows.toSorted((a, b) => a.id - b.id);
  });
}

/** The work was done: one event with `payload`, which goes to one receiver unless `receivers` says otherwise. */
export function done(delivery: DeliveryRow, payload: string = '{"out":1}', receivers = 1): DoneOutcome {
  const to = Array.from({ length: receivers }, () => ({ agentId: RECEIVER, queue: 'email' as const }));
  return {
    kind: 'done',
    delivery,
    outputs: [{ payload, receivers: to, origin: originOf(delivery), branch: 'normal', answers: false }],
    logs: [{ level: 'info', message: `done ${delivery.id}` }],
  };
}

/** The emitter of events of the agent under test. */
function originOf(delivery: DeliveryRow): Origin {
  return {
    storyRunGuid: delivery.storyRunGuid,
    storyId: STORY,
    agentId: AGENT,
    lineage: JSON.stringify({ start: delivery.eventId, work: 0 }),
    awaited: delivery.awaited,
    called: delivery.called,
    depth: delivery.depth + 1,
  };
}

/** The work was not done. */
export function undone(
  delivery: DeliveryRow,
  kind: UndoneOutcome['kind'],
  overrides: Partial<UndoneOutcome> = {},
): UndoneOutcome {
  return {
    kind,
    delivery,
    delayMs: 5_000,
    error: `${kind} ${delivery.id}`,
    logs: [{ level: 'warn', message: `${kind} ${delivery.id}` }],
    ...overrides,
  };
}

/** An outcome writer that adds no jobs, keeps little and tells nobody, but for what `deps` says. */
export function bareWriter(
  deps: Pick<OutcomeWriterDeps, 'database'> & Partial<OutcomeWriterDeps>,
): OutcomeWriter {
  return createOutcomeWriter({
    dispatcher: { dispatch: () => undefined },
    events: createEventCache(1024 * 1024),
    handleFailure: (letter) => Promise.resolve(letter),
    committed: { publish: () => undefined },
    ...deps,
  });
}

/** An outcome writer, the jobs it has asked for, and the runs it has said went on. */
export function recordingWriter(database: Database): {
  writer: OutcomeWriter;
  jobs: JobRef[];
  progress: string[];
} {
  const jobs: JobRef[] = [];
  const progress: string[] = [];
  const writer = bareWriter({
    database,
    dispatcher: { dispatch: (added) => void jobs.push(...added) },
    committed: { publish: (outcomes) => void progress.push(...awaitedRuns(outcomes)) },
  });
  return { writer, jobs, progress };
}

/** All deliveries, by id. */
export function allDeliveries(db: Database): Promise<DeliveryState[]> {
  return db.read((session) =>
    session.rows<DeliveryState>(
      `SELECT id, agent_id AS agentId, state, generation, attempts, losses, error,
              failed_at IS NOT NULL AS failed,
              TIMESTAMPDIFF(MICROSECOND, NOW(3), due_at) DIV 1000 AS dueInMs,
              TIMESTAMPDIFF(MICROSECOND, created_at, NOW(3)) DIV 1000 AS ageMs
       FROM deliveries ORDER BY id`,
    ),
  );
}

/** Events of the agent under test, oldest first. */
export async function outputs(db: Database): Promise<string[]> {
  const rows = await db.read((session) =>
    session.rows<{ payload: string }>('SELECT payload FROM events WHERE agent_id = ? ORDER BY id', [AGENT]),
  );
  return rows.map(({ payload }) => payload);
}

/** The lines of all logs, oldest first. */
export async function logMessages(db: Database): Promise<string[]> {
  const rows = await db.read((session) =>
    session.rows<{ message: string }>('SELECT message FROM agent_logs ORDER BY id'),
  );
  return rows.map(({ message }) => message);
}

/** Places all jobs at once, whosever they are. */
export function openPlacing(): Admission {
  return {
    place: (jobs) =>
      Promise.resolve({ go: jobs.map((job) => ({ ...job, priority: 0, first: false })), held: [] }),
  };
}
