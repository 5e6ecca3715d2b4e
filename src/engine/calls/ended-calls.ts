import type { Database } from '../../platform/mysql/database.js';
import { retryTransient } from '../../platform/mysql/connections/retry-transient.js';
import { findEndedCalls } from '../state/deliveries/call-store.js';
import type { OutcomeWriter } from '../commit/outcome-writer.js';
import type { StoryGraphs } from '../../stories/face.js';
import { afterCall } from './call-results.js';

export interface EndedCallsDeps {
  database: Database;
  outcomes: Pick<OutcomeWriter, 'submit'>;
  graphs: Pick<StoryGraphs, 'find' | 'findCurrent'>;
}

/**
 * Consumes the tokens of the agents that called these runs, for runs without work left (rule 13). The events of the
 * calling agents, if any, were stored with the exits; one that loops makes its next call.
 */
export async function endCalls(storyRunGuids: string[], deps: EndedCallsDeps): Promise<void> {
  const callers = await retryTransient(() =>
    deps.database.read((session) => findEndedCalls(session, storyRunGuids)),
  );
  await Promise.all(callers.map(async (caller) => deps.outcomes.submit(await afterCall(caller, deps))));
}
