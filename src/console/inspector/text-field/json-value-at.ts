import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

type Node = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

/** Returns where the value at the cursor stands, that of a key if the cursor is in one; undefined: there is none. */
export function jsonValueAt(state: EditorState): { from: number; to: number } | undefined {
  const at = state.selection.main.head;
  const tree = syntaxTree(state);
  // Behind its last letter a value still is the one at the cursor.
  const before = tree.resolveInner(at, -1);
  const begin = isPlain(before) ? before : tree.resolveInner(at, 1);
  let node: Node | null = begin;
  while (node !== null && !VALUES.has(node.name)) {
    if (node.name === 'Property') {
      const value: Node | null = node.lastChild;
      if (value !== null && VALUES.has(value.name)) return { from: value.from, to: value.to };
    }
    if (node.name === 'JsonText') return placeOf(node.firstChild);
    node = node.parent;
  }
  return placeOf(node);
}

const isPlain = ({ name }: Node) =>
  name === 'PropertyName' || (VALUES.has(name) && name !== 'Object' && name !== 'Array');

const placeOf = (node: Node | null) =>
  node !== null && VALUES.has(node.name) ? { from: node.from, to: node.to } : undefined;
