import type { Place } from '../story-model/story-draft.js';
import { NODE } from './nodes/sizes.js';

interface Drawn {
  position: Place;
  width?: number | undefined;
  type?: string | undefined;
}

/** Room beside the outermost parts. */
const MARGIN = 24;
/** So much of the height may stand above the entry. */
const ABOVE = 0.5;
const widthOf = ({ width = NODE.width }: Drawn) => width;

/** At this zoom names are read without effort. */
export const OPEN_ZOOM = 0.85;
/** At this zoom names can still be read. */
const LEAST_ZOOM = 0.6;
/** Height above the actions when a story opens, and below them. */
const HEAD = 90;

/**
 * Returns the zoom at which a story opens in a view of this size: all of it fits, or else its width, as long as its names
 * can be read; else the usual zoom.
 */
export function openingZoom(nodes: readonly Drawn[], view: { width: number; height: number }): number {
  const actions = nodes.filter(({ type }) => type !== 'note');
  if (actions.length === 0) return OPEN_ZOOM;
  const left = Math.min(...actions.map(({ position }) => position.x));
  const right = Math.max(...actions.map((node) => node.position.x + widthOf(node)));
  const top = Math.min(...actions.map(({ position }) => position.y));
  const bottom = Math.max(...actions.map(({ position }) => position.y)) + NODE.height;
  const across = view.width / (right - left + 2 * MARGIN);
  const whole = Math.min(across, (view.height - HEAD) / (bottom - top + MARGIN));
  const fitting = [whole, across].find((zoom) => zoom >= LEAST_ZOOM) ?? OPEN_ZOOM;
  return Math.min(fitting, OPEN_ZOOM);
}

/**
 * Returns the horizontal middle of the view in which a story opens: that of the story, or of its actions, if it has the room; else
 * that of `entry`. `room` is the width of the view at the zoom in which it opens.
 */
export function openingMiddle(nodes: readonly Drawn[], entry: Drawn, room: number): number {
  for (const parts of [nodes, nodes.filter(({ type }) => type !== 'note')]) {
    const left = Math.min(...parts.map(({ position }) => position.x));
    const right = Math.max(...parts.map((node) => node.position.x + widthOf(node)));
    if (parts.length > 0 && right - left + 2 * MARGIN <= room) return (left + right) / 2;
  }
  return entry.position.x + Math.min(widthOf(entry), room) / 2;
}

/**
 * Returns what stands near the upper edge when a story opens: the top of its actions, or that of `entry` if it would be out of
 * sight. `room` is the height of the view at the zoom in which it opens.
 */
export function openingTop(nodes: readonly Drawn[], entry: Drawn, room: number): number {
  const actions = nodes.filter(({ type }) => type !== 'note');
  const top = Math.min(entry.position.y, ...actions.map(({ position }) => position.y));
  return entry.position.y - top <= room * ABOVE ? top : entry.position.y;
}
