import type { PageMeta } from '../../../../clients/typescript/api.js';

/** Rows of the list that are drawn together. */
const ROWS = 200;

/** Returns a page of items that were read, and what the pager shows; a page beyond the last one is the last one. */
export function pageOf<Item>(items: readonly Item[], wanted: number): { items: Item[]; meta: PageMeta } {
  const pages = Math.max(1, Math.ceil(items.length / ROWS));
  const page = Math.min(wanted, pages);
  const address = (number: number) => (number >= 1 && number <= pages ? `?page=${number}` : null);
  return {
    items: items.slice((page - 1) * ROWS, page * ROWS),
    meta: {
      current_page: `?page=${page}`,
      previous_page: address(page - 1),
      next_page: address(page + 1),
      next_page_number: page < pages ? page + 1 : null,
      per_page: ROWS,
      pages,
      count: items.length,
    },
  };
}
