import type { JsonObject } from '../platform/json.js';

/** Options of every type: the engine evaluates `loop` and `local`; the others are settings of the editor, without an effect. */
export const SETTING_NAMES: ReadonlySet<string> = new Set([
  'loop',
  'local',
  'expected_update_period_in_days',
  'manual_time',
  'placeholders',
]);

const NO_LOOP: unknown[] = [undefined, null, false, '', 'false'];

/** Whether the agent runs once for each element of its option `loop`, which is not rendered yet. */
export function asksForLoop({ loop }: JsonObject): boolean {
  return !NO_LOOP.includes(loop);
}
