import './flow.css';
import {
  Background,
  Controls,
  type Edge,
  MiniMap,
  type NodeChange,
  ReactFlow,
  type ReactFlowInstance,
} from '@xyflow/react';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { CANVAS_KEYS } from '../keys/keymap.js';
import { useColours } from '../ui/browser/theme.js';
import { usePrinting } from '../ui/browser/use-printing.js';
import { ActionBox } from './nodes/action-node.js';
import { Arrows } from './arrows.js';
import { CanvasLink } from './links.js';
import styles from './canvas.module.css';
import { FoldBlock } from './folding/fold-block.js';
import type { CanvasNode } from './folding/fold-elements.js';
import { RestBlock } from './folding/rest-block.js';
import { NoteBox } from './nodes/note-box.js';
import { NODE } from './nodes/sizes.js';
import { openingMiddle, openingTop, openingView, wholeView } from './opening.js';

/** Constant: other objects would make React Flow forget all nodes. */
const NODE_TYPES = { action: ActionBox, note: NoteBox, fold: FoldBlock, rest: RestBlock };
const EDGE_TYPES = { smoothstep: CanvasLink };
/** At this zoom names are read without effort. */
const OPEN_ZOOM = 0.85;

/** The width of a canvas on a sheet of A4. The page has no size before it is printed; `app/print.css` has the height. */
const PAPER = { width: 700, height: 640 };

type Flow = ReactFlowInstance<CanvasNode>;

interface CanvasProps {
  nodes: CanvasNode[];
  edges: Edge[];
  /** The id of the node at which the view opens. */
  entry: string | undefined;
  /** The id of the node that is brought into view when it becomes this one. */
  shown: string | undefined;
  mayMove?: boolean;
  /** It opens with the whole also where names are too small to read: its marks are looked at. */
  isSurvey?: boolean;
  /** Is told what a person does to the nodes; they change when other `nodes` are given. */
  onChanges: (changes: NodeChange<CanvasNode>[]) => void;
  /** Is called for a press beside everything. */
  onLeave: () => void;
}

/**
 * Nodes and links as they are given. It opens with the whole where that is large enough to read, else at the entry; the whole
 * is a key away.
 */
export function Canvas({
  nodes,
  edges,
  entry,
  shown,
  mayMove = false,
  isSurvey = false,
  onChanges,
  onLeave,
}: CanvasProps) {
  const colours = useColours();
  const flow = useRef<Flow>(null);
  const frame = useRef<HTMLDivElement>(null);
  const opened = useRef(false);
  const isPrinting = usePrinting();
  useWholeWhilePrinting(isPrinting, nodes, flow);
  const show = (id: string | undefined, duration: number) => {
    const node = nodes.find((each) => each.id === id);
    const width = frame.current?.clientWidth ?? 0;
    if (node === undefined || flow.current === null) return;
    const zoom = Math.max(flow.current.getZoom(), OPEN_ZOOM);
    // A story that opens at its entry shows it near the upper edge: most of it stands below.
    const isOpening = !opened.current && id === entry;
    const height = frame.current?.clientHeight ?? 0;
    const below = isOpening ? (height / 2 - 90) / zoom : 0;
    const top = openingTop(isOpening ? nodes : [], node, height / zoom);
    const x = openingMiddle(isOpening ? nodes : [], node, width / zoom);
    void flow.current.setCenter(x, top + NODE.height / 2 + below, { zoom, duration });
  };
  const showOther = useEffectEvent(show);
  useEffect(() => {
    if (opened.current) showOther(shown, 200);
  }, [shown]);
  return (
    <div className={styles['canvas']} ref={frame} {...CANVAS_KEYS}>
      <Arrows />
      <ReactFlow<CanvasNode>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode={colours}
        minZoom={0.08}
        maxZoom={1.6}
        nodesDraggable={mayMove}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        onlyRenderVisibleElements={!isPrinting}
        onInit={(instance) => {
          flow.current = instance;
          const { clientWidth: width = 0, clientHeight: height = 0 } = frame.current ?? {};
          const whole = openingView(nodes, { width, height }, isSurvey && shown === undefined);
          void instance.setViewport(whole ?? { x: 0, y: 0, zoom: OPEN_ZOOM });
          if (whole === undefined) show(shown ?? entry, 0);
          opened.current = true;
        }}
        onNodesChange={onChanges}
        onPaneClick={onLeave}
      >
        <Background gap={15} size={1} />
        <Controls showInteractive={false} position="bottom-left" />
        <MiniMap pannable zoomable ariaLabel="Map of the story" nodeColor={mapColour} nodeStrokeWidth={0} />
      </ReactFlow>
    </div>
  );
}

/** Shows all of a story while it is printed, and afterwards what was shown before. */
function useWholeWhilePrinting(isPrinting: boolean, nodes: CanvasNode[], flow: RefObject<Flow | null>) {
  const showWhole = useEffectEvent((instance: Flow) => {
    if (nodes.length > 0) void instance.setViewport(wholeView(nodes, PAPER));
  });
  useLayoutEffect(() => {
    const instance = flow.current;
    if (!isPrinting || instance === null) return undefined;
    const before = instance.getViewport();
    showWhole(instance);
    return () => void instance.setViewport(before);
  }, [isPrinting, flow]);
}

function mapColour({ type, data }: CanvasNode): string {
  if (type === 'note') return 'var(--note-line)';
  return 'failed' in data && data.failed ? 'var(--chart-bad)' : 'var(--line-strong)';
}
