import Joi from 'joi';
import type { Cursor, WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import { component } from '../openapi/component.js';
import type { RequestFacts } from '../route.js';

const CURSOR_FORMS = { time: /^(?<time>\d{1,14})-(?<id>\d{1,15})$/, id: /^(?<id>\d{1,15})$/ };

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 500;

/** The query parameters `page` and `per_page` of a list; `cursor` is that of a list that grows at its beginning. */
export interface PageQuery {
  page: number;
  per_page: number;
  cursor?: Cursor | undefined;
}

/** The keys of a list's query schema (spec §1.7). */
export const pageKeys = {
  page: Joi.number().integer().min(1).max(1_000_000_000).default(1).description('Page number, from 1'),
  per_page: Joi.number()
    .integer()
    .min(1)
    .max(MAX_PER_PAGE)
    .default(DEFAULT_PER_PAGE)
    .description('Items per page'),
};

/** Returns the number of rows to skip and to return, and the place to begin with if the query has one. */
export function windowOf({ page, per_page, cursor }: PageQuery): WalkWindow {
  return { offset: (page - 1) * per_page, limit: per_page, ...(cursor && { after: cursor }) };
}

/** The address of a list request. */
type PageSource = Pick<RequestFacts, 'baseUrl' | 'originalUrl'>;

/** A page of a list: its number, and the place where it begins if that is not the number's. */
interface PagePlace {
  number: number;
  cursor?: Cursor | null | undefined;
}

/** Returns the absolute address of another page of the same list, with all other query parameters (spec §1.7). */
function pageAddress({ baseUrl, originalUrl }: PageSource, { number, cursor }: PagePlace): string {
  // Only the first question mark ends the path: values may contain unescaped question marks.
  const start = originalUrl.indexOf('?');
  const path = start === -1 ? originalUrl : originalUrl.slice(0, start);
  const parameters = new URLSearchParams(start === -1 ? '' : originalUrl.slice(start + 1));
  parameters.delete('cursor');
  parameters.set('page', String(number));
  if (cursor) parameters.set('cursor', writeListCursor(cursor));
  return `${baseUrl}${path}?${parameters.toString()}`;
}

/** A page as it was read; `next` is that of a list that grows at its beginning, null on its last page. */
interface ReadPage {
  /** Number of items on all pages. */
  total: number;
  next?: Cursor | null | undefined;
}

/**
 * Returns the pagination object (spec §1.7): absolute addresses that keep every other query parameter. The next page of a
 * list that grows at its beginning begins with a place, so that nothing comes twice.
 */
export function pageMeta(
  { baseUrl, originalUrl }: PageSource,
  { page, per_page: perPage, cursor }: PageQuery,
  { total: count, next }: ReadPage,
) {
  const pages = Math.max(1, Math.ceil(count / perPage));
  const address = (number: number, place?: Cursor | null) =>
    pageAddress({ baseUrl, originalUrl }, { number, cursor: place });
  const hasNext = next === undefined ? page < pages : next !== null;
  return {
    current_page: address(page, cursor),
    previous_page: page > 1 ? address(Math.min(page - 1, pages)) : null,
    next_page: hasNext ? address(page + 1, next) : null,
    next_page_number: hasNext ? page + 1 : null,
    per_page: perPage,
    pages,
    count,
  };
}

/**
 * Returns the `Link` header of a page (RFC 8288): first, prev, next and last, as absolute addresses that keep every
 * other query parameter (spec §3.2). `prev` and `next` are absent at the ends.
 */
export function pageLinks(
  asked: PageSource,
  { page, per_page: perPage }: PageQuery,
  { total, next }: ReadPage,
): string {
  const last = Math.max(1, Math.ceil(total / perPage));
  const hasNext = next === undefined ? page < last : next !== null;
  const pages: [string, PagePlace | undefined][] = [
    ['first', { number: 1 }],
    ['prev', page > 1 ? { number: Math.min(page - 1, last) } : undefined],
    ['next', hasNext ? { number: page + 1, cursor: next } : undefined],
    ['last', { number: last }],
  ];
  return pages
    .flatMap(([relation, place]) => (place ? `<${pageAddress(asked, place)}>; rel="${relation}"` : []))
    .join(', ');
}

/** The pagination object's schema, for the documentation of lists. */
export const pageMetaSchema = component(
  'PageMeta',
  Joi.object({
    current_page: Joi.string().uri().required().description('URL of this page'),
    previous_page: Joi.string().uri().allow(null).required().description('null on the first page'),
    next_page: Joi.string()
      .uri()
      .allow(null)
      .required()
      .description(
        'null on the last page. Follow it instead of page numbers: it continues exactly where this page ended',
      ),
    next_page_number: Joi.number().integer().allow(null).required().description('null on the last page'),
    per_page: Joi.number().integer().required().description('Items per page'),
    pages: Joi.number().integer().required().description('Number of pages, at least 1'),
    count: Joi.number().integer().required().description('Number of items on all pages'),
  }).description('Paging of the list'),
);

/**
 * The key of the query schema of a list that grows at its beginning: `form` is its order, newest first (spec §1.7).
 * A page that begins with a place, and not with a number of rows, has nothing that the page before had.
 */
export function cursorKey(form: keyof typeof CURSOR_FORMS) {
  const cursor = Joi.string()
    .custom((text: string, helpers) => readCursor(text, form) ?? helpers.error('cursor.form'))
    .messages({
      'cursor.form': '{{#label}} must be taken from `next_page` of the previous page of this list',
    })
    .description(
      'Start of the page, from `next_page`: no duplicates while items are added or deleted. `page` is then only its number',
    );
  return { cursor };
}

/**
 * Restricts a cursor to the order of the list that has places: `newest` must allow the parameter `name`, and its absence if
 * that means newest first.
 */
export function cursorOnlyIf(cursor: Joi.Schema, name: string, newest: Joi.Schema): Joi.Schema {
  const message = `{{#label}} cannot be combined with this "${name}", because it requires newest-first order. Use "page" instead`;
  return cursor.when(name, { is: newest, otherwise: Joi.forbidden().messages({ 'any.unknown': message }) });
}

/** Returns the cursor as clients send it back: milliseconds since 1970 if the list has the order of times, and the id. */
function writeListCursor({ time, id }: Cursor): string {
  return time === undefined ? String(id) : `${time.getTime()}-${id}`;
}

function readCursor(text: string, form: keyof typeof CURSOR_FORMS): Cursor | undefined {
  const { time, id } = CURSOR_FORMS[form].exec(text)?.groups ?? {};
  if (id === undefined) return undefined;
  return time === undefined ? { id: Number(id) } : { time: new Date(Number(time)), id: Number(id) };
}
