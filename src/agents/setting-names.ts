/** Options of every type: the engine evaluates `loop` and `local`; the others are settings of the editor, without an effect. */
export const SETTING_NAMES: ReadonlySet<string> = new Set([
  'loop',
  'local',
  'expected_update_period_in_days',
  'manual_time',
  'placeholders',
]);
