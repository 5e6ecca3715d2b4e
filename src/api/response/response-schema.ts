import Joi from 'joi';
import { pageMetaSchema } from '../request/page-meta.js';

/** A time in a response: `YYYY-MM-DDTHH:MM:SSZ` (spec §1.6). */
export const timeSchema = Joi.string()
  .isoDate()
  .pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

/** An id in a response. */
export const idSchema = Joi.number().integer();

/** Returns the schema of an object in a response: every key is required, and no other is allowed. */
export function responseSchema(keys: Record<string, Joi.Schema>): Joi.ObjectSchema {
  return Joi.object(
    Object.fromEntries(Object.entries(keys).map(([key, schema]) => [key, schema.required()])),
  );
}

/** Returns the schema of a list's response: `{<plural>, meta}` (spec §1.7). */
export function listSchema(plural: string, item: Joi.Schema): Joi.ObjectSchema {
  return responseSchema({
    [plural]: Joi.array().items(item).description('Items of the page'),
    meta: pageMetaSchema,
  });
}

/** Returns an example of `meta`: the only page of a list at `path` with `count` items. */
export function exampleMeta(path: string, count = 1) {
  return {
    current_page: `https://fabula.example${path}?page=1`,
    previous_page: null,
    next_page: null,
    next_page_number: null,
    per_page: 20,
    pages: 1,
    count,
  };
}
