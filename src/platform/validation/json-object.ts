import Joi from 'joi';
import { isJsonObject, type JsonObject } from '../json.js';

/** Any JSON object. joi by itself also takes an exact number for one, because JavaScript calls both objects. */
export const jsonObject = <Value = JsonObject>() =>
  Joi.object<Value>()
    .unknown(true)
    .custom((value: unknown, helpers) =>
      isJsonObject(value) ? value : helpers.error('object.base', { type: 'object' }),
    );
