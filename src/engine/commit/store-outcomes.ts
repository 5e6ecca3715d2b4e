import type { Script } from '../../platform/mysql/statement-batch.js';
import { insertCalls } from '../state/call-store.js';
import { consumeTokens, updateDeliveries } from '../state/delivery-store.js';
import { forgetImplodeItems, insertImplodeItems } from '../state/implode-store.js';
import { insertLogLines } from '../state/log-store.js';
import { insertPrompts } from '../state/prompt-store.js';
import { insertStarts } from '../state/start-store.js';
import type { DoneOutcome, ParkedOutcome, SettledOutcome } from '../state/outcome.js';
import { toItems, toLogLines, toPrompts, toTokens, toUpdate } from './outcome-rows.js';
import { NOTHING_STORED, type Stored, storeOutputs } from './store-outputs.js';

/** What the outcomes of one kind left in the database, each; once the script has run. */
type Results = () => [SettledOutcome, Stored][];

/**
 * Writes the outcomes, in the order of locks that everybody keeps (rule 2): state rows were locked before, then the tokens
 * ascending, then inserts. The script ends with RowsMissed where a token is not as its outcome expects it (rule 1). Gives
 * what each left in the database; once the script has run.
 */
export function storeOutcomes(script: Script, outcomes: SettledOutcome[]): () => Stored[] {
  const done = outcomes.filter((outcome) => outcome.kind === 'done');
  const others = outcomes.filter((outcome) => outcome.kind !== 'done');
  // Exactly so many, as the tokens: a failure of an older generation leaves nothing behind, no log line either.
  if (others.length > 0) updateDeliveries(script, others.map(toUpdate));
  const parked = others.filter((outcome) => outcome.kind === 'parked');
  const results = [storeDone(script, done), storeParked(script, parked)];
  forgetItems(script, outcomes);
  insertLogLines(script, outcomes.flatMap(toLogLines));
  return () => {
    const storedOf = new Map(results.flatMap((resultsOf) => resultsOf()));
    return outcomes.map((outcome) => storedOf.get(outcome) ?? NOTHING_STORED);
  };
}

function storeDone(script: Script, done: DoneOutcome[]): Results {
  if (done.length === 0) return () => [];
  consumeTokens(script, done.flatMap(toTokens));
  const { eventRefs, stored } = storeOutputs(script, done);
  insertPrompts(
    script,
    done.flatMap((outcome, index) => toPrompts(outcome, eventRefs[index] ?? [])),
  );
  return () => pair(done, stored());
}

/** What they brought to their group, and the runs that they call. */
function storeParked(script: Script, parked: ParkedOutcome[]): Results {
  insertImplodeItems(script, parked.flatMap(toItems));
  const calling = parked.flatMap((outcome) =>
    outcome.call === undefined ? [] : [{ outcome, ...outcome.call }],
  );
  const jobs = insertStarts(
    script,
    calling.map(({ start }) => start),
  );
  insertCalls(
    script,
    calling.map(({ call }) => call),
  );
  return () =>
    pair(
      calling.map(({ outcome }) => outcome),
      jobs().map((job) => ({ ...NOTHING_STORED, jobs: [job] })),
    );
}

function pair(outcomes: SettledOutcome[], stored: Stored[]): [SettledOutcome, Stored][] {
  return outcomes.map((outcome, index) => [outcome, stored[index] ?? NOTHING_STORED]);
}

/** What parked deliveries brought to their groups goes with them. */
function forgetItems(script: Script, outcomes: SettledOutcome[]): void {
  const parked = outcomes.filter(({ delivery }) => delivery.state === 'parked');
  const ids = parked.flatMap((outcome) =>
    outcome.kind === 'done' ? toTokens(outcome) : [outcome.delivery.id],
  );
  if (ids.length > 0) forgetImplodeItems(script, ids);
}
