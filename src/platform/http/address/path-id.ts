import Joi from 'joi';

/** An id in a path, a query or a body; text of digits counts, other forms of numbers (`1e0`, `+1`) do not (spec §1.4). */
export const idField = Joi.number()
  .integer()
  .positive()
  // A negative number has been named already.
  .custom((id: number, helpers) => {
    const original: unknown = helpers.original;
    return id > 0 && typeof original === 'string' && !/^\s*\d+\s*$/.test(original)
      ? helpers.error('number.base')
      : id;
  });

/** The parameters of a path with one `:id`. */
export interface IdParams {
  id: number;
}

export const idParams = Joi.object<IdParams>({ id: idField.required() });
