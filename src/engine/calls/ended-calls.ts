import type { Database } from '../../platform/mysql/database.js';
import { retryTransient } from '../../platform/mysql/retry-transient.js';
import { findEndedCalls } from '../state/call-store.js';
import { nothingMore } from '../state/outcome.js';
import type { OutcomeWriter } from '../commit/outcome-writer.js';

export interface EndedCallsDeps {
  database: Database;
  outcomes: Pick<OutcomeWriter, 'submit'>;
}

/**
 * Consumes the tokens of the agents that called these runs, for runs without work left (rule 13). The events of the
 * calling agents, if any, were stored with the exits.
 */
export async function endCalls(storyRunGuids: string[], deps: EndedCallsDeps): Promise<void> {
  const callers = await retryTransient(() =>
    deps.database.read((session) => findEndedCalls(session, storyRunGuids)),
  );
  await Promise.all(callers.map((caller) => deps.outcomes.submit(nothingMore(caller))));
}
