import { Cancellation, type DeliveryRow } from '../engine/face.js';
import type { RecordType } from '../data/face.js';
import type { ImportRequest, StoryGraph } from '../stories/face.js';
import { planGraphs } from './memory/plan-graphs.js';
import { createDryRunEngine, type DryRunDeps, type DryRunLimits } from './dry-run-engine.js';
import { createDryRunFindings } from './report/dry-run-findings.js';
import { createDryRunJournal } from './report/dry-run-journal.js';
import type { KnownNew } from './memory/dry-run-claims.js';
import type { NoteOutcome } from './memory/dry-run-outcomes.js';
import { createDryRunRecords, recordTypesOf } from './memory/dry-run-records.js';
import type { DryRunReport } from './report/dry-run-report.js';
import { beginRun, findStartAgent, type DryRunStart } from './dry-run-start.js';
import { createDryRunState, type DryRunState, type DryRunVariant } from './memory/dry-run-state.js';

/** The stories of a dry run, and how it begins. */
export interface DryRunPlan {
  /** The story to run. */
  story: StoryGraph;
  /** It, and the stories that it may call, by id. */
  graphs: ReadonlyMap<number, StoryGraph>;
  recordTypes: RecordType[];
  /** Starts the run; returns the id of the event that it begins with, if an agent emitted one. */
  begin(state: DryRunState): number | undefined;
  newGuid: () => string;
  /** Loads a story that is called and not among `graphs`; absent: there is none. @throws PermanentJobError. */
  loadGraph?: (id: number) => Promise<StoryGraph | undefined>;
  variant?: DryRunVariant;
  /** Called with the next delivery. */
  onEnter?: (delivery: DeliveryRow) => void;
  /** Whether a deduplicate action let a value through, if that is known. */
  isKnownNew?: KnownNew;
  /** Called with each outcome, after it took effect. */
  onOutcome?: NoteOutcome;
}

/**
 * Runs a story in this process with the server's engine, without stores: one delivery at a time, first in, first out, so
 * that each dry run has the same result. Delays, retries and time-outs take no time.
 * @throws Error if the agent to start at does not exist.
 */
export function dryRun(request: ImportRequest, start: DryRunStart, deps: DryRunDeps): Promise<DryRunReport> {
  const { story, graphs, written } = planGraphs(request);
  const agent = findStartAgent(story, start.agent);
  const newGuid = guidsInOrder();
  const guid = newGuid();
  const begin = (state: DryRunState) => beginRun({ story, agent, start, guid }, state);
  return runPlan({ story, graphs, recordTypes: recordTypesOf(written), begin, newGuid }, deps);
}

/** Runs a plan as `dryRun` does. */
export async function runPlan(plan: DryRunPlan, deps: DryRunDeps): Promise<DryRunReport> {
  const { story, graphs, newGuid, variant } = plan;
  const state = createDryRunState(variant);
  const journal = createDryRunJournal(state, graphs);
  const findings = createDryRunFindings();
  const writeRecord = createDryRunRecords(plan.recordTypes, state, variant?.firstId);
  const noteOutcome: NoteOutcome = (outcome, eventIds) => {
    journal.noteOutcome(outcome, eventIds);
    plan.onOutcome?.(outcome, eventIds);
  };
  const loadGraph = plan.loadGraph ?? (() => Promise.resolve(undefined));
  const parts = { state, journal, findings, graphs, loadGraph, writeRecord, newGuid, deps };
  const engine = createDryRunEngine({ ...parts, noteOutcome, isKnownNew: plan.isKnownNew });
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

/** Returns a maker of guids in the form of UUIDv7, the same in each dry run with this prefix of eight digits. */
export function guidsInOrder(prefix = '00000000'): () => string {
  let last = 0;
  return () => `${prefix}-0000-7000-8000-${(++last).toString(16).padStart(12, '0')}`;
}

interface Working {
  state: DryRunState;
  /** Called with the next delivery. */
  enter: (delivery: DeliveryRow) => void;
  engine: ReturnType<typeof createDryRunEngine>;
  deps: Pick<DryRunDeps, 'limits' | 'waitedMs'>;
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

function overOf(state: DryRunState, tookMs: number, limits: DryRunLimits): string | undefined {
  const { maxEvents, maxCharacters = Infinity, maxMs = Infinity } = limits;
  if (state.events.size > maxEvents) return `more than ${maxEvents} events: runaway run`;
  if (state.characters() > maxCharacters) return `the events exceed ${maxCharacters} characters`;
  return tookMs > maxMs ? `it took longer than ${maxMs} ms` : undefined;
}
