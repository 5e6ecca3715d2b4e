import type { ProcessName } from './process-group.js';
import type { Randomness } from './randomness.js';
import type { World } from './world.js';

/** How a scenario is to be run. */
export interface Form {
  /** The short form does the same in less time. */
  short: boolean;
  random: Randomness;
}

/** One way of hurting the system under load. */
export interface Scenario {
  name: string;
  /** The steps of the scenario. */
  sentence: string;
  /** The stores that the processes reach through a proxy of the suite's. */
  proxies?: readonly ('mysql' | 'mysql-errors')[];
  preloads?: Partial<Record<ProcessName, string>>;
  /**
   * Hurts the system while the load goes on; resolves when the fault is over. Gives what has to hold besides, to be
   * checked when everything is quiet: a sentence for each promise that broke.
   */
  hurt(world: World, form: Form): Promise<(() => Promise<string[]>) | undefined>;
}

/** A scenario's file exports one of these. */
export function defineScenario(scenario: Scenario): Scenario {
  return scenario;
}
