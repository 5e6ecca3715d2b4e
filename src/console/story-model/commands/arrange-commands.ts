import { type Places, placed, wordsOf } from './selection-commands.js';
import type { Command, Place, StoryDraft } from '../story-draft.js';

/** Where a part is drawn, and how large. */
export interface Box extends Place {
  width: number;
  height: number;
}

/** What parts are lined up by, or spread along. */
export type Arrangement = 'left' | 'centre' | 'top' | 'across' | 'down';

const LABELS: Record<Arrangement, [before: string, after: string]> = {
  left: ['Align', ' to the left'],
  centre: ['Align', ' to the centre'],
  top: ['Align', ' to the top'],
  across: ['Distribute', ' horizontally'],
  down: ['Distribute', ' vertically'],
};

/** Lines parts up, or spreads them with equal gaps between the outer two, in one step. The keys of `boxes` name the parts. */
export function arrange(boxes: ReadonlyMap<string, Box>, how: Arrangement): Command {
  return (draft) => {
    const places = asPlaces(draft, arranged(boxes, how));
    const keys = { actions: [...places.actions.keys()], notes: [...places.notes.keys()] };
    const [before, after] = LABELS[how];
    return { label: `${before} ${wordsOf(draft, keys)}${after}`, draft: placed(draft, places) };
  };
}

/** Returns places by key as those of actions and those of notes. */
export function asPlaces(draft: StoryDraft, places: ReadonlyMap<string, Place>): Required<Places> {
  const all = [...places];
  return {
    actions: new Map(all.filter(([key]) => draft.actions.has(key))),
    notes: new Map(all.filter(([key]) => draft.notes.has(key))),
  };
}

function arranged(boxes: ReadonlyMap<string, Box>, how: Arrangement): Map<string, Place> {
  const all = [...boxes];
  if (how === 'across') return spread(all, 'x', 'width');
  if (how === 'down') return spread(all, 'y', 'height');
  const edge = {
    left: Math.min(...all.map(([, { x }]) => x)),
    top: Math.min(...all.map(([, { y }]) => y)),
    right: Math.max(...all.map(([, { x, width }]) => x + width)),
  };
  return new Map(
    all.map(([key, { x, y, width }]): [string, Place] => {
      if (how === 'left') return [key, { x: edge.left, y }];
      if (how === 'top') return [key, { x, y: edge.top }];
      return [key, { x: Math.round((edge.left + edge.right - width) / 2), y }];
    }),
  );
}

/** The outer two stay; where there is no room, the others overlap evenly. */
function spread(all: [string, Box][], axis: 'x' | 'y', size: 'width' | 'height'): Map<string, Place> {
  const inOrder = all.toSorted(([, a], [, b]) => a[axis] - b[axis]);
  const [first, last] = [inOrder[0]?.[1], inOrder.at(-1)?.[1]];
  if (first === undefined || last === undefined) return new Map();
  const filled = inOrder.reduce((sum, [, box]) => sum + box[size], 0);
  const gap = (last[axis] + last[size] - first[axis] - filled) / Math.max(all.length - 1, 1);
  let at = first[axis];
  return new Map(
    inOrder.map(([key, box]): [string, Place] => {
      const place = { x: box.x, y: box.y, [axis]: Math.round(at) };
      at += box[size] + gap;
      return [key, place];
    }),
  );
}
