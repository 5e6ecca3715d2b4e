import Joi from 'joi';
import { component } from './openapi/component.js';
import type { RequestFacts } from './route.js';

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 500;

/** The query parameters `page` and `per_page` of a list. */
export interface PageQuery {
  page: number;
  per_page: number;
}

/** The keys of a list's query schema (spec §1.7). */
export const pageKeys = {
  page: Joi.number().integer().min(1).max(1_000_000_000).default(1).description('The page to return, from 1'),
  per_page: Joi.number()
    .integer()
    .min(1)
    .max(MAX_PER_PAGE)
    .default(DEFAULT_PER_PAGE)
    .description('The most items that a page has'),
};

/** Returns the number of rows to skip and to return. */
export function windowOf({ page, per_page }: PageQuery): { offset: number; limit: number } {
  return { offset: (page - 1) * per_page, limit: per_page };
}

/** The address of a list request. */
type PageSource = Pick<RequestFacts, 'baseUrl' | 'originalUrl'>;

/** Returns the absolute address of another page of the same list, with all other query parameters (spec §1.7). */
function pageAddress({ baseUrl, originalUrl }: PageSource, page: number): string {
  // Only the first question mark ends the path: values may contain unescaped question marks.
  const start = originalUrl.indexOf('?');
  const path = start === -1 ? originalUrl : originalUrl.slice(0, start);
  const parameters = new URLSearchParams(start === -1 ? '' : originalUrl.slice(start + 1));
  parameters.set('page', String(page));
  return `${baseUrl}${path}?${parameters.toString()}`;
}

/** Returns the pagination object (spec §1.7): absolute addresses that keep every other query parameter. */
export function pageMeta(
  { baseUrl, originalUrl }: PageSource,
  { page, per_page: perPage }: PageQuery,
  count: number,
) {
  const pages = Math.max(1, Math.ceil(count / perPage));
  const address = (number: number) => pageAddress({ baseUrl, originalUrl }, number);
  return {
    current_page: address(page),
    previous_page: page > 1 ? address(Math.min(page - 1, pages)) : null,
    next_page: page < pages ? address(page + 1) : null,
    next_page_number: page < pages ? page + 1 : null,
    per_page: perPage,
    pages,
    count,
  };
}

/**
 * Returns the `Link` header of a page (RFC 8288): first, prev, next and last, as absolute addresses that keep every
 * other query parameter (spec §3.2). `prev` and `next` are absent at the ends.
 */
export function pageLinks(asked: PageSource, page: { number: number; size: number }, total: number): string {
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

/** The pagination object's schema, for the documentation of lists. */
export const pageMetaSchema = component(
  'PageMeta',
  Joi.object({
    current_page: Joi.string().uri().required().description('The address of this page'),
    previous_page: Joi.string().uri().allow(null).required().description('Null on the first page'),
    next_page: Joi.string().uri().allow(null).required().description('Null on the last page'),
    next_page_number: Joi.number().integer().allow(null).required().description('Null on the last page'),
    per_page: Joi.number().integer().required().description('The most items that a page has'),
    pages: Joi.number().integer().required().description('The number of pages, at least 1'),
    count: Joi.number().integer().required().description('The number of items on all pages'),
  }).description('The place of the page in its list'),
);
