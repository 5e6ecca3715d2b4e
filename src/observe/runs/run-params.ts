import Joi from 'joi';
import { idField } from '../../platform/http/address/path-id.js';

/** The guid of a run, in a path or a query; in any letter case. */
export const runGuidField = Joi.string()
  .lowercase()
  .pattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a guid');

/** The parameters of the path of a run. */
export interface RunParams {
  id: number;
  guid: string;
}

export const runParams = Joi.object<RunParams>({ id: idField.required(), guid: runGuidField.required() });

/** Only runs with warnings, in a query. */
export const warningsField = Joi.boolean()
  .valid(true)
  .description('Only runs with steps that logged errors and did not fail, among the newest 10,000 runs');
