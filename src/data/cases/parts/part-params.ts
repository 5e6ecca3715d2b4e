import Joi from 'joi';
import { pageKeys, type PageQuery } from '../../../api/face.js';
import { idField, idParams } from '../../../platform/http/address/path-id.js';

/** Path prefix of all parts of a case. */
export const CASE_PATH = '/api/v2/cases/:id';

/** Path parameters of one part of a case; `Name` is the name of its id in the path. */
export type PartParams<Name extends string> = { id: number } & Record<Name, number>;

export function partParams<Name extends string>(name: Name): Joi.ObjectSchema<PartParams<Name>> {
  return Joi.object({ id: idField.required(), [name]: idField.required() });
}

/** Query of lists whose only parameters are those of a page. */
export const partQuery = Joi.object<PageQuery>(pageKeys);

/** The places of the things that hang on a case: `/comments` and `/comments/:comment_id`, under `CASE_PATH`. */
export function partPlaces<Name extends string>(plural: string, name: Name, exampleId: number) {
  const path = `${CASE_PATH}/${plural}`;
  return {
    list: { path, params: idParams, example: { id: 42 } },
    item: { path: `${path}/:${name}`, params: partParams(name), example: { id: 42, [name]: exampleId } },
  };
}
