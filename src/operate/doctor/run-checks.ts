import { DATABASE_AWAY, REDIS_AWAY } from '../monitoring/reasons/store-reasons.js';
import { messageOf } from '../../platform/errors.js';
import { withTimeout } from '../../platform/runtime/timeout.js';
import type { Check, RequiredStore, StoreContext } from './check.js';
import { type DoctorFinding, finding, type FindingKind } from './finding.js';

const NOT_RUN: FindingKind = {
  id: 'doctor.check-failed',
  severity: 'warning',
  why: 'This check did not run, so its result is unknown.',
  remedy: 'Check the reason: the account may lack a privilege, or the server may be too slow.',
};

/** Kinds of findings that belong to no check. */
export const RUNNER_KINDS: readonly FindingKind[] = [DATABASE_AWAY, REDIS_AWAY, NOT_RUN];

export interface DoctorRunOptions {
  /** Longest duration of one check, in ms. */
  limitMs: number;
  /** True if errors may be shown in full: they name hosts and users. Default: their codes alone. */
  showsReasons?: boolean;
}

/**
 * Runs the checks at once, each with a time limit. A store that cannot be reached is one finding, and so is each check that
 * cannot run. Never rejects for a fault of the stores.
 */
export async function runChecks<Context extends StoreContext>(
  checks: readonly Check<Context>[],
  context: Context,
  options: DoctorRunOptions,
): Promise<DoctorFinding[]> {
  const away = await storesAway(context, options);
  const found = await Promise.all(
    checks
      .filter(({ needs }) => !needs.some((need) => away.has(need)))
      .map((check) => runOne(check, context, options)),
  );
  const skipped = (need: RequiredStore) => checks.filter(({ needs }) => needs.includes(need)).length;
  const reach = [...away].map(([need, reason]) =>
    finding(
      need === 'database' ? DATABASE_AWAY : REDIS_AWAY,
      `It is unreachable: ${reason}. ${skipped(need)} checks were skipped.`,
    ),
  );
  return [...reach, ...found.flat()];
}

async function storesAway(
  context: StoreContext,
  options: DoctorRunOptions,
): Promise<Map<RequiredStore, string>> {
  const probes: [RequiredStore, Promise<unknown>][] = [
    ['database', context.databaseSettings()],
    ['redis', context.reachRedis()],
  ];
  const results = await Promise.all(
    probes.map(async ([need, probe]): Promise<[RequiredStore, string][]> => {
      try {
        await withTimeout(probe, options.limitMs);
        return [];
      } catch (error) {
        return [[need, reasonOf(error, options)]];
      }
    }),
  );
  return new Map(results.flat());
}

async function runOne<Context>(
  check: Check<Context>,
  context: Context,
  options: DoctorRunOptions,
): Promise<DoctorFinding[]> {
  try {
    return await withTimeout(Promise.resolve(check.run(context)), options.limitMs);
  } catch (error) {
    return [finding(NOT_RUN, `The check "${check.name}" could not run: ${reasonOf(error, options)}.`)];
  }
}

function reasonOf(error: unknown, { showsReasons = false }: DoctorRunOptions): string {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  const message = messageOf(error).replace(/\.$/, '');
  if (!showsReasons) return code ?? 'no response';
  return message === '' ? (code ?? 'unknown reason') : message;
}
