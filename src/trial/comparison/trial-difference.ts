import { isDeepStrictEqual } from 'node:util';
import { changesBetween, type ValueChange } from '../../stories/face.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { PastEvent, PastRun } from '../story/story-trial.js';
import type { EventEntry } from '../report/trial-report.js';
import { isWithin, pairEvents, type Variations, variationsOf } from './event-pairs.js';
import type { PastActionOf } from './same-actions.js';

/** An event that is not as in the past run. */
export interface ChangedEvent {
  eventId: number;
  pastId: number;
  changes: ValueChange[];
}

/** The work of one action that is not as in the past run. */
export interface ActionDifference {
  /** Its id in the trial; undefined: the trial did not reach it. */
  agentId: number | undefined;
  /** Its id in the past run; undefined: only the trial has the action. */
  pastAgentId: number | undefined;
  added: number[];
  missing: number[];
  changed: ChangedEvent[];
  /** Undefined: it failed as before. */
  errors: { before: string[]; after: string[] } | undefined;
}

/** The difference of a trial to a past run. */
export interface TrialDifference {
  actions: ActionDifference[];
  /** Parts that differ in each run, such as times: they do not count. */
  varying: { agentId: number; path: string }[];
}

/** A trial beside the past run. */
export interface Compared {
  past: PastRun;
  events: EventEntry[];
  failures: { agentId: number; error: string }[];
  /** The events of the same trial at another time, with other random values. */
  again: EventEntry[];
  pastActionOf: PastActionOf;
  /** The id of the past event in place of an event, as far as the trial found it. */
  pastIdOf: (eventId: number) => number | undefined;
}

/** Compares the events and errors of a trial with those of the past run, action by action. */
export function differenceOf(compared: Compared): TrialDifference {
  const { past, events, again } = compared;
  const pairs = pairEvents({ ...compared, past: past.events });
  const list = createList(compared);
  const varying: TrialDifference['varying'] = [];
  const variations = variationsOf(events, again);
  for (const event of events) {
    const earlier = pairs.get(event.id);
    if (earlier === undefined) list.ofTried(event.agentId).added.push(event.id);
    else noteChanges(event, earlier, { variations, list, varying });
  }
  const found = new Set(pairs.values());
  for (const event of past.events) {
    if (event.agentId !== 0 && !found.has(event)) list.ofPast(event.agentId).missing.push(event.id);
  }
  compareErrors(compared, list);
  return { actions: list.all(), varying };
}

interface Noting {
  variations: Variations;
  list: DifferenceList;
  varying: TrialDifference['varying'];
}

function noteChanges(event: EventEntry, earlier: PastEvent, { variations, list, varying }: Noting): void {
  if (earlier.json === null) return;
  const parts = variations.get(event.id) ?? [];
  const changes: ValueChange[] = [];
  for (const change of changesBetween(parseJson(earlier.json), event.payload)) {
    if (isWithin(change, parts)) varying.push({ agentId: event.agentId, path: change.path });
    else changes.push(change);
  }
  if (changes.length === 0) return;
  list.ofTried(event.agentId).changed.push({ eventId: event.id, pastId: earlier.id, changes });
}

type DifferenceList = ReturnType<typeof createList>;

/** Creates the list of differences: an action of the trial and the one of the past run that it continues are one. */
function createList({ events, failures, pastActionOf }: Compared) {
  const differences = new Map<string, ActionDifference>();
  const tried = new Map<number, number>();
  for (const { agentId } of [...events, ...failures]) {
    const past = pastActionOf(agentId);
    if (past !== undefined) tried.set(past, agentId);
  }
  const of = (agentId: number | undefined, pastAgentId: number | undefined): ActionDifference => {
    const key = pastAgentId === undefined ? `new ${agentId}` : `past ${pastAgentId}`;
    const known = differences.get(key);
    if (known !== undefined) return known;
    const made = { agentId, pastAgentId, added: [], missing: [], changed: [], errors: undefined };
    differences.set(key, made);
    return made;
  };
  return {
    ofTried: (agentId: number) => of(agentId, pastActionOf(agentId)),
    ofPast: (pastAgentId: number) => of(tried.get(pastAgentId), pastAgentId),
    all: () => [...differences.values()],
  };
}

/** The same errors in another order are no difference: branches run side by side. */
function compareErrors({ past, failures, pastActionOf }: Compared, list: DifferenceList): void {
  const before = errorsBy(past.failures.map(({ agentId, error }) => [agentId, error]));
  const after = new Map<number, string[]>();
  for (const [agentId, errors] of errorsBy(failures.map(({ agentId, error }) => [agentId, error]))) {
    const pastAgentId = pastActionOf(agentId);
    if (pastAgentId === undefined) list.ofTried(agentId).errors = { before: [], after: errors };
    else after.set(pastAgentId, errors);
  }
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id) ?? [], after.get(id) ?? []];
    if (!isDeepStrictEqual(was.toSorted(), is.toSorted()))
      list.ofPast(id).errors = { before: was, after: is };
  }
}

function errorsBy(failures: [agentId: number, error: string][]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const [agentId, error] of failures) found.set(agentId, [...(found.get(agentId) ?? []), error]);
  return found;
}
