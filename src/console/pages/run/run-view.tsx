import { useMemo } from 'react';
import { Failed, Loading } from '../../ui/states.js';
import { StoryCanvas } from '../../canvas/story-canvas.js';
import type { Graph } from '../../canvas/graph.js';
import { useGraph } from '../story/story-data.js';
import type { Action, Statistics } from '../../../../clients/typescript/api.js';
import type { Facts } from '../../canvas/graph-elements.js';
import type { Step } from './run-tree.js';
import { Timeline } from './timeline.js';

/** Modes of transformations that wait by their options. */
const WAITS: readonly unknown[] = ['delay', 'throttle', 'implode'];

interface RunViewProps {
  storyId: number;
  steps: Step[];
  view: 'timeline' | 'canvas';
  chosen: string;
  onChoose: (key: string) => void;
}

/** The run as a timeline, or as a path on the canvas of its story. */
export function RunView({ storyId, steps, view, chosen, onChoose }: RunViewProps) {
  const graph = useGraph({ storyId, draftId: undefined });
  const waiting = useMemo(() => {
    const actions = graph.data?.actions ?? [];
    return new Set(actions.flatMap(({ id, options }) => (WAITS.includes(options['mode']) ? [id] : [])));
  }, [graph.data]);
  if (view === 'timeline') {
    return <Timeline steps={steps} chosen={chosen} waiting={waiting} onChoose={onChoose} />;
  }
  if (graph.data === undefined) {
    return graph.error ? <Failed error={graph.error} retry={graph.refetch} /> : <Loading lines={8} />;
  }
  return <RunCanvas graph={graph.data} steps={steps} chosen={chosen} onChoose={onChoose} />;
}

function RunCanvas({
  graph,
  steps,
  chosen,
  onChoose,
}: Pick<RunViewProps, 'steps' | 'chosen' | 'onChoose'> & { graph: Graph }) {
  const facts = useMemo(() => factsOf(graph.actions, steps), [graph, steps]);
  const chosenId = steps.find(({ key }) => key === chosen)?.actionId;
  return (
    <StoryCanvas
      graph={graph}
      facts={facts}
      entryId={steps[0]?.actionId}
      chosenId={chosenId}
      onChoose={(id) => {
        // A failed step says more than one that went well; else the newest.
        const own = steps.filter(({ actionId }) => actionId === id);
        const step = own.find(({ dead }) => dead !== undefined) ?? own.at(-1);
        if (id === undefined || id !== chosenId) onChoose(step?.key ?? '');
      }}
    />
  );
}

/** Returns what the canvas shows of a run: its path, the events of each action, what waits and what failed. */
function factsOf(actions: readonly Action[], steps: readonly Step[]): Facts {
  const byEvent = new Map(steps.flatMap(({ event, actionId }) => (event ? [[event.id, actionId]] : [])));
  const links = steps.flatMap(({ inputId, actionId }) => {
    const from = inputId === undefined ? undefined : byEvent.get(inputId);
    return from === undefined ? [] : [`${from}-${actionId}`];
  });
  const counted = (is: (step: Step) => boolean) => {
    const counts = new Map<number, number>();
    for (const { actionId } of steps.filter(is)) counts.set(actionId, (counts.get(actionId) ?? 0) + 1);
    return counts;
  };
  const events = counted(({ event }) => event !== undefined);
  const open = counted((step) => step.open !== undefined);
  const dead = counted((step) => step.dead !== undefined);
  return {
    activity: new Map(
      actions.map((action): [number, Action] => [
        action.id,
        {
          ...action,
          pending_action_runs_count: open.get(action.id) ?? 0,
          not_working: (dead.get(action.id) ?? 0) > 0,
        },
      ]),
    ),
    counts: new Map([...events].map(([id, count]) => [id, { events: count } as Statistics])),
    countedIn: 'in this run',
    notRunnable: new Set(),
    search: '',
    taken: { actions: new Set(steps.map(({ actionId }) => actionId)), links: new Set(links) },
  };
}
