import type { ReactFlowInstance } from '@xyflow/react';
import type { RefObject } from 'react';
import type { Place } from '../../story-model/story-draft.js';
import type { DraftNode } from '../draft-elements.js';
import { NODE } from '../nodes/sizes.js';

/** At this zoom names are read without effort. */
const OPEN_ZOOM = 0.85;
/** A part is drawn as soon as it is in view; it is looked for this often. */
const MOST_FRAMES = 30;

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

/** The flow of React Flow. */
export type Flow = ReactFlowInstance<DraftNode>;

/** Returns what others may ask of a canvas: `flow` and `frame` have it once it is drawn. */
export function screenOf(flow: RefObject<Flow | null>, frame: RefObject<HTMLElement | null>): CanvasScreen {
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
export const isFocusLost = () => document.activeElement === document.body;

/** Brings a part that is drawn into view. */
export function showPart(flow: Flow | null, frame: HTMLElement | null, key = '') {
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

/** Opens at the entry, near the upper edge: most of a story stands below it. */
export function openAt(
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
  const x = node.position.x + Math.min(NODE.width, width) / 2;
  const below = (height / 2 - 110) / OPEN_ZOOM;
  void flow.setCenter(x, node.position.y + NODE.height / 2 + below, { zoom: OPEN_ZOOM, duration: 0 });
}

/** Returns the key of the part that an element is in; undefined for the canvas itself. */
export function keyAt(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
}
