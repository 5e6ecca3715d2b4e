import './canvas.css';
import { Background, Controls, MiniMap, ReactFlow, type ReactFlowInstance } from '@xyflow/react';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useColours } from '../../../ui/theme.js';
import type { Graph } from './graph.js';
import { ActionBox } from './action-node.js';
import { Arrows } from './arrows.js';
import { FoldBlock, Unfold } from './fold-block.js';
import { type CanvasNode, foldEdges, foldNodes } from './fold-elements.js';
import { foldsOf } from './folding.js';
import { edgesOf, type Facts, nodesOf } from './graph-elements.js';
import { NODE } from './canvas-layout.js';
import { NoteBox } from './note-box.js';

/** Constant: other objects would make React Flow forget all nodes. */
const NODE_TYPES = { action: ActionBox, note: NoteBox, fold: FoldBlock };
const NO_FOLDS: readonly number[] = [];
/** At this zoom names are read without effort. */
const OPEN_ZOOM = 0.85;

type Flow = ReactFlowInstance<CanvasNode>;

interface CanvasProps {
  graph: Graph;
  facts: Facts;
  /** The action at which the view opens. */
  entryId: number | undefined;
  chosenId: number | undefined;
  onChoose: (id: number | undefined) => void;
  /** Actions whose branches below are drawn as one block. */
  folded?: readonly number[];
  onUnfold?: (ownerId: number) => void;
}

/** The story as it is laid out. It opens at its first action, large enough to read; the whole is a key away. */
export function Canvas(props: CanvasProps) {
  const { graph, facts, entryId, chosenId, onChoose, folded = NO_FOLDS, onUnfold } = props;
  const colours = useColours();
  const flow = useRef<Flow>(null);
  const frame = useRef<HTMLDivElement>(null);
  const folds = useMemo(() => foldsOf(graph.actions, folded), [graph, folded]);
  const edges = useMemo(() => foldEdges(edgesOf(graph, facts.taken), folds), [graph, facts.taken, folds]);
  const bare = useMemo(() => foldNodes(nodesOf(graph, facts), folds), [graph, facts, folds]);
  const nodes = useMemo(
    () => bare.map((node) => (node.id === String(chosenId) ? { ...node, selected: true } : node)),
    [bare, chosenId],
  );
  const opened = useRef(false);
  const show = (id: number | undefined, duration: number) => {
    const node = bare.find((each) => each.id === String(id));
    const width = frame.current?.clientWidth ?? 0;
    if (node === undefined || flow.current === null) return;
    const zoom = Math.max(flow.current.getZoom(), OPEN_ZOOM);
    // A story that opens at its entry shows it near the upper edge: most of it stands below.
    const below = opened.current || id !== entryId ? 0 : ((frame.current?.clientHeight ?? 0) / 2 - 90) / zoom;
    const x = node.position.x + Math.min(NODE.width, width) / 2;
    void flow.current.setCenter(x, node.position.y + NODE.height / 2 + below, { zoom, duration });
  };
  const showChosen = useEffectEvent(show);
  useEffect(() => {
    if (opened.current) showChosen(chosenId, 200);
  }, [chosenId]);
  return (
    <div className="canvas" ref={frame}>
      <Arrows />
      <Unfold value={onUnfold}>
        <ReactFlow<CanvasNode>
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          colorMode={colours}
          minZoom={0.08}
          maxZoom={1.6}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          deleteKeyCode={null}
          onlyRenderVisibleElements
          onInit={(instance) => {
            flow.current = instance;
            void instance.setViewport({ x: 0, y: 0, zoom: OPEN_ZOOM });
            show(chosenId ?? entryId, 0);
            opened.current = true;
          }}
          onNodesChange={(changes) => {
            const chosen = changes.find((change) => change.type === 'select' && change.selected);
            if (chosen?.type === 'select') onChoose(Number(chosen.id));
          }}
          onPaneClick={() => onChoose(undefined)}
        >
          <Background gap={15} size={1} />
          <Controls showInteractive={false} position="bottom-left" />
          <MiniMap pannable zoomable ariaLabel="Map of the story" nodeColor={mapColour} nodeStrokeWidth={0} />
        </ReactFlow>
      </Unfold>
    </div>
  );
}

function mapColour({ type, data }: CanvasNode): string {
  if (type === 'note') return 'var(--note-line)';
  return 'failed' in data && data.failed ? 'var(--chart-bad)' : 'var(--line-strong)';
}
