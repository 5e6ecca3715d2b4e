import Joi from 'joi';
import { pageMetaSchema } from './page-meta.js';

/** A time in an answer: `YYYY-MM-DDTHH:MM:SSZ` (spec §1.6). */
export const timeSchema = Joi.string()
  .isoDate()
  .pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

/** An id in an answer. */
export const idSchema = Joi.number().integer();

/** The schema of an object in an answer: every key is there, and no other. */
export function answerSchema(keys: Record<string, Joi.Schema>): Joi.ObjectSchema {
  return Joi.object(
    Object.fromEntries(Object.entries(keys).map(([key, schema]) => [key, schema.required()])),
  );
}

/** The schema of a list's answer: `{<plural>, meta}` (spec §1.7). */
export function listSchema(plural: string, item: Joi.Schema): Joi.ObjectSchema {
  return answerSchema({ [plural]: Joi.array().items(item), meta: pageMetaSchema });
}

/** An example of `meta`: the only page of a list at `path` with `count` items. */
export function exampleMeta(path: string, count = 1) {
  return {
    current_page: `https://fabula.example${path}?page=1`,
    previous_page: null,
    next_page: null,
    per_page: 20,
    pages: 1,
    count,
  };
}
