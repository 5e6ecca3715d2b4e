import { createActorStore } from '../../api/face.js';
import { baseUrlOf, type Config, domainOf } from '../../config/face.js';
import type { CredentialService } from '../../data/face.js';
import { createMarkedSecrets } from '../../engine/face.js';
import type { TeamValues } from '../../language/face.js';
import type { TenantQuotas } from '../../people/face.js';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import { isTransient } from '../../platform/mysql/db-errors.js';
import { repeated } from '../../platform/runtime/background-loop.js';
import { createThreadPool } from '../../platform/threads/thread-pool.js';
import type { StoryGraphs } from '../../stories/face.js';
import { runLimitsOf, TRIAL_LIMITS } from '../trial-limits.js';
import { advanceShadow } from './advance-shadow.js';
import { ANY_OPEN_SHADOW, findDueShadows } from './shadow-store.js';
import { createShadowTurns } from './shadow-turns.js';

/** Turns of one pass end after this time, in ms; then it is asked again what is due. */
const PASS_MS = 1_000;
const PAUSE_MS = 1_000;
const LEAST_PAUSE_MS = 5;
const PAUSE_AFTER_ERROR_MS = 5_000;

export interface ShadowRunnerDeps {
  config: Config;
  database: Pick<Database, 'read' | 'transaction' | 'exists'>;
  graphs: StoryGraphs;
  values: TeamValues;
  credentials: Pick<CredentialService, 'listSecrets'>;
  quotas: TenantQuotas;
  /** The file that each thread of a pool runs. */
  threadFile: string;
  logger: Logger;
}

/**
 * Takes shadows on until they end, turn by turn, tenant by tenant. It has one thread of its own, which starts with the first run:
 * trials of people do not wait for it. A pass returns the pause after it, in ms.
 */
export function createShadowRunner(deps: ShadowRunnerDeps) {
  const { config, database, credentials, logger } = deps;
  const threads = createThreadPool({ file: deps.threadFile, size: 1 });
  const turns = createShadowTurns(config.shadowCpuShare);
  const advancing = {
    ...deps,
    threads,
    findActor: createActorStore(database).findByUser,
    limits: { ...TRIAL_LIMITS, ...runLimitsOf(config) },
    domain: domainOf(config),
    baseUrl: baseUrlOf(config),
  };

  const takeOn = async (id: number, signal: AbortSignal | undefined): Promise<boolean> => {
    try {
      // Credentials may have changed since the last turn.
      return await advanceShadow({ ...advancing, secrets: createMarkedSecrets(credentials) }, id, signal);
    } catch (error) {
      // An outage concerns all of them; a fault of one must not hold up the others.
      if (isTransient(error)) throw error;
      logger.warn('taking a shadow on failed', { shadow: id, error: messageOf(error) });
      return false;
    }
  };

  const loop = repeated({
    async tick(signal?: AbortSignal): Promise<number> {
      if (!(await database.exists(ANY_OPEN_SHADOW))) return PAUSE_MS;
      let due = await database.read(findDueShadows);
      turns.keep(due);
      const worked = new Set<number>();
      const until = performance.now() + PASS_MS;
      const goesOn = () => signal?.aborted !== true && performance.now() < until;
      while (goesOn()) {
        const next = turns.next(due);
        if (next === undefined) return PAUSE_MS;
        if ('waitMs' in next) return Math.min(PAUSE_MS, Math.max(LEAST_PAUSE_MS, next.waitMs));
        const { id } = next.shadow;
        const began = performance.now();
        const wasBusy = await takeOn(id, signal);
        turns.took(next.shadow, { ms: performance.now() - began, rests: !wasBusy && !worked.has(id) });
        if (wasBusy) worked.add(id);
        else due = due.filter((each) => each.id !== id);
      }
      return LEAST_PAUSE_MS;
    },
    pauseAfter: (pauseMs: number) => pauseMs,
    restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
    failure: 'taking shadows on failed',
    logger,
  });
  return { ...loop, close: () => threads.close() };
}
