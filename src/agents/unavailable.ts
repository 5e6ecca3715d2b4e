import { PermanentJobError } from '../errors.js';
import type { JsonObject } from '../json.js';

const LOOP = 'the option "loop" (running once for each element) is not available yet';

/** Values of `loop` that mean the action runs once. */
const NO_LOOP: unknown[] = [undefined, null, false, '', 'false'];

/** Why an action with these options cannot run because of `loop`, if it asks for one. */
export function loopNotRunnable(options: JsonObject): string | undefined {
  return NO_LOOP.includes(options.loop) ? undefined : LOOP;
}

/** @throws PermanentJobError when the options ask for a loop. */
export function refuseLoop(options: { loop?: unknown }): void {
  if (!NO_LOOP.includes(options.loop)) throw new PermanentJobError(LOOP);
}
