import { Stop } from '../execute/cancellation.js';
import type { DeliveryRow } from '../state/delivery-store.js';
import type { ImportRequest } from '../../stories/import/import-request.js';
import { planGraphs } from './plan-graphs.js';
import { createTrialEngine, type TrialDeps } from './trial-engine.js';
import { createTrialFindings } from './trial-findings.js';
import { createTrialJournal } from './trial-journal.js';
import { createRecordWriter } from './trial-records.js';
import type { TrialReport } from './trial-report.js';
import { beginRun, findStart, type TrialStart } from './trial-start.js';
import { createTrialState, type TrialState } from './trial-state.js';

/**
 * Runs a story in this process, without stores, with the engine of the server: one delivery at a time, first in, first
 * out, so that a story comes out the same each time. Delays, retries and time-outs take no time.
 * @throws Error when there is no such action to begin at.
 */
export async function runTrial(
  request: ImportRequest,
  start: TrialStart,
  deps: TrialDeps,
): Promise<TrialReport> {
  const { story, graphs, exports } = planGraphs(request);
  const agent = findStart(story, start.agent);
  const newGuid = guidsInOrder();
  const state = createTrialState();
  const journal = createTrialJournal(state, graphs);
  const findings = createTrialFindings();
  const writeRecord = createRecordWriter(exports, state);
  const engine = createTrialEngine({ state, journal, findings, graphs, writeRecord, newGuid, deps });
  const eventId = beginRun({ story, agent, start, guid: newGuid() }, state);
  if (eventId !== undefined) journal.noteStart(eventId);
  const enter = (delivery: DeliveryRow): void => {
    journal.enter(delivery);
    const reached = graphs.get(delivery.storyId);
    const action = reached?.agents.get(delivery.agentId);
    if (reached !== undefined && action !== undefined) findings.noteReached(reached, action);
  };
  const stopped = await workOff({ state, enter, engine, maxEvents: deps.limits.maxEvents });
  const waiting = stopped === undefined ? journal.waiting() : [];
  return { story: story.name, entries: journal.entries, ...findings.found(), waiting, stopped };
}

/** The same in each trial, of the form of UUIDv7. */
function guidsInOrder(): () => string {
  let last = 0;
  return () => `00000000-0000-7000-8000-${(++last).toString(16).padStart(12, '0')}`;
}

interface Working {
  state: TrialState;
  /** Told what is worked on next. */
  enter: (delivery: DeliveryRow) => void;
  engine: ReturnType<typeof createTrialEngine>;
  maxEvents: number;
}

/** Works until nothing is left that time would bring; gives why it stopped before. */
async function workOff({ state, enter, engine, maxEvents }: Working): Promise<string | undefined> {
  const stop = new Stop();
  while (state.events.size <= maxEvents) {
    const delivery = state.deliveries.takeReady();
    if (delivery !== undefined) {
      enter(delivery);
      await engine.runDelivery({ deliveryId: delivery.id, generation: delivery.generation }, stop);
    } else if (state.advance()) await engine.outcomes.endGroups();
    else return undefined;
  }
  return `more than ${maxEvents} events: it is taken for a run that never ends`;
}
