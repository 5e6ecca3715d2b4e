import type { PatternNode } from '../reading/pattern-node.js';

/** How many characters a part of a pattern matches: `max` may be infinite. */
export interface Width {
  min: number;
  max: number;
}

const NOTHING: Width = { min: 0, max: 0 };
const ONE: Width = { min: 1, max: 1 };
const ANYTHING: Width = { min: 0, max: Number.POSITIVE_INFINITY };

/** Returns a function that measures parts of a pattern, each part once. */
export function createPatternWidth(): (node: PatternNode) => Width {
  const known = new Map<PatternNode, Width>();
  const widthOf = (node: PatternNode): Width => {
    const width = known.get(node) ?? measure(node, widthOf);
    known.set(node, width);
    return width;
  };
  return widthOf;
}

function measure(node: PatternNode, widthOf: (node: PatternNode) => Width): Width {
  switch (node.type) {
    case 'char':
    case 'set':
      return ONE;
    case 'sequence': {
      const widths = node.items.map(widthOf);
      return { min: sum(widths.map(({ min }) => min)), max: sum(widths.map(({ max }) => max)) };
    }
    case 'choice':
      return either(node.branches.map(widthOf));
    case 'condition':
      return either([widthOf(node.yes), widthOf(node.no)]);
    case 'repeat': {
      const { min, max } = widthOf(node.body);
      return { min: min * node.min, max: max === 0 || node.max === 0 ? 0 : max * node.max };
    }
    case 'group':
    case 'atomic':
      return widthOf(node.body);
    case 'back reference':
    case 'call':
      return ANYTHING;
    case 'grapheme':
      return { min: 1, max: Number.POSITIVE_INFINITY };
    default:
      return NOTHING;
  }
}

function either(widths: Width[]): Width {
  return { min: Math.min(...widths.map(({ min }) => min)), max: Math.max(...widths.map(({ max }) => max)) };
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
