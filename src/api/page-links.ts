import { pageAddress } from './page-meta.js';

/** The address of a list request: see `RequestFacts` of the routes. */
interface Asked {
  baseUrl: string;
  originalUrl: string;
}

/**
 * Returns the `Link` header of a page (RFC 8288): first, prev, next and last, as absolute addresses that keep every
 * other query parameter (spec §3.2). `prev` and `next` are absent at the ends.
 */
export function pageLinks(asked: Asked, page: { number: number; size: number }, total: number): string {
  const last = Math.max(1, Math.ceil(total / page.size));
  const pages: [string, number][] = [
    ['first', 1],
    ['prev', Math.min(page.number - 1, last)],
    ['next', page.number + 1],
    ['last', last],
  ];
  return pages
    .filter(([, number]) => number >= 1 && number <= last)
    .map(([relation, number]) => `<${pageAddress(asked, number)}>; rel="${relation}"`)
    .join(', ');
}
