import type { PatternNode } from '../reading/pattern-node.js';

/** Returns true if a part's success may depend on more than the place where it begins. */
export function dependsOnMore(node: PatternNode): boolean {
  switch (node.type) {
    case 'back reference':
    case 'call':
    case 'condition':
      return true;
    case 'assert':
      return node.kind === 'search start';
    case 'sequence':
      return node.items.some(dependsOnMore);
    case 'choice':
      return node.branches.some(dependsOnMore);
    case 'repeat':
    case 'group':
    case 'atomic':
    case 'look':
      return dependsOnMore(node.body);
    default:
      return false;
  }
}
