import type { Scenario } from '../../scenario.js';
import { proxiedNodeFrozen, proxiedNodeKilled } from './proxied-node.js';
import { proxyConnectionsCut, proxyKilled } from './proxy-faults.js';

/** THE list of scenarios of a proxy before a cluster, in the order in which they run. */
export const PROXY_SCENARIOS: readonly Scenario[] = [
  proxiedNodeKilled,
  proxiedNodeFrozen,
  proxyKilled,
  proxyConnectionsCut,
];
