import type { Session } from '../../platform/mysql/session.js';
import { insertCalls } from '../state/deliveries/call-store.js';
import { consumeFailed, consumeTokens, updateDeliveries } from '../state/deliveries/delivery-store.js';
import { insertEventMarks } from '../state/events/event-mark-store.js';
import { deleteImplodeItems, insertImplodeItems } from '../state/deliveries/implode-store.js';
import { forgetExchanges, insertLogLines, MOST_EXCHANGES } from '../state/events/log-store.js';
import { insertPrompts } from '../state/deliveries/prompt-store.js';
import { insertStarts } from '../state/runs/start-store.js';
import type { DoneOutcome, ParkedOutcome, SettledOutcome } from '../state/outcome.js';
import { isSuccess, toItems, toLogLines, toMarks, toPrompts, toTokens, toUpdate } from './outcome-rows.js';
import { countOutputs, NOTHING_STORED, type Stored, storeOutputs } from './store-outputs.js';

/** The stored rows of each outcome of one kind. */
type Results = [SettledOutcome, Stored][];

/**
 * Stores the outcomes with one statement per table. All writers lock in the same order (rule 2): state rows (locked by the
 * caller), then the tokens ascending, then inserts. Returns what was stored for each outcome, in order.
 * @throws RowsMissed if a token is not as its outcome expects it (rule 1); the transaction must end then.
 */
export async function storeOutcomes(session: Session, outcomes: SettledOutcome[]): Promise<Stored[]> {
  const done = outcomes.filter((outcome) => outcome.kind === 'done');
  const others = outcomes.filter((outcome) => outcome.kind !== 'done');
  // All or none, as with tokens: a failure of an older generation stores nothing, not even a log line.
  if (others.length > 0) await updateDeliveries(session, others.map(toUpdate));
  const parked = others.filter((outcome) => outcome.kind === 'parked');
  const storedOf = new Map([...(await storeDone(session, done)), ...(await storeParked(session, parked))]);
  await deleteItems(session, outcomes);
  await insertLogLines(session, outcomes.flatMap(toLogLines));
  await forgetExchanges(
    session,
    outcomes.filter(mayHaveMany).map(({ delivery }) => delivery.id),
  );
  return outcomes.map((outcome) => storedOf.get(outcome) ?? NOTHING_STORED);
}

/** Returns true if more exchanges of failed attempts may be kept of the delivery than are to be. */
function mayHaveMany({ delivery, logs }: SettledOutcome): boolean {
  const isMore = delivery.retries > 0 || delivery.attempts >= MOST_EXCHANGES;
  return isMore && logs.some(({ attempt }) => attempt !== undefined);
}

async function storeDone(session: Session, done: DoneOutcome[]): Promise<Results> {
  if (done.length === 0) return [];
  session.ids.prefetch(countOutputs(done));
  const failures = done.filter((outcome) => !isSuccess(outcome));
  if (failures.length > 0)
    await consumeFailed(
      session,
      failures.map(({ delivery }) => delivery),
    );
  const successes = failures.length > 0 ? done.filter(isSuccess) : done;
  if (successes.length > 0) await consumeTokens(session, successes.flatMap(toTokens));
  const stored = await storeOutputs(session, done);
  await insertEventMarks(
    session,
    failures.flatMap((outcome) => toMarks(outcome, stored[done.indexOf(outcome)]?.eventIds ?? [])),
  );
  await insertPrompts(
    session,
    done.flatMap((outcome, index) => toPrompts(outcome, stored[index]?.eventIds ?? [])),
  );
  return pair(done, stored);
}

/** Stores the implode items of parked deliveries, and the runs that they call. */
async function storeParked(session: Session, parked: ParkedOutcome[]): Promise<Results> {
  await insertImplodeItems(session, parked.flatMap(toItems));
  const calling = parked.flatMap((outcome) =>
    outcome.call === undefined ? [] : [{ outcome, ...outcome.call }],
  );
  const jobs = await insertStarts(
    session,
    calling.map(({ start }) => start),
  );
  await insertCalls(
    session,
    calling.map(({ call }) => call),
  );
  return pair(
    calling.map(({ outcome }) => outcome),
    jobs.map((job) => ({ ...NOTHING_STORED, jobs: [job] })),
  );
}

function pair(outcomes: SettledOutcome[], stored: Stored[]): Results {
  return outcomes.map((outcome, index) => [outcome, stored[index] ?? NOTHING_STORED]);
}

/** Deletes the implode items of deliveries that are no longer parked. */
async function deleteItems(session: Session, outcomes: SettledOutcome[]): Promise<void> {
  const parked = outcomes.filter(({ delivery }) => delivery.state === 'parked');
  const ids = parked.flatMap((outcome) =>
    outcome.kind === 'done' ? toTokens(outcome) : [outcome.delivery.id],
  );
  if (ids.length > 0) await deleteImplodeItems(session, ids);
}
