import { AGENT_TYPES, checkOptions, isStoredOnly, runnable } from '../index.js';
import { ignoredOptions, optionFaults, unknownOptions, unusablePatterns } from './option-faults.js';

/** Everything that is known of an action before it runs, from the definitions that run it. */
export const AGENT_CHECKS = {
  checkOptions,
  runnable,
  /** Whether actions of this type run, in one mode at least. */
  hasType: (type: string) => AGENT_TYPES.has(type),
  isStoredOnly,
  unusablePatterns,
  ignoredOptions,
  unknownOptions,
  optionFaults,
};

export type AgentChecks = typeof AGENT_CHECKS;
