import { Cancellation } from '../execute/cancellation.js';
import type { DeliveryRow } from '../state/delivery-store.js';
import type { ImportRequest } from '../../stories/import/import-request.js';
import { planGraphs } from './plan-graphs.js';
import { createDryRunEngine, type DryRunDeps } from './dry-run-engine.js';
import { createDryRunFindings } from './report/dry-run-findings.js';
import { createDryRunJournal } from './report/dry-run-journal.js';
import { createRecordWriter } from './memory/dry-run-records.js';
import type { DryRunReport } from './report/dry-run-report.js';
import { beginRun, findStart, type DryRunStart } from './dry-run-start.js';
import { createDryRunState, type DryRunState } from './memory/dry-run-state.js';

/**
 * Runs a story in this process with the server's engine, without stores: one delivery at a time, first in, first out, so
 * that each dry run has the same result. Delays, retries and time-outs take no time.
 * @throws Error if the agent to start at does not exist.
 */
export async function dryRun(
  request: ImportRequest,
  start: DryRunStart,
  deps: DryRunDeps,
): Promise<DryRunReport> {
  const { story, graphs, exports } = planGraphs(request);
  const agent = findStart(story, start.agent);
  const newGuid = guidsInOrder();
  const state = createDryRunState();
  const journal = createDryRunJournal(state, graphs);
  const findings = createDryRunFindings();
  const writeRecord = createRecordWriter(exports, state);
  const engine = createDryRunEngine({ state, journal, findings, graphs, writeRecord, newGuid, deps });
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

/** Returns a maker of guids in the form of UUIDv7, the same in each dry run. */
function guidsInOrder(): () => string {
  let last = 0;
  return () => `00000000-0000-7000-8000-${(++last).toString(16).padStart(12, '0')}`;
}

interface Working {
  state: DryRunState;
  /** Called with the next delivery. */
  enter: (delivery: DeliveryRow) => void;
  engine: ReturnType<typeof createDryRunEngine>;
  maxEvents: number;
}

/** Works until no delivery is ready or due later. Returns why it stopped earlier; otherwise undefined. */
async function workOff({ state, enter, engine, maxEvents }: Working): Promise<string | undefined> {
  const stop = new Cancellation();
  while (state.events.size <= maxEvents) {
    const delivery = state.deliveries.takeReady();
    if (delivery !== undefined) {
      enter(delivery);
      await engine.runDelivery({ deliveryId: delivery.id, generation: delivery.generation }, stop);
    } else if (state.advance()) await engine.outcomes.endGroups();
    else return undefined;
  }
  return `more than ${maxEvents} events: the run counts as a runaway`;
}
