import './flow.css';
import {
  Background,
  type Connection,
  Controls,
  type Edge,
  type EdgeChange,
  type FinalConnectionState,
  MiniMap,
  type NodeChange,
  type OnConnectStartParams,
  ReactFlow,
  SelectionMode,
} from '@xyflow/react';
import {
  type DragEvent,
  type Ref,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { CANVAS_KEYS } from '../keys/keymap.js';
import type { LinkEnds } from '../story-model/commands/link-commands.js';
import type { LinkKind, Place } from '../story-model/story-draft.js';
import { useColours } from '../ui/browser/theme.js';
import { Arrows } from './arrows.js';
import styles from './canvas.module.css';
import type { DraftNode } from './draft-elements.js';
import { type CanvasScreen, type Flow, openAt, screenOf } from './focus/canvas-screen.js';
import { useKeptFocus } from './focus/use-kept-focus.js';
import { useKeptMiddle } from './focus/use-kept-middle.js';
import { EditActionBox } from './nodes/edit-action-box.js';
import { EditNoteBox } from './nodes/edit-note-box.js';
import { LINK_OPTIONS } from './links.js';
import { MapLinks } from './map-links.js';
import { GRID } from './nodes/sizes.js';

/** Constant: other objects would make React Flow forget all nodes. */
const NODE_TYPES = { action: EditActionBox, note: EditNoteBox };
const SNAP: [number, number] = [GRID, GRID];
/** So far from the port of an action, a press takes the end of its link. */
const RECONNECT_PX = 16;
const SEVERAL_KEYS = ['Shift', 'Meta', 'Control'];
/** The kind of an action that is dragged onto the canvas. */
export const DRAGGED_KIND = 'application/x-fabula-action';

interface EditableCanvasProps {
  nodes: DraftNode[];
  edges: Edge[];
  /** Returns the id of the node at which the view opens. */
  entry: () => string | undefined;
  mayChange: boolean;
  /** Told to screen readers when the canvas has the focus. */
  help: string;
  screen: Ref<CanvasScreen>;
  /** Is called when a part, or the canvas itself, has the focus. */
  onFocus: (key: string | undefined) => void;
  /** Is called when the focus leaves the canvas. */
  onLeave: () => void;
  onNodes: (changes: NodeChange<DraftNode>[]) => void;
  onEdges: (changes: EdgeChange[]) => void;
  mayLink: (source: string, receiver: string) => boolean;
  onLink: (source: string, receiver: string, kind: LinkKind) => void;
  /** A port was pressed; the next port that is pressed ends the link. */
  onLinkStart: (source: string) => void;
  onReconnect: (link: string, ends: LinkEnds) => void;
  /** A link was dragged to where nothing is. */
  onLoose: (source: string, kind: LinkKind, place: Place) => void;
  /** A kind of action was dragged onto the canvas. */
  onDrop: (kind: string, place: Place) => void;
  onOpen: (key: string) => void;
}

/** Nodes and links as they are given, to be changed: it tells what a person does, and draws what comes of it. */
export function EditableCanvas(props: EditableCanvasProps) {
  const { nodes, edges, mayChange, help, screen } = props;
  const colours = useColours();
  const frame = useRef<HTMLDivElement>(null);
  const { flow, handlers } = useFlow(props, frame);
  const helpId = useId();
  const focus = useKeptFocus({ flow, frame, onFocus: props.onFocus, onLeave: props.onLeave });
  useKeptMiddle(flow, frame);
  const [isMap, setMap] = useState(false);
  // A link that is chosen stays, so that a press beside it chooses it no longer.
  const drawnEdges = useMemo(
    () => (isMap ? edges.filter(({ selected }) => selected) : edges),
    [isMap, edges],
  );
  useImperativeHandle(screen, () => screenOf(flow, frame), [flow]);
  const onDrop = (event: DragEvent) => {
    const kind = event.dataTransfer.getData(DRAGGED_KIND);
    if (kind === '' || flow.current === null) return;
    event.preventDefault();
    props.onDrop(kind, flow.current.screenToFlowPosition({ x: event.clientX, y: event.clientY }));
  };
  return (
    <div
      ref={frame}
      className={styles['canvas']}
      {...CANVAS_KEYS}
      tabIndex={focus.tabIndex}
      role="group"
      aria-label="Canvas of the story"
      aria-describedby={helpId}
      {...focus.handlers}
      onDragOver={(event) => {
        if (mayChange && event.dataTransfer.types.includes(DRAGGED_KIND)) event.preventDefault();
      }}
      onDrop={onDrop}
    >
      <p id={helpId} className="unseen">
        {help}
      </p>
      <Arrows />
      <ReactFlow<DraftNode>
        nodes={nodes}
        edges={drawnEdges}
        nodeTypes={NODE_TYPES}
        defaultEdgeOptions={LINK_OPTIONS}
        colorMode={colours}
        minZoom={0.08}
        maxZoom={1.6}
        snapToGrid
        snapGrid={SNAP}
        selectionMode={SelectionMode.Partial}
        multiSelectionKeyCode={SEVERAL_KEYS}
        panActivationKeyCode={null}
        deleteKeyCode={null}
        zoomOnDoubleClick={false}
        nodesDraggable={mayChange}
        nodesConnectable={mayChange}
        edgesReconnectable={mayChange}
        edgesFocusable={false}
        // Arrows follow links here, and what happens is told in words of the product.
        disableKeyboardA11y
        connectionRadius={24}
        reconnectRadius={RECONNECT_PX}
        nodeDragThreshold={3}
        // Else a drag would open the inspector, and the canvas would shrink under it.
        selectNodesOnDrag={false}
        onlyRenderVisibleElements
        aria-label="Actions and links"
        onMoveEnd={focus.keep}
        {...handlers}
      >
        <Background gap={GRID} size={1} />
        <Controls showInteractive={false} position="bottom-left" />
        {nodes.length > 0 && (
          <MiniMap pannable zoomable ariaLabel="Map of the story" nodeColor={mapColour} nodeStrokeWidth={0} />
        )}
        <MapLinks nodes={nodes} edges={edges} onMap={setMap} />
      </ReactFlow>
    </div>
  );
}

/**
 * Returns the flow once it is drawn, and what it calls, always the same functions: another one would make it draw all nodes and links anew, in each
 * frame of a drag.
 */
function useFlow(props: EditableCanvasProps, frame: RefObject<HTMLElement | null>) {
  const flow = useRef<Flow>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const handlers = useMemo(
    () => ({
      onInit: (instance: Flow) => {
        flow.current = instance;
        openAt(instance, latest.current.nodes, latest.current.entry(), frame.current);
      },
      isValidConnection: ({ source, target }: Connection | Edge) => latest.current.mayLink(source, target),
      onNodesChange: (changes: NodeChange<DraftNode>[]) => latest.current.onNodes(changes),
      onEdgesChange: (changes: EdgeChange[]) => latest.current.onEdges(changes),
      onConnect: ({ source, target, sourceHandle }: Connection) =>
        latest.current.onLink(source, target, kindOf(sourceHandle)),
      onConnectEnd: (event: MouseEvent | TouchEvent, { fromHandle, toNode }: FinalConnectionState) => {
        const isOnPane = (event.target as Element | null)?.classList.contains('react-flow__pane') ?? false;
        if (fromHandle?.type !== 'source' || toNode !== null || !isOnPane || flow.current === null) return;
        const at = 'clientX' in event ? event : event.changedTouches[0];
        const place = flow.current.screenToFlowPosition({ x: at?.clientX ?? 0, y: at?.clientY ?? 0 });
        latest.current.onLoose(fromHandle.nodeId, kindOf(fromHandle.id), place);
      },
      onClickConnectStart: (_: unknown, { nodeId }: OnConnectStartParams) => {
        if (nodeId !== null) latest.current.onLinkStart(nodeId);
      },
      onReconnect: (edge: Edge, next: Connection) => latest.current.onReconnect(edge.id, endsOf(next)),
      onNodeDoubleClick: (_: unknown, { id }: DraftNode) => latest.current.onOpen(id),
    }),
    [frame],
  );
  return { flow, handlers };
}

function kindOf(handle: string | null | undefined): LinkKind {
  return handle === 'NO_MATCH' || handle === 'FAILURE' ? handle : 'DEFAULT';
}

function endsOf({ source, target, sourceHandle }: Connection): LinkEnds {
  return { source, receiver: target, kind: kindOf(sourceHandle) };
}

function mapColour({ type, data }: DraftNode): string {
  if (type === 'note') return 'var(--note-line)';
  return 'failed' in data && data.failed ? 'var(--chart-bad)' : 'var(--line-strong)';
}
