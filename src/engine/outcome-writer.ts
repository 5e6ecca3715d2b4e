import type { Database } from '../db/database.js';
import { createGroupCommit } from '../db/group-commit.js';
import { fitsPacket } from '../db/insert-rows.js';
import { patiently } from '../db/patiently.js';
import type { Session } from '../db/session.js';
import { messageOf, PayloadTooLarge } from '../errors.js';
import {
  deleteDeliveries,
  findDeliveries,
  insertDeliveries,
  updateDeliveries,
} from '../events/delivery-store.js';
import { insertEvents } from '../events/event-store.js';
import { insertLogLines } from '../events/log-store.js';
import { recordResponses } from '../events/run-store.js';
import { parseLineage } from '../events/lineage.js';
import type { Dispatcher, JobRef } from '../queues/dispatcher.js';
import type { EventCache } from './event-cache.js';
import type { Committed, DoneOutcome, Outcome, UndoneOutcome } from './outcome.js';
import { toDeliveries, toEvents, toLogLines, toResponse, toUpdate } from './outcome-rows.js';

const LIMITS = {
  maxItems: 500,
  maxBytes: 16 * 1024 * 1024,
  // Bounded by the number of jobs under way. Refusing one here would only repeat what its action did outside.
  maxPendingItems: Number.POSITIVE_INFINITY,
  maxPendingBytes: Number.POSITIVE_INFINITY,
};

export interface OutcomeWriterDeps {
  database: Database;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  events: EventCache;
  /** Told, after COMMIT, about awaited runs whose work went on. */
  onAwaitedProgress(guids: string[]): void;
}

/** Stores what the agents came to. */
export interface OutcomeWriter {
  /** Resolves when the outcome is committed, or dropped because somebody was faster. */
  submit(outcome: Outcome): Promise<Committed>;
  drain(): Promise<void>;
}

/**
 * Jobs that finish share one transaction: consume the tokens, store the outputs, note the failures. While the
 * database is away an outcome waits: giving up would repeat what the agent did outside.
 */
export function createOutcomeWriter(deps: OutcomeWriterDeps): OutcomeWriter {
  const commit = (outcomes: Outcome[]) => commitOutcomes(outcomes, deps);
  return createGroupCommit<Outcome, Committed>({
    name: 'outcomes',
    commit,
    // The row cannot be stored as it is: it becomes a dead letter that says why (rule 4).
    reject: async (outcome, error) => {
      const letter = asFailed(outcome, error);
      const [committed] = await patiently(() => commit([letter]));
      return { applied: committed?.applied ?? false, eventIds: [], error: letter.error };
    },
    sizeOf: sizeOfOutcome,
    retryForMs: Number.POSITIVE_INFINITY,
    ...LIMITS,
  });
}

function asFailed(outcome: Outcome, error: unknown): UndoneOutcome & { error: string } {
  const message = `The result could not be stored: ${messageOf(error).slice(0, 500)}`;
  const logs = [{ level: 'error' as const, message }];
  return { kind: 'failed', delivery: outcome.delivery, delayMs: 0, error: message, logs };
}

function sizeOfOutcome(outcome: Outcome): number {
  if (outcome.kind !== 'done') return outcome.error?.length ?? 0;
  const lineage = outcome.lineage.length;
  return outcome.outputs.reduce((sum, output) => sum + Buffer.byteLength(output.payload) + lineage, 0);
}

/** Found out here: a server that is sent too large a packet just hangs up, like one that is down (rule 5). */
function refuseTooLarge(outcome: Outcome, maxAllowedPacket: number): void {
  const outputs = outcome.kind === 'done' ? outcome.outputs : [];
  const tooLarge = outputs.some(({ payload }) => !fitsPacket(Buffer.byteLength(payload), maxAllowedPacket));
  if (tooLarge) throw new PayloadTooLarge('The event is too large to store');
}

async function commitOutcomes(outcomes: Outcome[], deps: OutcomeWriterDeps): Promise<Committed[]> {
  const { idStep, maxAllowedPacket } = await deps.database.facts();
  for (const outcome of outcomes) refuseTooLarge(outcome, maxAllowedPacket);
  let current = oncePerDelivery(outcomes);
  for (;;) {
    const batch = current;
    try {
      const stored = await deps.database.transaction((session) => store(session, batch, idStep));
      announce(batch, stored, deps);
      const byOutcome = new Map(batch.map((outcome, index) => [outcome, stored[index]?.eventIds ?? []]));
      return outcomes.map((outcome) => ({
        applied: byOutcome.has(outcome),
        eventIds: byOutcome.get(outcome) ?? [],
      }));
    } catch (error) {
      if (!(error instanceof TokensGone)) throw error;
    }
    current = await stillWanted(batch, deps.database);
    if (current.length === 0) return outcomes.map(() => ({ applied: false, eventIds: [] }));
  }
}

/** Not all of the deliveries were as expected: the transaction is undone, and what is left is looked at again (rule 1). */
class TokensGone extends Error {}

interface Stored {
  eventIds: number[];
  jobs: JobRef[];
}

async function store(session: Session, outcomes: Outcome[], idStep: number): Promise<Stored[]> {
  const done = outcomes.filter((outcome): outcome is DoneOutcome => outcome.kind === 'done');
  const undone = outcomes.filter((outcome): outcome is UndoneOutcome => outcome.kind !== 'done');
  // Counted, as the tokens are: a failure of an older generation leaves nothing behind, no log line either.
  if (undone.length > 0 && (await updateDeliveries(session, undone.map(toUpdate))) !== undone.length) {
    throw new TokensGone();
  }
  const results = new Map<Outcome, Stored>();
  if (done.length > 0) await storeDone(session, done, { idStep, results });
  const lines = outcomes.flatMap(toLogLines);
  if (lines.length > 0) await insertLogLines(session, lines);
  return outcomes.map((outcome) => results.get(outcome) ?? { eventIds: [], jobs: [] });
}

async function storeDone(
  session: Session,
  done: DoneOutcome[],
  into: { idStep: number; results: Map<Outcome, Stored> },
): Promise<void> {
  const ids = done.map(({ delivery }) => delivery.id);
  // Fewer than asked for: somebody was faster with one of them (rule 1).
  if ((await deleteDeliveries(session, ids)) !== ids.length) throw new TokensGone();
  const eventIds = await insertEvents(session, done.flatMap(toEvents), into.idStep);
  const eventsOf = deal(eventIds, done, (outcome) => outcome.outputs.length);
  const deliveries = done.map((outcome, index) => toDeliveries(outcome, eventsOf[index] ?? []));
  const deliveryIds = await insertDeliveries(session, deliveries.flat(), into.idStep);
  const deliveriesOf = deal(deliveryIds, deliveries, (rows) => rows.length);
  done.forEach((outcome, index) => {
    const rows = deliveries[index] ?? [];
    const jobs = rows.map((row, at) => ({
      queue: row.queue,
      deliveryId: deliveriesOf[index]?.[at] ?? 0,
      generation: 0,
    }));
    into.results.set(outcome, { eventIds: eventsOf[index] ?? [], jobs });
  });
  const responses = done.flatMap((outcome, index) => toResponse(outcome, eventsOf[index]?.[0]));
  if (responses.length > 0) await recordResponses(session, responses);
}

/** Deals out `values` in order, to each of `takers` as many as it is due. */
function deal<Value, Taker>(values: Value[], takers: Taker[], due: (taker: Taker) => number): Value[][] {
  let next = 0;
  return takers.map((taker) => {
    const start = next;
    next += due(taker);
    return values.slice(start, next);
  });
}

/** One outcome for each delivery: success wins over failure, then the newer generation (rule 9). */
function oncePerDelivery(outcomes: Outcome[]): Outcome[] {
  const chosen = new Map<number, Outcome>();
  for (const outcome of outcomes) {
    const rival = chosen.get(outcome.delivery.id);
    if (rival === undefined || rank(outcome) > rank(rival)) chosen.set(outcome.delivery.id, outcome);
  }
  return [...chosen.values()];
}

function rank({ kind, delivery }: Outcome): number {
  return kind === 'done' ? Number.POSITIVE_INFINITY : delivery.generation;
}

/** The outcomes whose delivery is still there; a failure also needs its own generation of it. */
async function stillWanted(outcomes: Outcome[], database: Database): Promise<Outcome[]> {
  const ids = outcomes.map(({ delivery }) => delivery.id);
  const rows = await database.read((session) => findDeliveries(session, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return outcomes.filter(({ kind, delivery }) => {
    const row = byId.get(delivery.id);
    if (row === undefined || kind === 'done') return row !== undefined;
    return row.generation === delivery.generation && row.state !== 'failed';
  });
}

/** After COMMIT: what was stored is remembered, its jobs are added, and those who wait hear of it. */
function announce(outcomes: Outcome[], stored: Stored[], deps: OutcomeWriterDeps): void {
  outcomes.forEach((outcome, index) => {
    if (outcome.kind === 'done') remember(outcome, stored[index]?.eventIds ?? [], deps.events);
  });
  deps.dispatcher.dispatch(stored.flatMap(({ jobs }) => jobs));
  const awaited = outcomes
    .filter(({ delivery, kind }) => delivery.awaited && (kind === 'done' || kind === 'failed'))
    .map(({ delivery }) => delivery.storyRunGuid);
  if (awaited.length > 0) deps.onAwaitedProgress([...new Set(awaited)]);
}

/** Only what will be read soon: an event that nobody receives is not. */
function remember(outcome: DoneOutcome, eventIds: number[], cache: EventCache): void {
  outcome.outputs.forEach((output, index) => {
    const id = eventIds[index];
    if (id === undefined || output.receivers.length === 0) return;
    const { agentId } = outcome.delivery;
    cache.add({ id, agentId, payload: output.payload, lineage: parseLineage(outcome.lineage) });
  });
}
