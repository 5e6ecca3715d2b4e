import type { Edge } from '@xyflow/react';
import { placed } from './canvas-layout.js';
import type { ComparedElements } from './compared-elements.js';
import type { CanvasNode, RestNode } from './folding/fold-elements.js';
import type { ActionNode } from './graph-elements.js';
import { NODE } from './nodes/sizes.js';

/** A picture of two states of a story, drawn. */
export interface DrawnElements {
  nodes: CanvasNode[];
  edges: Edge[];
}

/**
 * Returns the picture with what differs alone, in places of its own: actions that are alike in both states and linked to each
 * other are one block. A link that differs keeps both of its ends. Undefined: nothing would be left out, or all of it.
 */
export function onlyChanges({ nodes, edges }: ComparedElements): DrawnElements | undefined {
  const actions = nodes.filter((node) => node.type === 'action');
  const ends = new Set(edges.filter(isChanged).flatMap(({ source, target }) => [source, target]));
  const kept = actions.filter(({ id, data }) => data.mark !== undefined || ends.has(id));
  const rest = actions.filter((action) => !kept.includes(action));
  if (kept.length === 0 || rest.length === 0) return undefined;
  const blockOf = blocksOf(rest, edges);
  const blocks = new Map<string, ActionNode[]>();
  for (const action of rest) {
    const block = blockOf(action.id);
    blocks.set(block, [...(blocks.get(block) ?? []), action]);
  }
  const links = joined(edges, blockOf);
  const drawn: CanvasNode[] = [...kept, ...[...blocks].map(([id, inside]) => restNode(id, inside))];
  const places = placed(
    drawn.map(({ id }) => ({
      key: id,
      position: undefined,
      receivers: links.flatMap(({ source, target }) => (source === id ? [target] : [])),
    })),
  );
  return {
    nodes: drawn.map((node) => ({ ...node, position: places.get(node.id) ?? node.position })),
    edges: links,
  };
}

const isChanged = ({ className = '' }: Edge) => !className.split(' ').includes('off');

/** Returns what names the block of an action; an action that is in none is its own. */
function blocksOf(rest: readonly ActionNode[], edges: readonly Edge[]): (id: string) => string {
  const heads = new Map(rest.map(({ id }) => [id, id]));
  const headOf = (id: string): string => {
    let head = id;
    for (let next = heads.get(head); next !== undefined && next !== head; next = heads.get(head)) head = next;
    return head;
  };
  for (const { source, target } of edges) {
    if (heads.has(source) && heads.has(target)) heads.set(headOf(source), headOf(target));
  }
  return (id) => (heads.has(id) ? `rest-${headOf(id)}` : id);
}

/** Returns the links between what is drawn: of several between a block and an action, one. */
function joined(edges: readonly Edge[], blockOf: (id: string) => string): Edge[] {
  const links = new Map<string, Edge>();
  for (const edge of edges) {
    const [source, target] = [blockOf(edge.source), blockOf(edge.target)];
    const isWhole = source === edge.source && target === edge.target;
    const id = isWhole ? edge.id : `${source} ${target}`;
    if (source !== target && !links.has(id)) links.set(id, { ...edge, id, source, target });
  }
  return [...links.values()];
}

function restNode(id: string, inside: readonly ActionNode[]): RestNode {
  return {
    id,
    type: 'rest',
    position: { x: 0, y: 0 },
    ...NODE,
    selectable: false,
    focusable: false,
    data: { count: inside.length },
  };
}
