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
  type ReactFlowInstance,
  SelectionMode,
} from '@xyflow/react';
import {
  type DragEvent,
  type FocusEvent,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
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
import { EditActionBox } from './nodes/edit-action-box.js';
import { EditNoteBox } from './nodes/edit-note-box.js';
import { MapLinks } from './map-links.js';
import { GRID, NODE } from './nodes/sizes.js';
import { openingMiddle, openingTop } from './opening.js';

/** Constant: other objects would make React Flow forget all nodes. */
const NODE_TYPES = { action: EditActionBox, note: EditNoteBox };
const SNAP: [number, number] = [GRID, GRID];
/** So far from the port of an action, a press takes the end of its link. */
const RECONNECT_PX = 16;
const SEVERAL_KEYS = ['Shift', 'Meta', 'Control'];
/** At this zoom names are read without effort. */
const OPEN_ZOOM = 0.85;
/** A part is drawn as soon as it is in view; it is looked for this often. */
const MOST_FRAMES = 30;
/** What takes the focus on purpose has it by then. */
const LOST_MS = 150;
/** The kind of an action that is dragged onto the canvas. */
export const DRAGGED_KIND = 'application/x-fabula-action';

/** What others may ask of an open canvas. */
export interface CanvasScreen {
  /** Gives a part the focus, and brings it into view. */
  focus: (key: string) => void;
  /** Gives the canvas the focus, and no part of it. */
  focusAll: () => void;
  /** Returns the part that has the focus. */
  focused: () => string | undefined;
  /** Returns the place in the middle of what is in view. */
  middle: () => Place;
  /** Returns the place under a point of the window. */
  placeAt: (point: Place) => Place;
  /** Shows all of the story. */
  fit: () => void;
}

type Flow = ReactFlowInstance<DraftNode>;

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
  const isPressed = useRef(false);
  const { flow, handlers } = useFlow(props, frame);
  const helpId = useId();
  /** The part that has the focus, or had it when it was drawn last; '': the canvas itself. Undefined: the focus is elsewhere. */
  const inside = useRef<string>(undefined);
  /** The part that has the focus, or had it last. */
  const last = useRef<string>(undefined);
  const [hasFocus, setFocus] = useState(false);
  const [isMap, setMap] = useState(false);
  // A link that is chosen stays, so that a press beside it chooses it no longer.
  const drawnEdges = useMemo(
    () => (isMap ? edges.filter(({ selected }) => selected) : edges),
    [isMap, edges],
  );
  useImperativeHandle(screen, () => screenOf(flow, frame), [flow]);
  useEffect(() => {
    if (frame.current === null) return undefined;
    // The inspector takes a part of the width: what has the focus, or what the inspector shows, is to stay in sight.
    const own = screenOf(flow, frame);
    const watcher = new ResizeObserver(() => {
      const isThere = flow.current?.getInternalNode(inside.current ?? '') !== undefined;
      if (inside.current && isThere && isFocusLost()) own.focus(inside.current);
      else showLast(flow.current, frame.current, last.current);
    });
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, [flow]);
  /** A part that leaves the view or the story takes the focus with it: the keys of the canvas are to work all the same. */
  const keepFocus = useCallback(() => {
    if (inside.current === undefined || !isFocusLost()) return;
    isPressed.current = true;
    frame.current?.focus({ preventScroll: true });
    isPressed.current = false;
  }, []);
  useEffect(() => {
    const timer = setTimeout(keepFocus, LOST_MS);
    return () => clearTimeout(timer);
  });
  const onFocus = ({ target }: FocusEvent) => {
    setFocus(true);
    const key = keyAt(target);
    inside.current = key ?? '';
    if (key !== undefined) {
      last.current = key;
      return props.onFocus(key);
    }
    // The canvas is one tab stop: it hands the focus on to the part that had it last.
    if (target === frame.current && !isPressed.current) props.onFocus(undefined);
  };
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
      // It is one tab stop: nothing in it is one while it has the focus.
      tabIndex={hasFocus ? -1 : 0}
      role="group"
      aria-label="Canvas of the story"
      aria-describedby={helpId}
      onFocus={onFocus}
      onBlur={({ currentTarget, relatedTarget }) => {
        const isInside = currentTarget.contains(relatedTarget);
        setFocus(isInside);
        if (!isInside && relatedTarget !== null) inside.current = undefined;
        if (!isInside) props.onLeave();
      }}
      onPointerDownCapture={({ target }) => {
        isPressed.current = true;
        requestAnimationFrame(() => (isPressed.current = false));
        // What is no part, such as a link, takes no focus: the keys of the canvas are to work after a press on it.
        if ((target as Element).closest('.react-flow__node, button, textarea, a') === null) {
          frame.current?.focus({ preventScroll: true });
        }
      }}
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
        onMoveEnd={keepFocus}
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

function screenOf(flow: { current: Flow | null }, frame: { current: HTMLDivElement | null }): CanvasScreen {
  const boxOf = () => frame.current?.getBoundingClientRect() ?? new DOMRect();
  const placeAt = (point: Place) => flow.current?.screenToFlowPosition(point, { snapToGrid: false }) ?? point;
  const middle = () => {
    const { left, top, width, height } = boxOf();
    return placeAt({ x: left + width / 2, y: top + height / 2 });
  };
  // The last one that is asked for counts: an earlier one may be gone, and come back by an undo.
  let wanted = '';
  const tryFocus = (key: string, frames: number) => {
    if (wanted !== key) return;
    const node = frame.current?.querySelector<HTMLElement>(nodeOf(key));
    if (node) {
      node.focus({ preventScroll: true });
      wanted = '';
      bringIntoView(flow.current, boxOf(), node.getBoundingClientRect());
      return;
    }
    // Only what is in view is drawn.
    if (frames === MOST_FRAMES) bringNodeIntoView(flow.current, key);
    if (frames > 0) requestAnimationFrame(() => tryFocus(key, frames - 1));
  };
  return {
    // A dialog or menu that closes gives the focus back first.
    focus: (key) => {
      wanted = key;
      requestAnimationFrame(() => requestAnimationFrame(() => tryFocus(key, MOST_FRAMES)));
    },
    focusAll: () => frame.current?.focus({ preventScroll: true }),
    focused: () => {
      const { activeElement } = document;
      return frame.current?.contains(activeElement) ? keyAt(activeElement) : undefined;
    },
    middle,
    placeAt,
    fit: () => void flow.current?.fitView({ maxZoom: 1, padding: 0.1 }),
  };
}

/** Whether nothing has the focus. */
const isFocusLost = () => document.activeElement === document.body;

function showLast(flow: Flow | null, frame: HTMLElement | null, key = '') {
  const node = frame?.querySelector(nodeOf(key));
  if (!frame || !node) return;
  bringIntoView(flow, frame.getBoundingClientRect(), node.getBoundingClientRect());
}

const nodeOf = (key: string) => `.react-flow__node[data-id="${CSS.escape(key)}"]`;

/** Moves the view as little as needed. */
function bringIntoView(flow: Flow | null, frame: DOMRect, node: DOMRect) {
  if (flow === null || frame.width === 0) return;
  const margin = Math.min(60, frame.width / 6);
  const by = {
    x: Math.max(0, frame.left + margin - node.left) - Math.max(0, node.right - frame.right + margin),
    y: Math.max(0, frame.top + margin - node.top) - Math.max(0, node.bottom - frame.bottom + margin),
  };
  if (by.x === 0 && by.y === 0) return;
  const { x, y, zoom } = flow.getViewport();
  void flow.setViewport({ x: x + by.x, y: y + by.y, zoom });
}

function bringNodeIntoView(flow: Flow | null, key: string) {
  const node = flow?.getInternalNode(key);
  if (!flow || node === undefined) return;
  const { x, y } = node.internals.positionAbsolute;
  void flow.setCenter(x + NODE.width / 2, y + NODE.height / 2, { zoom: flow.getZoom(), duration: 0 });
}

/** Opens with the entry near the upper edge: most of a story stands below it. */
function openAt(
  flow: Flow,
  nodes: readonly DraftNode[],
  entry: string | undefined,
  frame: HTMLElement | null,
) {
  const node = nodes.find(({ id }) => id === entry);
  const { clientWidth: width = 0, clientHeight: height = 0 } = frame ?? {};
  if (node === undefined) {
    void flow.setViewport({ x: 0, y: 0, zoom: OPEN_ZOOM });
    return;
  }
  const x = openingMiddle(nodes, node, width / OPEN_ZOOM);
  const below = (height / 2 - 110) / OPEN_ZOOM;
  const top = openingTop(nodes, node, height / OPEN_ZOOM);
  void flow.setCenter(x, top + NODE.height / 2 + below, { zoom: OPEN_ZOOM, duration: 0 });
}

function keyAt(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
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
