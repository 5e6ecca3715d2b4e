import { graphlib, layout } from '@dagrejs/dagre';
import type { Action } from '../../../clients/typescript/api.js';
import { NODE } from './sizes.js';

/** A place on the canvas: the upper left corner. */
export interface Point {
  x: number;
  y: number;
}

/** Between one action and the next where no layout is given. */
const SPACE = { ranks: 68, beside: 32 };

type Placed = Pick<Action, 'id' | 'position' | 'links_to_receivers'>;

/** Returns the place of each action, by its id: as the export has it; without a layout, in ranks from the top. */
export function placesOf(actions: readonly Placed[]): Map<number, Point> {
  const given = new Map(
    actions.flatMap(({ id, position }) => (position === null ? [] : [[id, position] as const])),
  );
  if (given.size === actions.length) return given;
  const ranked = inRanks(actions);
  if (given.size === 0) return ranked;
  const lowest = Math.max(...[...given.values()].map(({ y }) => y)) + NODE.height + SPACE.ranks;
  const left = Math.min(...[...given.values()].map(({ x }) => x));
  for (const [index, { id }] of actions.filter((action) => !given.has(action.id)).entries()) {
    given.set(id, {
      x: left + (index % 4) * (NODE.width + SPACE.beside),
      y: lowest + Math.floor(index / 4) * (NODE.height + SPACE.ranks),
    });
  }
  return given;
}

function inRanks(actions: readonly Placed[]): Map<number, Point> {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', ranksep: SPACE.ranks, nodesep: SPACE.beside });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of actions) graph.setNode(String(id), { ...NODE });
  for (const { id, links_to_receivers: links } of actions) {
    for (const { receiver_id: receiver } of links) graph.setEdge(String(id), String(receiver));
  }
  layout(graph);
  return new Map(
    actions.map(({ id }) => {
      const { x, y } = graph.node(String(id)) as Point;
      return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
}
