import Joi from 'joi';
import type { JsonValue } from '../../platform/json.js';
import { flag } from '../options.js';

/** Values of `pagination` that mean one request. */
export const NO_PAGINATION: unknown[] = [undefined, null, false, '', 'false'];

export interface Pagination {
  /** Whether another page follows this one. */
  has_more?: boolean;
  /** Emits one event with the list of all pages, instead of one event for each page. */
  output_as_single_event?: boolean;
}

/** Blocks of a template may render to white space, which means: not set. */
const setting = () => flag().empty(Joi.string().trim().valid('', null));

const NO = new Set(['', 'false', 'no', 'off', '0', 'null']);

/** Some stories give the next page's request data, such as its address; any of it means that there is a next page. */
function saysMore(value: JsonValue): boolean {
  if (typeof value === 'string') return !NO.has(value.trim().toLowerCase());
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** The option `pagination`; the engine renders it page by page (docs/agents.md, Pages). */
export const paginationSchema = Joi.object<Pagination>({
  has_more: Joi.any().empty(Joi.valid(null)).custom(saysMore),
  output_as_single_event: setting(),
})
  .unknown(true)
  .empty(Joi.valid(...NO_PAGINATION.slice(1)));
