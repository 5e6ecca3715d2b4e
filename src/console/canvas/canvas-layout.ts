import { graphlib, layout } from '@dagrejs/dagre';
import type { Action } from '../../../clients/typescript/api.js';
import type { StoryDraft } from '../story-model/story-draft.js';
import type { Box } from '../story-model/commands/arrange-commands.js';
import { GRID, NODE } from './nodes/sizes.js';

/** A place on the canvas: the upper left corner. */
export interface Point {
  x: number;
  y: number;
}

/** Between one action and the next where no layout is given. */
const SPACE = { ranks: 68, beside: 32 };

/** The columns that are tried for a new action: its own, then those to the right, then those to the left. */
const COLUMNS = [0, 1, 2, 3, -1, -2];
const MOST_ROWS = 40;
/** Between a new part and those that are there. */
const GAP = 12;

/** An action to be placed: `receivers` are the keys of those that it leads to. */
interface Placed<Key> {
  key: Key;
  position: Point | undefined;
  receivers: readonly Key[];
}

/** Returns the place of each action, by its id: as the export has it; without a layout, in ranks from the top. */
export function placesOf(
  actions: readonly Pick<Action, 'id' | 'position' | 'links_to_receivers'>[],
): Map<number, Point> {
  return placed(
    actions.map(({ id, position, links_to_receivers: links }) => ({
      key: id,
      position: position ?? undefined,
      receivers: links.map(({ receiver_id: receiver }) => receiver),
    })),
  );
}

/** Returns the place of each action of a story under edit, by its key. */
export function placesInDraft(draft: StoryDraft): Map<string, Point> {
  const receivers = receiversIn(draft);
  return placed(
    [...draft.actions].map(([key, { position }]) => ({
      key,
      position: position ?? undefined,
      receivers: receivers.get(key) ?? [],
    })),
  );
}

/** Returns the actions that each action leads to, by their keys. */
function receiversIn({ links }: StoryDraft): Map<string, string[]> {
  const receivers = new Map<string, string[]>();
  for (const { source, receiver } of links.values()) {
    receivers.set(source, [...(receivers.get(source) ?? []), receiver]);
  }
  return receivers;
}

/** Returns the place of each action: the given one, else one below all given ones; without any, in ranks from the top. */
export function placed<Key extends string | number>(actions: readonly Placed<Key>[]): Map<Key, Point> {
  const given = new Map(
    actions.flatMap(({ key, position }) => (position === undefined ? [] : [[key, position] as const])),
  );
  if (given.size === actions.length) return given;
  const ranked = inRanks(actions);
  if (given.size === 0) return ranked;
  const lowest = Math.max(...[...given.values()].map(({ y }) => y)) + NODE.height + SPACE.ranks;
  const left = Math.min(...[...given.values()].map(({ x }) => x));
  for (const [index, { key }] of actions.filter((action) => !given.has(action.key)).entries()) {
    given.set(key, {
      x: left + (index % 4) * (NODE.width + SPACE.beside),
      y: lowest + Math.floor(index / 4) * (NODE.height + SPACE.ranks),
    });
  }
  return given;
}

/** Returns places in ranks from the top. */
function inRanks<Key extends string | number>(
  actions: readonly Pick<Placed<Key>, 'key' | 'receivers'>[],
): Map<Key, Point> {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', ranksep: SPACE.ranks, nodesep: SPACE.beside });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { key } of actions) graph.setNode(String(key), { ...NODE });
  for (const { key, receivers } of actions) {
    for (const receiver of receivers) graph.setEdge(String(key), String(receiver));
  }
  layout(graph);
  return new Map(
    actions.map(({ key }) => {
      const { x, y } = graph.node(String(key)) as Point;
      return [key, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
}

/**
 * Returns tidy places for these actions, in ranks, where they stand now: the upper left corner of all of them stays. Links to
 * other actions do not count.
 */
export function tidied(
  draft: StoryDraft,
  drawn: ReadonlyMap<string, Point>,
  keys: Iterable<string>,
): Map<string, Point> {
  const chosen = new Set([...keys].filter((key) => draft.actions.has(key)));
  if (chosen.size === 0) return new Map();
  const receivers = receiversIn(draft);
  const ranked = inRanks(
    [...chosen].map((key) => ({
      key,
      receivers: (receivers.get(key) ?? []).filter((each) => chosen.has(each)),
    })),
  );
  const [before, after] = [
    cornerOf([...chosen].map((key) => drawn.get(key) ?? { x: 0, y: 0 })),
    cornerOf(ranked.values()),
  ];
  const by = { x: before.x - after.x, y: before.y - after.y };
  return new Map([...ranked].map(([key, { x, y }]) => [key, { x: onGrid(x + by.x), y: onGrid(y + by.y) }]));
}

/** Returns the upper left corner of some places. */
export function cornerOf(places: Iterable<Point>): Point {
  const all = [...places];
  return { x: Math.min(...all.map(({ x }) => x)), y: Math.min(...all.map(({ y }) => y)) };
}

/** Returns the number that is a multiple of the grid's size and nearest to this one. */
export function onGrid(at: number): number {
  return Math.round(at / GRID) * GRID;
}

/**
 * Returns how far boxes are to be shifted from where they are so that none lies over one that is there: to the right, then
 * below. `by` is the shift that is tried first.
 */
export function freeShift(boxes: readonly Box[], there: readonly Box[], by: Point): Point {
  const [left, right] = [
    Math.min(...boxes.map(({ x }) => x)),
    Math.max(...boxes.map(({ x, width }) => x + width)),
  ];
  const step = { x: onGrid(right - left) + 2 * GRID, y: NODE.height + SPACE.ranks };
  for (let row = 0; row < MOST_ROWS; row += 1) {
    for (const column of COLUMNS) {
      const shift = { x: by.x + column * step.x, y: by.y + row * step.y };
      if (!boxes.some((box) => there.some((other) => overlaps(box, other, shift)))) return shift;
    }
  }
  // All of that is taken, so it goes below everything.
  const lowest = Math.max(...there.map(({ y, height }) => y + height));
  return { x: by.x, y: lowest + SPACE.ranks - Math.min(...boxes.map(({ y }) => y)) };
}

function overlaps(box: Box, other: Box, { x, y }: Point): boolean {
  return (
    box.x + x < other.x + other.width + GAP &&
    other.x < box.x + x + box.width + GAP &&
    box.y + y < other.y + other.height + GAP &&
    other.y < box.y + y + box.height + GAP
  );
}
