import { useMemo } from 'react';
import { Failed, Loading } from '../../ui/states.js';
import { StoryCanvas } from '../../canvas/story-canvas.js';
import type { Graph } from '../../canvas/graph.js';
import { useGraph } from '../story/story-data.js';
import type { Action, RunDetails, RunAction, Statistics } from '../../../../clients/typescript/api.js';
import type { Facts } from '../../canvas/graph-elements.js';
import type { Step } from './run-tree.js';
import { useRunActions } from './run-data.js';
import { Timeline } from './timeline/timeline.js';

/** Modes of transformations that wait by their options. */
const WAITS: readonly unknown[] = ['delay', 'throttle', 'implode'];

interface RunViewProps {
  run: Pick<RunDetails, 'story_id' | 'guid'>;
  steps: Step[];
  /** Whether all events of the run are loaded. */
  isWhole: boolean;
  view: 'timeline' | 'canvas';
  chosen: string;
  onChoose: (key: string) => void;
}

/** The run as a timeline, or as a path on the canvas of its story. */
export function RunView({ run, steps, view, isWhole, chosen, onChoose }: RunViewProps) {
  const graph = useGraph({ storyId: run.story_id, draftId: undefined });
  const waiting = useMemo(() => {
    const actions = graph.data?.actions ?? [];
    return new Set(actions.flatMap(({ id, options }) => (WAITS.includes(options['mode']) ? [id] : [])));
  }, [graph.data]);
  if (view === 'timeline') {
    return <Timeline {...{ steps, chosen, waiting, isWhole, onChoose }} />;
  }
  if (graph.data === undefined) {
    return graph.error ? <Failed error={graph.error} retry={graph.refetch} /> : <Loading lines={8} />;
  }
  return <RunCanvas {...{ run, steps, chosen, onChoose }} graph={graph.data} />;
}

function RunCanvas(props: Pick<RunViewProps, 'run' | 'steps' | 'chosen' | 'onChoose'> & { graph: Graph }) {
  const { graph, run, steps, chosen, onChoose } = props;
  const counted = useRunActions(run.story_id, run.guid);
  const counts = counted.data?.actions;
  const facts = useMemo(() => factsOf(graph.actions, steps, counts ?? []), [graph, steps, counts]);
  const chosenId = steps.find(({ key }) => key === chosen)?.actionId;
  if (counts === undefined) {
    return counted.error ? <Failed error={counted.error} retry={counted.refetch} /> : <Loading lines={8} />;
  }
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

/**
 * Returns what the canvas shows of a run: its path, the events of each action, what waits and what failed. The server has
 * counted: of a long run, the loaded steps are a part.
 */
function factsOf(actions: readonly Action[], steps: readonly Step[], counts: readonly RunAction[]): Facts {
  const byId = new Map(counts.map((count) => [count.agent_id, count]));
  return {
    activity: new Map(
      actions.map((action): [number, Action] => {
        const { waiting = 0, failed = 0 } = byId.get(action.id) ?? {};
        return [action.id, { ...action, pending_action_runs_count: waiting, not_working: failed > 0 }];
      }),
    ),
    counts: new Map(counts.map(({ agent_id: id, done }) => [id, { events: done } as Statistics])),
    countedIn: 'in this run',
    notRunnable: new Set(),
    search: '',
    taken: takenIn(actions, steps, byId),
  };
}

/** The actions that were reached, the links on which events are under way, and those that led to them: a link whose both ends were reached, unless steps say more. */
function takenIn(
  actions: readonly Action[],
  steps: readonly Step[],
  counts: ReadonlyMap<number, RunAction>,
): NonNullable<Facts['taken']> {
  const byEvent = new Map(steps.flatMap(({ event, actionId }) => (event ? [[event.id, actionId]] : [])));
  const links = new Set<string>();
  const live = new Set<string>();
  const led = new Set<number>();
  for (const { inputId, actionId, open } of steps) {
    const from = inputId === undefined ? undefined : byEvent.get(inputId);
    if (from !== undefined) {
      links.add(`${from}-${actionId}`);
      if (open?.state === 'pending') live.add(`${from}-${actionId}`);
      led.add(actionId);
    }
  }
  for (const { id, receivers } of actions) {
    for (const receiver of receivers) {
      if (counts.has(id) && counts.has(receiver) && !led.has(receiver)) links.add(`${id}-${receiver}`);
    }
  }
  return { actions: new Set(counts.keys()), links, live };
}
