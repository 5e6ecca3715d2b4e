import { CANVAS_STATES } from './canvas-states.js';
import { FIELD_STATES } from './field-states.js';
import { FIRST_STEP_STATES } from './first-step-states.js';
import { PUBLISH_STATES } from './publish-states.js';
import { SAVE_STATES } from './save-states.js';
import type { EditorState } from './stage.js';
import { TRIAL_STATES } from './trial-states.js';

/** Every state of the editor that people see. */
export const EDITOR_STATES: readonly EditorState[] = [
  ...FIRST_STEP_STATES,
  ...CANVAS_STATES,
  ...FIELD_STATES,
  ...SAVE_STATES,
  ...TRIAL_STATES,
  ...PUBLISH_STATES,
];
