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
