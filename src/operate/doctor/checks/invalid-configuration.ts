import type { FindingKind } from '../finding.js';

/** The configuration cannot be read: no process starts with it. */
export const INVALID: FindingKind = {
  id: 'configuration.invalid',
  severity: 'error',
  why: 'Processes do not start with a variable that is wrong. All other checks were left out.',
  remedy:
    'Correct the variable (docs/operate/configuration.md says what it may be), and run the doctor again.',
};
