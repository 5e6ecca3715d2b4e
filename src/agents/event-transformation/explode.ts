import Joi from 'joi';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import type { AgentContext } from '../agent.js';
import { jsonListOf } from '../json-text.js';
import { integer, scalar } from '../options/options.js';
import { defineMode } from './mode.js';

const DEFAULT_LIMIT = 500;
/** Maximum number of events from one delivery, whatever the story's limit. */
const HIGHEST_LIMIT = 50_000;

interface ExplodeOptions {
  path: JsonValue;
  to: string;
  limit: number;
}

/**
 * `explode`: emits one event for each element of the list at `path`, under the key `to`. Each has its `index`, the `size`
 * (number of emitted events) and a `guid` that they all share. Elements past `limit` are dropped with a warning.
 */
export const explode = defineMode<ExplodeOptions>({
  options: Joi.object({
    path: Joi.any().required(),
    to: scalar().required(),
    limit: integer().min(1).default(DEFAULT_LIMIT),
  }).unknown(true),
  run({ path, to, limit }, context) {
    const list = jsonListOf(path);
    if (list === undefined) return nothing(path, context);
    const elements = list.slice(0, Math.min(limit, HIGHEST_LIMIT));
    if (elements.length < list.length) {
      context.log(
        'warn',
        `path has ${list.length} elements, only the first ${elements.length} became events`,
      );
    }
    const guid = context.newGuid();
    return elements.map((element, index) => ({ [to]: element, index, size: elements.length, guid }));
  },
});

function nothing(path: JsonValue, { log }: AgentContext): JsonValue[] {
  log('warn', `path is ${kindOf(path)}, not a list: nothing was emitted`);
  return [];
}

function kindOf(value: JsonValue): string {
  if (value === null || value === '') return 'empty';
  return isJsonObject(value) ? 'an object' : `a ${typeof value === 'string' ? 'text' : typeof value}`;
}
