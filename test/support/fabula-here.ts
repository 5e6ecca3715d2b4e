import { type FabulaOptions, openFabula, type TestFabula } from './fabula.js';
import { type RunningFabula, runFabula } from './product/run-fabula.js';
import type { Config, HttpClient } from './product/sources.js';
import type { TestStores } from './stores.js';

/** A Fabula in the process of the test file, from its sources: for tests that look inside. */
export interface TestFabulaHere extends TestFabula, Pick<RunningFabula, 'web' | 'workers'> {
  config: Config;
}

export interface FabulaHereOptions extends FabulaOptions {
  /** Instead of the network. */
  http?: HttpClient;
}

/** Starts it on the test file's stores; it stops with them, or by `close`. */
export async function startFabulaHere(
  stores: TestStores,
  options: FabulaHereOptions = {},
): Promise<TestFabulaHere> {
  let running: RunningFabula | undefined;
  const fabula = await openFabula(stores, options, async (given) => {
    running = await runFabula({ ...given, logger: stores.logger });
    return running;
  });
  const { config, web, workers } = running!;
  return { ...fabula, config, web, workers };
}
