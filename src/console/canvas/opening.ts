import type { Place } from '../story-model/story-draft.js';
import { NODE, NOTE_HEIGHT } from './nodes/sizes.js';

interface Drawn {
  position: Place;
  width?: number | undefined;
  height?: number | undefined;
  type?: string | undefined;
}

/** Room beside the outermost parts. */
const MARGIN = 24;
/** So much of the height may stand above the entry. */
const ABOVE = 0.5;
/** At this zoom the names of actions can still be read. */
const LEAST_ZOOM = 0.6;
/** At this zoom the blocks of a map, and their marks, can still be told apart. */
const LEAST_SURVEY_ZOOM = 0.2;
/** Larger than this, a small story would look blown up. */
const MOST_ZOOM = 1;
const widthOf = ({ width = NODE.width }: Drawn) => width;

interface Area {
  width: number;
  height: number;
}

interface View {
  x: number;
  y: number;
  zoom: number;
}

/**
 * Returns the view of a whole story in an area, or of its actions, or undefined where that would be too small: where names could
 * not be read, or, for a survey, blocks could not be told apart.
 */
export function openingView(nodes: readonly Drawn[], area: Area, isSurvey = false): View | undefined {
  const leastZoom = isSurvey ? LEAST_SURVEY_ZOOM : LEAST_ZOOM;
  for (const parts of [nodes, nodes.filter(({ type }) => type !== 'note')]) {
    if (parts.length === 0) continue;
    const whole = wholeView(parts, area);
    if (whole.zoom >= leastZoom) return whole;
  }
  return undefined;
}

/** Returns the view of a whole story, of one part at least, in an area, however small its names are then. */
export function wholeView(nodes: readonly Drawn[], area: Area): View {
  const heightOf = ({ height, type }: Drawn) => height ?? (type === 'note' ? NOTE_HEIGHT : NODE.height);
  const left = Math.min(...nodes.map(({ position }) => position.x));
  const right = Math.max(...nodes.map((node) => node.position.x + widthOf(node)));
  const top = Math.min(...nodes.map(({ position }) => position.y));
  const bottom = Math.max(...nodes.map((node) => node.position.y + heightOf(node)));
  const fits = Math.min(
    area.width / (right - left + 2 * MARGIN),
    area.height / (bottom - top + 2 * MARGIN),
    MOST_ZOOM,
  );
  return {
    x: area.width / 2 - ((left + right) / 2) * fits,
    y: area.height / 2 - ((top + bottom) / 2) * fits,
    zoom: fits,
  };
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
