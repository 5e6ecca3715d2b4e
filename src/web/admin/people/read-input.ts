import type { Request } from 'express';
import type Joi from 'joi';
import { Unprocessable } from '../../../platform/errors.js';
import { readJsonBody } from '../../../platform/http/body/json-body-reader.js';
import { readRequestBody } from '../../../platform/http/body/read-request-body.js';
import { valid } from '../../../platform/validation/validate.js';

const LIMIT_BYTES = 8 * 1024;
const MAX_VALUES = 20;

/** Reads a small JSON body and checks it. @throws BadRequest, UnsupportedMediaType, PayloadTooLarge, Unprocessable. */
export async function readJsonInput<Body>(req: Request, schema: Joi.ObjectSchema<Body>): Promise<Body> {
  const { value, problems } = readJsonBody(await readRequestBody(req, LIMIT_BYTES), MAX_VALUES);
  if (problems.length > 0) throw new Unprocessable(problems);
  return valid(schema, value ?? {});
}
