import type { Box } from '../story-model/commands/arrange-commands.js';
import type { StoryDraft } from '../story-model/story-draft.js';

/** The way that an arrow key leads. */
export type Direction = 'up' | 'down' | 'left' | 'right';

/** How much a part beside the way counts as farther. */
const ASIDE = 2;

/**
 * Returns the part that an arrow key leads to: along a link where there is one, else the nearest part in that direction.
 * Undefined: there is none.
 */
export function neighbourOf(
  draft: StoryDraft,
  boxes: ReadonlyMap<string, Box>,
  key: string,
  way: Direction,
): string | undefined {
  const from = boxes.get(key);
  if (from === undefined) return undefined;
  const others = [...boxes].filter(([each]) => each !== key);
  if (way === 'down' || way === 'up') {
    const linked = linkedTo(draft, key, way);
    const near = nearest(
      others.filter(([each]) => linked.has(each)),
      (box) => Math.abs(middle(box).x - middle(from).x) + Math.abs(middle(box).y - middle(from).y),
    );
    if (near !== undefined) return near;
  }
  return nearest(
    others.filter(([, box]) => ahead(from, box, way) > 0),
    (box) => ahead(from, box, way) + ASIDE * beside(from, box, way),
  );
}

/** Returns the actions that nothing leads to, or that lead to nothing, from the upper left; without any, all. */
export function endsOf(
  draft: StoryDraft,
  boxes: ReadonlyMap<string, Box>,
  end: 'entries' | 'exits',
): string[] {
  const links = [...draft.links.values()].filter(({ source, receiver }) => source !== receiver);
  const linked = new Set(links.map(({ source, receiver }) => (end === 'entries' ? receiver : source)));
  const keys = [...draft.actions.keys()];
  const ends = keys.filter((key) => !linked.has(key));
  return inReadingOrder(ends.length > 0 ? ends : keys, boxes);
}

/** Returns keys from the top to the bottom, and from the left to the right. */
function inReadingOrder(keys: readonly string[], boxes: ReadonlyMap<string, Box>): string[] {
  const at = (key: string) => boxes.get(key) ?? { x: 0, y: 0 };
  return keys.toSorted((a, b) => at(a).y - at(b).y || at(a).x - at(b).x);
}

function linkedTo({ links }: StoryDraft, key: string, way: 'up' | 'down'): Set<string> {
  const [near, far] = way === 'down' ? (['source', 'receiver'] as const) : (['receiver', 'source'] as const);
  return new Set([...links.values()].filter((link) => link[near] === key).map((link) => link[far]));
}

function nearest(boxes: readonly [string, Box][], distance: (box: Box) => number): string | undefined {
  const [first] = boxes.toSorted(([, a], [, b]) => distance(a) - distance(b));
  return first?.[0];
}

const middle = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });

function ahead(from: Box, to: Box, way: Direction): number {
  const [a, b] = [middle(from), middle(to)];
  return { up: a.y - b.y, down: b.y - a.y, left: a.x - b.x, right: b.x - a.x }[way];
}

function beside(from: Box, to: Box, way: Direction): number {
  const [a, b] = [middle(from), middle(to)];
  return way === 'up' || way === 'down' ? Math.abs(a.x - b.x) : Math.abs(a.y - b.y);
}
