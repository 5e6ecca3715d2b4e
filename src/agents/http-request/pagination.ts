import Joi from 'joi';
import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { flag, isGiven } from '../options/options.js';
import { KNOWN_NAMES } from '../options/option-rules.js';

/** Values of `pagination` that mean one request. */
const NO_PAGINATION: unknown[] = [undefined, null, false, '', 'false'];

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

/** The option `pagination`; the engine renders it page by page (docs/build/agents.md, Pages). */
export const paginationSchema = Joi.object<Pagination>({
  has_more: Joi.any().empty(Joi.valid(null)).custom(saysMore),
  output_as_single_event: setting(),
})
  .unknown(true)
  .meta(KNOWN_NAMES)
  .empty(Joi.valid(...NO_PAGINATION.slice(1)));

/**
 * Returns the option `pagination` unrendered; undefined if the agent sends a single request.
 * @throws PermanentJobError for a value that asks for no pages.
 */
export function readPagination(pagination: JsonValue | undefined): JsonObject | undefined {
  if (NO_PAGINATION.includes(pagination)) return undefined;
  if (!isJsonObject(pagination)) throw new PermanentJobError('option pagination must be an object');
  if (!isGiven(pagination.has_more)) throw new PermanentJobError('option pagination.has_more is required');
  return pagination;
}
