import type { Scenario } from '../../scenario.js';
import { groupIdStep } from './group-id-step.js';
import { groupModeSwitched } from './group-mode.js';
import { groupPartition, groupPrimaryKilled } from './group-primary.js';

/** THE list of scenarios of group replication, in the order in which they run. */
export const GROUP_SCENARIOS: readonly Scenario[] = [
  groupPrimaryKilled,
  groupPartition,
  groupModeSwitched,
  groupIdStep,
];
