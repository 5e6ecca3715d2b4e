import type { Edge, Node } from '@xyflow/react';
import type { Fold } from './folding.js';
import type { ActionNode, NoteNode } from '../graph-elements.js';
import { NODE } from '../nodes/sizes.js';

/** The facts that a folded branch shows. */
export interface FoldData extends Record<string, unknown> {
  ownerId: number;
  ownerName: string;
  count: number;
  waiting: number;
  failed: number;
  isFound: boolean;
}

/** A folded branch, drawn. */
export type FoldNode = Node<FoldData, 'fold'>;
/** Actions that are alike in two states of a story, drawn as one block. */
export type RestNode = Node<{ count: number }, 'rest'>;
/** All that stands on the canvas. */
export type CanvasNode = ActionNode | NoteNode | FoldNode | RestNode;

/** Returns the nodes with a block instead of each folded branch, at the place of its first action. */
export function foldNodes(nodes: readonly (ActionNode | NoteNode)[], folds: readonly Fold[]): CanvasNode[] {
  if (folds.length === 0) return [...nodes];
  const isHidden = ({ id }: { id: string }) => folds.some(({ hidden }) => hidden.has(Number(id)));
  const actions = nodes.filter((node) => node.type === 'action');
  const blocks = folds.map(({ ownerId, hidden }): FoldNode => {
    const inside = actions.filter(({ id }) => hidden.has(Number(id)));
    const [first] = inside.toSorted((a, b) => a.position.y - b.position.y || a.position.x - b.position.x);
    return {
      id: `fold-${ownerId}`,
      type: 'fold',
      position: first?.position ?? { x: 0, y: 0 },
      ...NODE,
      selectable: false,
      focusable: false,
      data: {
        ownerId,
        ownerName: actions.find(({ id }) => id === String(ownerId))?.data.action.name ?? '',
        count: hidden.size,
        waiting: inside.reduce((sum, { data }) => sum + data.waiting, 0),
        failed: inside.filter(({ data }) => data.failed).length,
        isFound: inside.some(({ data }) => data.isFound),
      },
    };
  });
  return [...nodes.filter((node) => node.type === 'note' || !isHidden(node)), ...blocks];
}

/** Returns the links between what is drawn, and one to each block. */
export function foldEdges(edges: readonly Edge[], folds: readonly Fold[]): Edge[] {
  if (folds.length === 0) return [...edges];
  const isHidden = (id: string) => folds.some(({ hidden }) => hidden.has(Number(id)));
  return [
    ...edges.filter(({ source, target }) => !isHidden(source) && !isHidden(target)),
    ...folds.map(
      ({ ownerId }): Edge => ({
        id: `fold-${ownerId}`,
        source: String(ownerId),
        target: `fold-${ownerId}`,
        type: 'smoothstep',
        className: 'link default',
        markerEnd: 'arrow-default',
      }),
    ),
  ];
}
