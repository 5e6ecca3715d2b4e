import { type Claim, parseLineage } from '../../agents/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { RowsMissed } from '../../platform/mysql/db-errors.js';
import { type BatchMeter, createGroupCommit } from '../../platform/mysql/commit/group-commit.js';
import { fitsPacket } from '../../platform/mysql/statements/insert-rows.js';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import { messageOf, PayloadTooLarge } from '../../platform/errors.js';
import { findDeliveries } from '../state/deliveries/delivery-store.js';
import type { Dispatcher } from '../dispatch/adding/dispatcher.js';
import type { CommitEvent } from './commit-event.js';
import { settleClaims } from './claims/settle-claims.js';
import type { EventCache } from '../state/events/event-cache.js';
import {
  type Committed,
  deadLetter,
  type DoneOutcome,
  type Outcome,
  type SettledOutcome,
  type UndoneOutcome,
} from '../state/outcome.js';
import type { HandleFailure } from '../dispatch/adding/failure-links.js';
import { isSuccess, toTokens } from './outcome-rows.js';
import { storeOutcomes } from './store-outcomes.js';
import type { Stored } from './store-outputs.js';
import { createUnknownCommits } from './unknown-commits.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

const LIMITS = {
  maxItems: 500,
  maxBytes: 16 * 1024 * 1024,
  // The number of running jobs is the bound. Refusing an outcome would only repeat the agent's requests.
  maxPendingItems: Number.POSITIVE_INFINITY,
  maxPendingBytes: Number.POSITIVE_INFINITY,
};

/** Rows of an outcome with one event for one receiver: the token, the event, the delivery. */
const PLAIN_ROWS = 3;
/** Most further rows of one batch, as other stories' outcomes wait for them. With plain rows counted too, plain batches were cut up. */
const MAX_MORE_ROWS = 130;

export interface OutcomeWriterDeps {
  database: Database;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  events: EventCache;
  /** Called with each dead letter before it is stored. */
  handleFailure: HandleFailure;
  /** Published after COMMIT. */
  committed: Pick<CommitEvent, 'publish'>;
  /** Counts batches; absent: they are not counted. */
  meter?: BatchMeter | undefined;
}

/** Stores the outcomes of agents. */
export interface OutcomeWriter {
  /** Resolves when the outcome is committed, or dropped because another worker was faster. */
  submit(outcome: Outcome): Promise<Committed>;
  drain(): Promise<void>;
}

/**
 * Stores the outcomes of finished jobs together in one transaction: consumes tokens, stores outputs and failures. While
 * the database is unreachable, outcomes wait: giving up would repeat the agents' requests.
 */
export function createOutcomeWriter(deps: OutcomeWriterDeps): OutcomeWriter {
  const unknown = createUnknownCommits(deps);
  const commit = (outcomes: Outcome[]) =>
    unknown.settle(outcomes.map(runOf), () => commitOutcomes(outcomes, deps));
  const writer = createGroupCommit<Outcome, Committed>({
    name: 'outcomes',
    commit,
    reject: (outcome, error) => rejected(asFailed(outcome, error), outcome, { commit, deps }),
    sizeOf: sizeOfOutcome,
    turns: { ownerOf: ({ delivery }) => delivery.storyId, weightOf: moreRowsOf, maxWeight: MAX_MORE_ROWS },
    retryForMs: Number.POSITIVE_INFINITY,
    meter: deps.meter,
    ...LIMITS,
  });
  return {
    submit: async (outcome) =>
      writer.submit(outcome.kind === 'failed' ? await deps.handleFailure(outcome) : outcome),
    drain: () => writer.drain(),
  };
}

const runOf = ({ delivery }: Outcome): string => delivery.storyRunGuid;

interface Rejecting {
  commit: (outcomes: Outcome[]) => Promise<Committed[]>;
  deps: Pick<OutcomeWriterDeps, 'handleFailure'>;
}

/**
 * Stores the letter of an outcome that cannot be stored: down the failure links, or as dead letter with the reason
 * (rule 4). An outcome that is itself an error for failure links, or the letter of one, only becomes a dead letter.
 */
async function rejected(
  letter: UndoneOutcome & { error: string },
  outcome: Outcome,
  { commit, deps }: Rejecting,
): Promise<Committed> {
  const isError = outcome.kind === 'failed' || (outcome.kind === 'done' && outcome.failure !== undefined);
  const handled = isError ? letter : await deps.handleFailure(letter);
  const [committed = NOT_APPLIED] = await retryTransient(() => commit([handled]));
  return { ...committed, error: letter.error };
}

const NOT_APPLIED: Committed = { applied: false, eventIds: [] };

function asFailed(outcome: Outcome, error: unknown): UndoneOutcome & { error: string } {
  const message = `The result could not be stored: ${messageOf(error).slice(0, 500)}`;
  return { ...deadLetter(outcome.delivery, message), error: message };
}

/** Returns the rows beyond `PLAIN_ROWS`. Running jobs bound plain outcomes, but one explode has a thousand rows. */
function moreRowsOf(outcome: Outcome): number {
  return Math.max(0, rowsOf(outcome) - PLAIN_ROWS);
}

/** Returns the approximate number of rows of an outcome. */
function rowsOf(outcome: Outcome): number {
  if (outcome.kind === 'claim') return rowsOf(outcome.granted);
  if (outcome.kind !== 'done') return 1;
  return outcome.outputs.reduce((rows, { receivers }) => rows + 1 + receivers.length, 1);
}

function sizeOfOutcome(outcome: Outcome): number {
  return sizeOfWork(outcome) + sizeOfLogs(outcome);
}

function sizeOfLogs({ logs }: Outcome): number {
  return (logs ?? []).reduce(
    (sum, { request, response }) => sum + (request?.length ?? 0) + (response?.length ?? 0),
    0,
  );
}

function sizeOfWork(outcome: Outcome): number {
  if (outcome.kind === 'claim') return sizeOfOutcome(outcome.granted) + sizeOfClaim(outcome.claim);
  if (outcome.kind === 'parked')
    return (outcome.item?.item.length ?? 0) + (outcome.call?.start.input.length ?? 0);
  if (outcome.kind !== 'done') return outcome.error?.length ?? 0;
  return outcome.outputs.reduce(
    (sum, { payload, origin }) => sum + Buffer.byteLength(payload) + origin.lineage.length,
    0,
  );
}

function sizeOfClaim(claim: Claim): number {
  return claim.kind === 'record' ? Buffer.byteLength(stringifyJson(claim.values)) : 0;
}

/** Checks packets here: MySQL closes the connection on one that is too large, as if it were down (rule 5). */
function refuseTooLarge(outcome: Outcome, maxAllowedPacket: number): void {
  const tooLarge = textsOf(outcome).some((text) => !fitsPacket(Buffer.byteLength(text), maxAllowedPacket));
  if (tooLarge) throw new PayloadTooLarge('The event is too large to store');
}

/** Returns the texts of an outcome that may be long. */
function textsOf(outcome: Outcome): string[] {
  if (outcome.kind === 'claim') return [...textsOf(outcome.granted), ...textsOf(outcome.refused)];
  if (outcome.kind === 'parked') return [outcome.item?.item ?? '', outcome.call?.start.input ?? ''];
  return outcome.kind === 'done' ? outcome.outputs.map(({ payload }) => payload) : [];
}

async function commitOutcomes(outcomes: Outcome[], deps: OutcomeWriterDeps): Promise<Committed[]> {
  const { maxAllowedPacket } = await deps.database.facts();
  for (const outcome of outcomes) refuseTooLarge(outcome, maxAllowedPacket);
  let current = oncePerDelivery(outcomes);
  for (;;) {
    const batch = current;
    try {
      const { settled, stored } = await deps.database.groupTransaction(async (session) => {
        const decided = await settleClaims(session, batch);
        return { settled: decided, stored: await storeOutcomes(session, decided) };
      });
      announce(settled, stored, deps);
      const committed = new Map(
        batch.map((outcome, index) => [outcome, committedAs(outcome, settled[index], stored[index])]),
      );
      return outcomes.map((outcome) => committed.get(outcome) ?? NOT_APPLIED);
    } catch (error) {
      // Some tokens were not as expected: nothing is stored, and the remaining outcomes are tried again (rule 1).
      if (!(error instanceof RowsMissed)) throw error;
    }
    current = await stillWanted(batch, deps.database);
    if (current.length === 0) return outcomes.map(() => NOT_APPLIED);
  }
}

/** Returns the result for the submitter, with the error if settling its claim failed. */
function committedAs(
  outcome: Outcome,
  settled: SettledOutcome | undefined,
  stored: Stored | undefined,
): Committed {
  const handled = settled?.kind === 'done' && settled.failure !== undefined;
  const failed = outcome.kind === 'claim' && settled?.kind === 'failed' ? settled.error : null;
  const error = handled ? settled.failure : (failed ?? undefined);
  return {
    applied: true,
    eventIds: stored?.eventIds ?? [],
    ...(handled ? { handled } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

/** Returns one outcome per delivery: success wins over failure, then the newer generation (rule 9). */
function oncePerDelivery(outcomes: Outcome[]): Outcome[] {
  const chosen = new Map<number, Outcome>();
  for (const outcome of outcomes) {
    const rival = chosen.get(outcome.delivery.id);
    if (rival === undefined || rank(outcome) > rank(rival)) chosen.set(outcome.delivery.id, outcome);
  }
  const spoken = new Set<number>();
  // Each token belongs to one outcome of the batch; an outcome with several tokens needs all of them.
  return [...chosen.values()].filter((outcome) => {
    const tokens = outcome.kind === 'done' ? toTokens(outcome) : [outcome.delivery.id];
    if (tokens.some((id) => spoken.has(id))) return false;
    for (const id of tokens) spoken.add(id);
    return true;
  });
}

function rank(outcome: Outcome): number {
  return isSuccess(outcome) ? Number.POSITIVE_INFINITY : outcome.delivery.generation;
}

/** Returns the outcomes whose tokens still exist; all but successes also need the same generation. */
async function stillWanted(outcomes: Outcome[], database: Database): Promise<Outcome[]> {
  const ids = outcomes.flatMap((outcome) =>
    outcome.kind === 'done' ? toTokens(outcome) : [outcome.delivery.id],
  );
  const rows = await database.read((session) => findDeliveries(session, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return outcomes.filter((outcome) => {
    if (isSuccess(outcome)) return toTokens(outcome).every((id) => byId.has(id));
    const row = byId.get(outcome.delivery.id);
    if (row === undefined) return false;
    return row.generation === outcome.delivery.generation && row.state !== 'failed';
  });
}

/** After COMMIT: caches the new events, adds the jobs and starts the follow-up. */
function announce(outcomes: SettledOutcome[], stored: Stored[], deps: OutcomeWriterDeps): void {
  outcomes.forEach((outcome, index) => {
    if (outcome.kind === 'done') remember(outcome, stored[index]?.eventIds ?? [], deps.events);
  });
  deps.dispatcher.dispatch(stored.flatMap(({ jobs }) => jobs));
  deps.committed.publish(outcomes, stored);
}

/** Caches events that will be read soon, so not those without receivers. */
function remember(outcome: DoneOutcome, eventIds: number[], cache: EventCache): void {
  outcome.outputs.forEach(({ payload, receivers, origin }, index) => {
    const id = eventIds[index];
    if (id === undefined || receivers.length === 0) return;
    cache.add({ id, agentId: origin.agentId, payload, lineage: parseLineage(origin.lineage) });
  });
}
