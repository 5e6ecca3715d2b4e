import type Joi from 'joi';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { deduplicate } from './deduplicate.js';
import { delay } from './delay.js';
import { explode } from './explode.js';
import { extract } from './extract.js';
import { implode } from './implode.js';
import { messageOnly } from './message-only.js';
import type { TransformationMode } from './mode.js';
import { throttle } from './throttle.js';

/** THE list of transformation modes that can run. */
export const MODES: ReadonlyMap<string, TransformationMode<never>> = new Map([
  ['message_only', messageOnly],
  ['explode', explode],
  ['extract', extract],
  ['deduplicate', deduplicate],
  ['delay', delay],
  ['implode', implode],
  ['throttle', throttle],
]);

/** Modes of the export format that can be stored, but not run (spec §3.3). */
const IMPORT_ONLY: ReadonlyMap<string, string> = new Map([
  ['automatic', 'cannot run here: this server does not run generated scripts'],
]);

/** Whether it is a mode of the export format that cannot run. */
export function isStoredMode(mode: JsonValue | undefined): boolean {
  return typeof mode === 'string' && IMPORT_ONLY.has(mode);
}

/** Returns the reason why a mode cannot run. */
export function modeReason(mode: string): string {
  return `the transformation mode "${mode}" ${IMPORT_ONLY.get(mode) ?? 'is unknown'}`;
}

/** Returns the reason why the mode in these options cannot run; undefined if it can, or if it is a template. */
export function modeNotRunnable({ mode }: JsonObject): string | undefined {
  if (typeof mode !== 'string') return 'an event transformation must have a mode';
  return MODES.has(mode) ? undefined : modeReason(mode);
}

/** Returns the option schema of the mode in these options; undefined for a mode that cannot run. */
export function modeOptions({ mode }: JsonObject): Joi.Schema | undefined {
  return typeof mode === 'string' ? MODES.get(mode)?.options : undefined;
}
