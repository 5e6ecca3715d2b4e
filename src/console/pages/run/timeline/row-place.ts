/** Where a row of the tree stands. */
export interface RowPlace {
  id: string;
  /** The place of the row among those of the tree. */
  index: number;
  /** Pixels from the top. */
  top: number;
  /** Whether the keys have reached it. */
  isReached: boolean;
}

/** Two moments in milliseconds. */
export interface Span {
  from: number;
  to: number;
}

/** Deeper rows are no further to the right. */
const DEEPEST = 16;
const INDENT_PX = 14;

/** Returns the style that shifts the name of a row to its depth. */
export const indentOf = (depth: number) => ({ paddingLeft: Math.min(depth, DEEPEST) * INDENT_PX });

/** Returns the place of a span within the whole one, as a style; a short one stays visible. */
export function barOf({ from, to }: Span, whole: Span) {
  const length = whole.to - whole.from;
  return {
    left: `${Math.min(((from - whole.from) / length) * 100, 99.5)}%`,
    width: `max(3px, ${((to - from) / length) * 100}%)`,
  };
}
