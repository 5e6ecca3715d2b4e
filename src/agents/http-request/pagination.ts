import Joi from 'joi';
import { flag } from '../options.js';

/** Values of `pagination` that mean one request. */
export const NO_PAGINATION: unknown[] = [undefined, null, false, '', 'false'];

export interface Pagination {
  /** Whether another page follows the one that has come. */
  has_more?: boolean;
  /** One event, the list of all pages, instead of one for each. */
  output_as_single_event?: boolean;
}

/** Blocks of a template leave white space where they say nothing. */
const setting = () => flag().empty(Joi.string().trim().valid('', null));

/** The option `pagination`; the engine renders it page by page (docs/agents.md, Pages). */
export const paginationSchema = Joi.object<Pagination>({
  has_more: setting(),
  output_as_single_event: setting(),
})
  .unknown(true)
  .empty(Joi.valid(...NO_PAGINATION.slice(1)));
