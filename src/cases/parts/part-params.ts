import Joi from 'joi';
import { type PageQuery, pageKeys } from '../../api/page-meta.js';
import { idField } from '../../platform/http/path-id.js';

/** Where the things that hang on a case are. */
export const CASE_PATH = '/api/v2/cases/:id';

/** One of the things that hang on a case; `Name` is what the path calls its id. */
export type PartParams<Name extends string> = { id: number } & Record<Name, number>;

export function partParams<Name extends string>(name: Name): Joi.ObjectSchema<PartParams<Name>> {
  return Joi.object({ id: idField.required(), [name]: idField.required() });
}

/** Of lists that take nothing but a page. */
export const partQuery = Joi.object<PageQuery>(pageKeys);
