import type { Scenario } from '../../scenario.js';
import { idStepChanged } from './id-step-changed.js';
import { lagging } from './lagging.js';
import { nodeKilled } from './node-killed.js';
import { partition } from './partition.js';

/** THE list of scenarios of a Galera cluster, in the order in which they run. */
export const GALERA_SCENARIOS: readonly Scenario[] = [nodeKilled, partition, lagging, idStepChanged];
