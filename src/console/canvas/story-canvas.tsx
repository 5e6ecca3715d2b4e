import { useMemo } from 'react';
import { Canvas } from './canvas.js';
import { Unfold } from './folding/fold-block.js';
import { foldEdges, foldNodes } from './folding/fold-elements.js';
import { foldsOf } from './folding/folding.js';
import type { Graph } from './graph.js';
import { edgesOf, type Facts, nodesOf } from './graph-elements.js';

const NO_FOLDS: readonly number[] = [];

interface StoryCanvasProps {
  graph: Graph;
  facts: Facts;
  /** The action at which the view opens. */
  entryId: number | undefined;
  chosenId: number | undefined;
  onChoose: (id: number | undefined) => void;
  /** Actions whose branches below are drawn as one block. */
  folded?: readonly number[];
  onUnfold?: (ownerId: number) => void;
  /** It opens with the whole, however small, unless an action is chosen. */
  isSurvey?: boolean;
}

/** A story as the server has it: to be looked at, with an action to be chosen. */
export function StoryCanvas(props: StoryCanvasProps) {
  const { graph, facts, entryId, chosenId, onChoose, folded = NO_FOLDS, onUnfold, isSurvey = false } = props;
  const folds = useMemo(() => foldsOf(graph.actions, folded), [graph, folded]);
  const { taken, counts, untested } = facts;
  const edges = useMemo(
    () => foldEdges(edgesOf(graph, { taken, counts, untested }), folds),
    [graph, taken, counts, untested, folds],
  );
  const bare = useMemo(() => foldNodes(nodesOf(graph, facts), folds), [graph, facts, folds]);
  const nodes = useMemo(
    () => bare.map((node) => (node.id === String(chosenId) ? { ...node, selected: true } : node)),
    [bare, chosenId],
  );
  return (
    <Unfold value={onUnfold}>
      <Canvas
        nodes={nodes}
        edges={edges}
        entry={idOf(entryId)}
        shown={idOf(chosenId)}
        isSurvey={isSurvey}
        onChanges={(changes) => {
          const chosen = changes.find((change) => change.type === 'select' && change.selected);
          if (chosen?.type === 'select') onChoose(Number(chosen.id));
        }}
        onLeave={() => onChoose(undefined)}
      />
    </Unfold>
  );
}

const idOf = (id: number | undefined) => (id === undefined ? undefined : String(id));
