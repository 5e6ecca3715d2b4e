import { callsInLoop, type EndedCalls } from '../../agents/face.js';
import type { JsonValue } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { findActionInStory, type StoryGraphs } from '../../stories/face.js';
import type { CalledRun, ExitEvent } from '../state/deliveries/call-store.js';
import type { DeliveryRow } from '../state/deliveries/delivery-store.js';
import { createLoopYield } from '../../platform/runtime/loop-yield.js';
import { type DoneOutcome, nothingMore, type UndoneOutcome } from '../state/outcome.js';

export interface CallResultDeps {
  loader: {
    calledRuns(deliveryId: number): Promise<CalledRun[]>;
    exitEvents(guids: string[], agentIds: number[]): Promise<ExitEvent[]>;
  };
  graphs: Pick<StoryGraphs, 'find'>;
}

/** Returns the calls of a delivery, in their order; what their exits gave is read when it is asked for. */
export async function endedCalls(deliveryId: number, deps: CallResultDeps): Promise<EndedCalls> {
  const runs = await deps.loader.calledRuns(deliveryId);
  return { count: runs.length, results: (from) => resultsOf(runs.slice(from), deps) };
}

async function resultsOf(runs: CalledRun[], { graphs, loader }: CallResultDeps): Promise<JsonValue[][]> {
  const exits = new Set<number>();
  for (const storyId of new Set(runs.map((run) => run.storyId))) {
    const story = await graphs.find(storyId);
    for (const { id, guid } of story?.agents.values() ?? []) if (story?.exitGuids.has(guid)) exits.add(id);
  }
  const guids = runs.map(({ guid }) => guid);
  const events = await loader.exitEvents(guids, [...exits]);
  const results = new Map<string, JsonValue[]>(guids.map((guid) => [guid, []]));
  const yieldToLoop = createLoopYield();
  for (const { guid, payload } of events) {
    await yieldToLoop();
    results.get(guid)?.push(parseJson(payload));
  }
  return [...results.values()];
}

/** Returns the outcome of a delivery whose called runs have ended: a loop goes on, any other call is over. */
export async function afterCall(
  delivery: DeliveryRow,
  { graphs }: { graphs: Pick<StoryGraphs, 'find' | 'findCurrent'> },
): Promise<DoneOutcome | UndoneOutcome> {
  const action = await findActionInStory(delivery, graphs);
  if (action === undefined || !callsInLoop(action.agent)) return nothingMore(delivery);
  return { kind: 'sleep', delivery, delayMs: 0, reason: 'delay', error: null, logs: [] };
}
