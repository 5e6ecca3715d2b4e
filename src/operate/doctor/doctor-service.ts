import { memoizeFor } from '../../platform/runtime/memoize.js';
import { STORE_CHECKS } from './checks.js';
import { type Report, reportOf } from './report.js';
import { runChecks } from './run-checks.js';
import { createStoreContext, type OpenStores } from './store-context.js';

/** Requests within this time share one report: it asks both stores many things. */
const SHARED_MS = 15_000;
const CHECK_LIMIT_MS = 3_000;

export interface DoctorService {
  /** Returns the report about the stores and the work in them, at most 15 s old. */
  report(): Promise<Report>;
}

/** Creates the doctor of a web process: it says nothing about the host, its configuration or its secrets. */
export function createDoctorService(stores: OpenStores): DoctorService {
  return {
    report: memoizeFor(SHARED_MS, async () => {
      const found = await runChecks(STORE_CHECKS, createStoreContext(stores), { limitMs: CHECK_LIMIT_MS });
      return reportOf(found, STORE_CHECKS.length);
    }),
  };
}
