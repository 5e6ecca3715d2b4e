import { PatternError } from '../pattern-error.js';
import type { Group, PatternNode, PatternTree } from './pattern-node.js';

/**
 * Refuses groups that call themselves on every way through them, as in `(?<a>x\g<a>)`.
 * @throws PatternError
 */
export function refuseEndless({ root, called }: PatternTree): void {
  if (called.size === 0) return;
  const bodies = new Map<Group, PatternNode>();
  collectBodies(root, { called, bodies });
  const ending = new Set<Group>();
  for (let before = -1; ending.size > before; ) {
    before = ending.size;
    for (const [group, body] of bodies) if (!ending.has(group) && canEnd(body, ending)) ending.add(group);
  }
  if (ending.size < bodies.size) throw new PatternError('never ending recursion');
}

interface Collecting {
  called: ReadonlySet<Group>;
  bodies: Map<Group, PatternNode>;
}

function collectBodies(node: PatternNode, collecting: Collecting): void {
  if (node.type === 'group' && collecting.called.has(node.group))
    collecting.bodies.set(node.group, node.body);
  for (const part of partsOf(node)) collectBodies(part, collecting);
}

function partsOf(node: PatternNode): readonly PatternNode[] {
  if (node.type === 'sequence') return node.items;
  if (node.type === 'choice') return node.branches;
  if (node.type === 'condition') return [node.yes, node.no];
  return 'body' in node ? [node.body] : [];
}

/** Returns true if there is a way through a part that calls only groups that are known to end. */
function canEnd(node: PatternNode, ending: ReadonlySet<Group>): boolean {
  if (node.type === 'call') return ending.has(node.group);
  if (node.type === 'repeat' && node.min === 0) return true;
  const parts = partsOf(node);
  if (node.type === 'choice' || node.type === 'condition') return parts.some((part) => canEnd(part, ending));
  return parts.every((part) => canEnd(part, ending));
}
