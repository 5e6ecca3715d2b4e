import Joi from 'joi';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { integer, number, optionText } from '../options/options.js';
import { defineMode } from './mode.js';

const DAY_SECONDS = 24 * 60 * 60;
const LONGEST_SECONDS = 30 * DAY_SECONDS;
/** Also the bound of a group that is ended by time only. */
const LARGEST_GROUP = 1_000_000;

interface ImplodeOptions {
  item_path?: JsonValue;
  guid_path: JsonValue;
  size_path?: number;
  seconds?: number;
  timeout: number;
}

/**
 * `implode`: gathers events with the same text at `guid_path` until there are `size_path` of them. Emits the list of
 * the values at `item_path` (absent: the whole events), in the order of the exploded list. With `seconds`, the group is
 * emitted that long after its first event, complete or not. Without, the deliveries of a group that is incomplete
 * after `timeout` seconds (default a day) become dead letters.
 */
export const implode = defineMode<ImplodeOptions>({
  options: Joi.object({
    item_path: Joi.any(),
    guid_path: Joi.any().required(),
    size_path: integer()
      .min(1)
      .max(LARGEST_GROUP)
      .when('seconds', { is: Joi.number().greater(0).required(), otherwise: Joi.required() }),
    /** Absent or 0: the group is not ended by time. */
    seconds: number().min(0),
    timeout: integer().min(1).max(LONGEST_SECONDS).default(DAY_SECONDS),
  }).unknown(true),
  loops: false,
  readsWholeEvent: ({ item_path: itemPath }) => itemPath === undefined,
  run({ item_path: item, guid_path: guid, size_path: size, seconds, timeout }, { event }) {
    const group = optionText(guid);
    const isTimed = seconds !== undefined && seconds > 0;
    return {
      gather: {
        group,
        size: size ?? LARGEST_GROUP,
        position: positionOf(event, group),
        item: item === undefined ? event : item,
        timeoutSeconds: isTimed ? Math.min(Math.ceil(seconds), LONGEST_SECONDS) : timeout,
        partial: isTimed,
      },
    };
  },
});

/** Returns the `index` beside the group's `guid`: the element's position in the exploded list. */
function positionOf(event: JsonObject, guid: string): number | undefined {
  const exploded = Object.values(event).find(
    (part) => isJsonObject(part) && part.guid === guid && Number.isSafeInteger(part.index),
  );
  return isJsonObject(exploded) ? Number(exploded.index) : undefined;
}
