import Joi from 'joi';

/** An id in a path, a query or a body; text of digits counts (spec §1.4). */
export const idField = Joi.number().integer().positive();

/** The parameters of a path with one `:id`. */
export interface IdParams {
  id: number;
}

export const idParams = Joi.object<IdParams>({ id: idField.required() });
