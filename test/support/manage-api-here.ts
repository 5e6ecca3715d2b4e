import { type FabulaHereOptions, startFabulaHere, type TestFabulaHere } from './fabula-here.js';
import { type ManageApi, manageStarted, WITHOUT_WORKERS } from './manage-api.js';
import type { TestStores } from './stores.js';

/** As `useManageApi`, in the process of the test file: for tests that look inside. */
export function useManageApiHere(
  stores: TestStores,
  options: FabulaHereOptions = WITHOUT_WORKERS,
): ManageApi<TestFabulaHere> {
  return manageStarted(() => startFabulaHere(stores, options));
}
