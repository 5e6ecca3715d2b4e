import { graphlib, layout } from '@dagrejs/dagre';
import type { Action } from '../../../clients/typescript/api.js';
import type { StoryDraft } from '../story-model/story-draft.js';
import { NODE } from './sizes.js';

/** A place on the canvas: the upper left corner. */
export interface Point {
  x: number;
  y: number;
}

/** Between one action and the next where no layout is given. */
const SPACE = { ranks: 68, beside: 32 };

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
export function placesInDraft({ actions, links }: StoryDraft): Map<string, Point> {
  const receivers = new Map<string, string[]>();
  for (const { source, receiver } of links.values()) {
    receivers.set(source, [...(receivers.get(source) ?? []), receiver]);
  }
  return placed(
    [...actions].map(([key, { position }]) => ({
      key,
      position: position ?? undefined,
      receivers: receivers.get(key) ?? [],
    })),
  );
}

function placed<Key extends string | number>(actions: readonly Placed<Key>[]): Map<Key, Point> {
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
export function inRanks<Key extends string | number>(
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
