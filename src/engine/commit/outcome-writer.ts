import type { Claim } from '../../agents/agent.js';
import type { Database } from '../../platform/mysql/database.js';
import { RowsMissed } from '../../platform/mysql/db-errors.js';
import { createGroupCommit } from '../../platform/mysql/group-commit.js';
import { fitsPacket } from '../../platform/mysql/insert-rows.js';
import { retryTransient } from '../../platform/mysql/retry-transient.js';
import { messageOf, PayloadTooLarge } from '../../platform/errors.js';
import { findDeliveries } from '../state/delivery-store.js';
import { parseLineage } from '../state/lineage.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import { settleClaims } from './claims/settle-claims.js';
import type { EventCache } from '../state/event-cache.js';
import type { Committed, DoneOutcome, Outcome, SettledOutcome, UndoneOutcome } from '../state/outcome.js';
import { toTokens } from './outcome-rows.js';
import { storeOutcomes } from './store-outcomes.js';
import type { Stored } from './store-outputs.js';

const LIMITS = {
  maxItems: 500,
  maxBytes: 16 * 1024 * 1024,
  // Bounded by the number of jobs under way. Refusing one here would only repeat what its action did outside.
  maxPendingItems: Number.POSITIVE_INFINITY,
  maxPendingBytes: Number.POSITIVE_INFINITY,
};

/** What an action writes that puts out one event for one receiver: the token, the event, the delivery. */
const PLAIN_ROWS = 3;
/** Rows of one batch beyond those: another story's outcome waits for them (docs/performance-archive.md). */
const MAX_MORE_ROWS = 130;

export interface OutcomeWriterDeps {
  database: Database;
  dispatcher: Pick<Dispatcher, 'dispatch'>;
  events: EventCache;
  /** Told, after COMMIT, what was applied, and what each left in the database. Must not throw. */
  onCommitted(outcomes: SettledOutcome[], stored: Stored[]): void;
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
      const [committed] = await retryTransient(() => commit([letter]));
      return { applied: committed?.applied ?? false, eventIds: [], error: letter.error };
    },
    sizeOf: sizeOfOutcome,
    turns: { ownerOf: ({ delivery }) => delivery.storyId, weightOf: moreRowsOf, maxWeight: MAX_MORE_ROWS },
    retryForMs: Number.POSITIVE_INFINITY,
    ...LIMITS,
  });
}

function asFailed(outcome: Outcome, error: unknown): UndoneOutcome & { error: string } {
  const message = `The result could not be stored: ${messageOf(error).slice(0, 500)}`;
  const logs = [{ level: 'error' as const, message }];
  return { kind: 'failed', delivery: outcome.delivery, delayMs: 0, error: message, logs };
}

/** Many plain outcomes are bounded by the jobs under way; one explode is a thousand rows. */
function moreRowsOf(outcome: Outcome): number {
  return Math.max(0, rowsOf(outcome) - PLAIN_ROWS);
}

/** Rows that an outcome writes, about. */
function rowsOf(outcome: Outcome): number {
  if (outcome.kind === 'claim') return rowsOf(outcome.granted);
  if (outcome.kind !== 'done') return 1;
  return outcome.outputs.reduce((rows, { receivers }) => rows + 1 + receivers.length, 1);
}

function sizeOfOutcome(outcome: Outcome): number {
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
  return claim.kind === 'record' ? Buffer.byteLength(JSON.stringify(claim.values)) : 0;
}

/** Found out here: a server that is sent too large a packet just hangs up, like one that is down (rule 5). */
function refuseTooLarge(outcome: Outcome, maxAllowedPacket: number): void {
  const tooLarge = textsOf(outcome).some((text) => !fitsPacket(Buffer.byteLength(text), maxAllowedPacket));
  if (tooLarge) throw new PayloadTooLarge('The event is too large to store');
}

/** All that may be long. */
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
      return outcomes.map((outcome) => committed.get(outcome) ?? { applied: false, eventIds: [] });
    } catch (error) {
      // Not all of the tokens were as expected: nothing is stored, and what is left is looked at again (rule 1).
      if (!(error instanceof RowsMissed)) throw error;
    }
    current = await stillWanted(batch, deps.database);
    if (current.length === 0) return outcomes.map(() => ({ applied: false, eventIds: [] }));
  }
}

/** What a claim came to in vain, its submitter hears. */
function committedAs(
  outcome: Outcome,
  settled: SettledOutcome | undefined,
  stored: Stored | undefined,
): Committed {
  const failed = outcome.kind === 'claim' && settled?.kind === 'failed' ? settled.error : null;
  return {
    applied: true,
    eventIds: stored?.eventIds ?? [],
    ...(failed === null ? {} : { error: failed }),
  };
}

/** One outcome for each delivery: success wins over failure, then the newer generation (rule 9). */
function oncePerDelivery(outcomes: Outcome[]): Outcome[] {
  const chosen = new Map<number, Outcome>();
  for (const outcome of outcomes) {
    const rival = chosen.get(outcome.delivery.id);
    if (rival === undefined || rank(outcome) > rank(rival)) chosen.set(outcome.delivery.id, outcome);
  }
  const spoken = new Set<number>();
  // A token belongs to one outcome of the batch; who consumes several asks for all of them.
  return [...chosen.values()].filter((outcome) => {
    const tokens = outcome.kind === 'done' ? toTokens(outcome) : [outcome.delivery.id];
    if (tokens.some((id) => spoken.has(id))) return false;
    for (const id of tokens) spoken.add(id);
    return true;
  });
}

function rank({ kind, delivery }: Outcome): number {
  return kind === 'done' ? Number.POSITIVE_INFINITY : delivery.generation;
}

/** The outcomes whose tokens are still there; all but success also need their own generation of it. */
async function stillWanted(outcomes: Outcome[], database: Database): Promise<Outcome[]> {
  const ids = outcomes.flatMap((outcome) =>
    outcome.kind === 'done' ? toTokens(outcome) : [outcome.delivery.id],
  );
  const rows = await database.read((session) => findDeliveries(session, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return outcomes.filter((outcome) => {
    if (outcome.kind === 'done') return toTokens(outcome).every((id) => byId.has(id));
    const row = byId.get(outcome.delivery.id);
    if (row === undefined) return false;
    return row.generation === outcome.delivery.generation && row.state !== 'failed';
  });
}

/** After COMMIT: what was stored is remembered, its jobs are added, and those who wait hear of it. */
function announce(outcomes: SettledOutcome[], stored: Stored[], deps: OutcomeWriterDeps): void {
  outcomes.forEach((outcome, index) => {
    if (outcome.kind === 'done') remember(outcome, stored[index]?.eventIds ?? [], deps.events);
  });
  deps.dispatcher.dispatch(stored.flatMap(({ jobs }) => jobs));
  deps.onCommitted(outcomes, stored);
}

/** Only what will be read soon: an event that nobody receives is not. */
function remember(outcome: DoneOutcome, eventIds: number[], cache: EventCache): void {
  outcome.outputs.forEach(({ payload, receivers, origin }, index) => {
    const id = eventIds[index];
    if (id === undefined || receivers.length === 0) return;
    cache.add({ id, agentId: origin.agentId, payload, lineage: parseLineage(origin.lineage) });
  });
}
