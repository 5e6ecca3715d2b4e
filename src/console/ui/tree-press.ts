import type { MouseEvent } from 'react';

/**
 * Returns the row of a tree that was pressed, by its `data-index`, and whether the press was on its sign. A tree takes
 * presses as it takes keys, because its rows have no focus of their own.
 */
export function pressOn({ target }: MouseEvent): { index: number; isOnSign: boolean } | undefined {
  if (!(target instanceof Element)) return undefined;
  const row = target.closest<HTMLElement>('[role="treeitem"]');
  if (row === null) return undefined;
  return { index: Number(row.dataset['index']), isOnSign: target.closest('[data-sign]') !== null };
}
