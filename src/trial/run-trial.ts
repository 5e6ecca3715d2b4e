import { Cancellation, type DeliveryRow } from '../engine/face.js';
import type { RecordType } from '../data/face.js';
import type { ImportRequest, StoryGraph } from '../stories/face.js';
import { planGraphs } from './memory/plan-graphs.js';
import { createTrialEngine, type TrialDeps, type TrialRunLimits } from './trial-engine.js';
import { createTrialFindings } from './report/trial-findings.js';
import { createTrialJournal } from './report/trial-journal.js';
import type { KnownNew } from './memory/trial-claims.js';
import type { NoteOutcome } from './memory/trial-outcomes.js';
import { createTrialRecords, recordTypesOf } from './memory/trial-records.js';
import type { TrialReport } from './report/trial-report.js';
import { beginRun, findStartAgent, type TrialRunStart } from './trial-run-start.js';
import { createTrialState, type TrialState, type TrialVariant } from './memory/trial-state.js';

/** The stories of a trial, and how it begins. */
export interface TrialPlan {
  /** The story to run. */
  story: StoryGraph;
  /** It, and the stories that it may call, by id. */
  graphs: ReadonlyMap<number, StoryGraph>;
  recordTypes: RecordType[];
  /** Starts the run; returns the id of the event that it begins with, if an agent emitted one. */
  begin(state: TrialState): number | undefined;
  newGuid: () => string;
  /** Loads a story that is called and not among `graphs`; absent: there is none. @throws PermanentJobError. */
  loadGraph?: (id: number) => Promise<StoryGraph | undefined>;
  variant?: TrialVariant;
  /** Called with the next delivery. */
  onEnter?: (delivery: DeliveryRow) => void;
  /** Whether a deduplicate action let a value through, if that is known. */
  isKnownNew?: KnownNew;
  /** Called with each outcome, after it took effect. */
  onOutcome?: NoteOutcome;
}

/**
 * Runs a story in this process with the server's engine, without stores: one delivery at a time, first in, first out, so
 * that each trial has the same result. Delays, retries and time-outs take no time.
 * @throws Error if the agent to start at does not exist.
 */
export function runTrial(
  request: ImportRequest,
  start: TrialRunStart,
  deps: TrialDeps,
): Promise<TrialReport> {
  const { story, graphs, written } = planGraphs(request);
  const agent = findStartAgent(story, start.agent);
  const newGuid = guidsInOrder();
  const guid = newGuid();
  const begin = (state: TrialState) => beginRun({ story, agent, start, guid }, state);
  return runPlan({ story, graphs, recordTypes: recordTypesOf(written), begin, newGuid }, deps);
}

/** Runs a plan as `runTrial` does. */
export async function runPlan(plan: TrialPlan, deps: TrialDeps): Promise<TrialReport> {
  const { story, graphs, newGuid, variant } = plan;
  const state = createTrialState(variant);
  const journal = createTrialJournal(state, graphs);
  const findings = createTrialFindings();
  const writeRecord = createTrialRecords(plan.recordTypes, state, variant?.firstId);
  const noteOutcome: NoteOutcome = (outcome, eventIds) => {
    journal.noteOutcome(outcome, eventIds);
    plan.onOutcome?.(outcome, eventIds);
  };
  const loadGraph = plan.loadGraph ?? (() => Promise.resolve(undefined));
  const parts = { state, journal, findings, graphs, loadGraph, writeRecord, newGuid, deps };
  const engine = createTrialEngine({ ...parts, noteOutcome, isKnownNew: plan.isKnownNew });
  const eventId = plan.begin(state);
  if (eventId !== undefined) journal.noteStart(eventId);
  const enter = (delivery: DeliveryRow): void => {
    journal.enter(delivery);
    plan.onEnter?.(delivery);
    const reached = graphs.get(delivery.storyId);
    const action = reached?.agents.get(delivery.agentId);
    if (reached !== undefined && action !== undefined) findings.noteReached(reached, action);
  };
  const stopped = await workOff({ state, enter, engine, deps });
  const waiting = stopped === undefined ? journal.waiting() : [];
  return { story: story.name, entries: journal.entries, ...findings.found(), waiting, stopped };
}

/** Returns a maker of guids in the form of UUIDv7, the same in each trial with this prefix of eight digits. */
export function guidsInOrder(prefix = '00000000'): () => string {
  let last = 0;
  return () => `${prefix}-0000-7000-8000-${(++last).toString(16).padStart(12, '0')}`;
}

interface Working {
  state: TrialState;
  /** Called with the next delivery. */
  enter: (delivery: DeliveryRow) => void;
  engine: ReturnType<typeof createTrialEngine>;
  deps: Pick<TrialDeps, 'limits' | 'waitedMs'>;
}

/** Works until no delivery is ready or due later. Returns why it stopped earlier; otherwise undefined. */
async function workOff({ state, enter, engine, deps }: Working): Promise<string | undefined> {
  const stop = new Cancellation();
  const { limits, waitedMs = () => 0 } = deps;
  const began = performance.now() - waitedMs();
  for (;;) {
    const reason = overOf(state, performance.now() - began - waitedMs(), limits);
    if (reason !== undefined) return reason;
    const delivery = state.deliveries.takeReady();
    if (delivery !== undefined) {
      enter(delivery);
      await engine.runDelivery({ deliveryId: delivery.id, generation: delivery.generation }, stop);
    } else if (state.advance()) await engine.outcomes.endGroups();
    else return undefined;
  }
}

function overOf(state: TrialState, tookMs: number, limits: TrialRunLimits): string | undefined {
  const { maxEvents, maxCharacters = Infinity, maxMs = Infinity } = limits;
  if (state.events.size > maxEvents) return `more than ${maxEvents} events: runaway run`;
  if (state.characters() > maxCharacters) return `the events exceed ${maxCharacters} characters`;
  return tookMs > maxMs ? `it took longer than ${maxMs} ms` : undefined;
}
