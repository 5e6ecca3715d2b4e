import { type FabulaHereOptions, startFabulaHere, type TestFabulaHere } from './fabula-here.js';
import type { TestStores } from './stores.js';
import { runBeforeEach, type Shared, shareStarted } from './use-fabula.js';

export type SharedFabulaHere = Shared<TestFabulaHere, FabulaHereOptions>;

/** As `useFabula`, in the process of the test file: for tests that look inside. */
export function useFabulaHere(
  stores: TestStores,
  options: FabulaHereOptions | (() => FabulaHereOptions) = {},
): SharedFabulaHere {
  return runBeforeEach(shareFabulaHere(stores), options);
}

/** As `shareFabula`, in the process of the test file. */
export function shareFabulaHere(stores: TestStores): SharedFabulaHere {
  return shareStarted(stores, startFabulaHere);
}
