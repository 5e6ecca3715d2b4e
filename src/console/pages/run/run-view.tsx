import { useMemo } from 'react';
import { Failed, Loading } from '../../ui/states.js';
import { StoryCanvas } from '../../canvas/story-canvas.js';
import type { Graph } from '../../canvas/graph.js';
import { useGraph } from '../story/story-data.js';
import { factsOf } from './run-facts.js';
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
