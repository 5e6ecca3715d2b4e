import type { Session } from '../db/session.js';
import { insertCalls } from '../events/call-store.js';
import { deleteDeliveries, updateDeliveries } from '../events/delivery-store.js';
import { deleteImplodeItems, insertImplodeItems } from '../events/implode-store.js';
import { insertLogLines } from '../events/log-store.js';
import { insertPrompts } from '../events/prompt-store.js';
import { insertStarts } from '../events/start-store.js';
import type { DoneOutcome, ParkedOutcome, SettledOutcome } from './outcome.js';
import { toItems, toLogLines, toPrompts, toTokens, toUpdate } from './outcome-rows.js';
import { NOTHING_STORED, type Stored, storeOutputs } from './store-outputs.js';

/** Not all of the deliveries were as expected: the transaction is undone, and what is left is looked at again (rule 1). */
export class TokensGone extends Error {}

/** One outcome on its way into the database. */
type Results = Map<SettledOutcome, Stored>;

/**
 * Writes the outcomes in the caller's transaction, in the order of locks that everybody keeps (rule 2): state rows
 * were locked before, then the tokens ascending, then inserts.
 * @throws TokensGone when a token is not as its outcome expects it.
 */
export async function storeOutcomes(
  session: Session,
  outcomes: SettledOutcome[],
  idStep: number,
): Promise<Stored[]> {
  const done = outcomes.filter((outcome) => outcome.kind === 'done');
  const others = outcomes.filter((outcome) => outcome.kind !== 'done');
  // Counted, as the tokens are: a failure of an older generation leaves nothing behind, no log line either.
  if (others.length > 0 && (await updateDeliveries(session, others.map(toUpdate))) !== others.length) {
    throw new TokensGone();
  }
  const results: Results = new Map();
  if (done.length > 0) await storeDone(session, done, { idStep, results });
  const parked = others.filter((outcome) => outcome.kind === 'parked');
  if (parked.length > 0) await storeParked(session, parked, { idStep, results });
  await forgetItems(session, outcomes);
  const lines = outcomes.flatMap(toLogLines);
  if (lines.length > 0) await insertLogLines(session, lines);
  return outcomes.map((outcome) => results.get(outcome) ?? NOTHING_STORED);
}

interface Into {
  idStep: number;
  results: Results;
}

async function storeDone(session: Session, done: DoneOutcome[], into: Into): Promise<void> {
  const ids = done.flatMap(toTokens);
  // Fewer than asked for: somebody was faster with one of them (rule 1).
  if ((await deleteDeliveries(session, ids)) !== ids.length) throw new TokensGone();
  const stored = await storeOutputs(session, done, into.idStep);
  const prompts = done.flatMap((outcome, index) => toPrompts(outcome, stored[index]?.eventIds ?? []));
  if (prompts.length > 0) await insertPrompts(session, prompts);
  stored.forEach((left, index) => {
    const outcome = done[index];
    if (outcome !== undefined) into.results.set(outcome, left);
  });
}

/** What they brought to their group, and the runs that they call. */
async function storeParked(session: Session, parked: ParkedOutcome[], into: Into): Promise<void> {
  const items = parked.flatMap(toItems);
  if (items.length > 0) await insertImplodeItems(session, items);
  const calling = parked.flatMap((outcome) =>
    outcome.call === undefined ? [] : [{ outcome, ...outcome.call }],
  );
  if (calling.length === 0) return;
  const jobs = await insertStarts(
    session,
    calling.map(({ start }) => start),
    into.idStep,
  );
  await insertCalls(
    session,
    calling.map(({ call }) => call),
  );
  calling.forEach(({ outcome }, index) =>
    into.results.set(outcome, { ...NOTHING_STORED, jobs: jobs.slice(index, index + 1) }),
  );
}

/** What parked deliveries brought to their groups goes with them. */
async function forgetItems(session: Session, outcomes: SettledOutcome[]): Promise<void> {
  const parked = outcomes.filter(({ delivery }) => delivery.state === 'parked');
  const ids = parked.flatMap((outcome) =>
    outcome.kind === 'done' ? toTokens(outcome) : [outcome.delivery.id],
  );
  if (ids.length > 0) await deleteImplodeItems(session, ids);
}
