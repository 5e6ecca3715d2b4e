import { AGENT_TYPES } from '../../agents/face.js';
import type { ActionMeter, ActionOutcome, DeliverySummary } from '../../engine/face.js';
import type { Instruments } from '../../platform/metrics/metric-registry.js';
import type { MetricList } from './metric-list.js';

type ActionInstruments = Pick<Instruments<MetricList>, 'actions' | 'actionWorkSeconds' | 'storyActions'>;

/** The label of a delivery that could not be run, and of a type that cannot run here. */
const UNKNOWN = 'unknown';
/** The label of a delivery that ran in a process of its own (notes/runs.md, Run alone). */
const ISOLATED = 'alone';
/** The label of stories beyond the bound. */
const OTHER = 'other';

/** Counts deliveries by type and outcome; the first `mostStories` stories also by their ids. */
export function createActionCounts(instruments: ActionInstruments, mostStories: number): ActionMeter {
  const { actions, actionWorkSeconds, storyActions } = instruments;
  const storyLabel = createStoryLabels(mostStories);
  return {
    ran({ type: agentType, storyId, outcome, workMs }) {
      const type = LABELS.get(agentType ?? '') ?? UNKNOWN;
      actions.inc({ type, outcome });
      if (workMs !== undefined) actionWorkSeconds.observe({ type }, workMs / 1000);
      if (mostStories > 0) storyActions.inc({ story: storyLabel(storyId), outcome });
    },
  };
}

/** Counts a delivery that ran in a process of its own, by its summary. */
export function countIsolated(summary: DeliverySummary, actions: ActionInstruments['actions']): void {
  const outcome = outcomeOf(summary);
  if (outcome !== undefined) actions.inc({ type: ISOLATED, outcome });
}

function outcomeOf({ outcome, eventIds = [] }: DeliverySummary): ActionOutcome | undefined {
  if (outcome === 'gone') return undefined;
  if (outcome === 'failed') return 'dead';
  if (outcome === 'done') return eventIds.length > 0 ? 'event' : 'none';
  return outcome === 'retry' || outcome === 'handled' ? outcome : 'later';
}

/** Labels by type: `Agents::HTTPRequestAgent` → `http_request`. */
const LABELS: ReadonlyMap<string, string> = new Map(
  [...AGENT_TYPES.keys()].map((type) => [type, labelOf(type)]),
);

function labelOf(type: string): string {
  const words = type.replace(/^Agents::/, '').replace(/Agent$/, '');
  return words.replace(/([a-z])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$&_').toLowerCase();
}

function createStoryLabels(most: number): (storyId: number) => string {
  const known = new Set<number>();
  return (storyId) => {
    if (!known.has(storyId)) {
      if (known.size >= most) return OTHER;
      known.add(storyId);
    }
    return String(storyId);
  };
}
