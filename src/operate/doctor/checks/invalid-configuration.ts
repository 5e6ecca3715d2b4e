import type { FindingKind } from '../finding.js';

/** The configuration cannot be read: no process starts with it. */
export const INVALID: FindingKind = {
  id: 'configuration.invalid',
  severity: 'error',
  why: 'Processes do not start with an invalid variable. All other checks were skipped.',
  remedy: 'Correct the variable (docs/operate/configuration.md lists its values), then run the doctor again.',
};
