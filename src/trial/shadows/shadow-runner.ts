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
import { ANY_OPEN_SHADOW, findOpenShadows } from './shadow-store.js';

const PAUSE_WHEN_BUSY_MS = 50;
const PAUSE_MS = 1_000;
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
 * Takes shadows on until they end, each by a turn. It has one thread of its own, which starts with the first run: trials of people
 * do not wait for it. A pass returns whether there was something to do.
 */
export function createShadowRunner(deps: ShadowRunnerDeps) {
  const { config, database, credentials, logger } = deps;
  const threads = createThreadPool({ file: deps.threadFile, size: 1 });
  const actors = createActorStore(database);
  const advancing = {
    ...deps,
    threads,
    findActor: actors.findByUser,
    cpuShare: config.shadowCpuShare,
    limits: { ...TRIAL_LIMITS, ...runLimitsOf(config) },
    domain: domainOf(config),
    baseUrl: baseUrlOf(config),
  };
  const loop = repeated({
    async tick(signal?: AbortSignal) {
      if (!(await database.exists(ANY_OPEN_SHADOW))) return false;
      let isBusy = false;
      for (const id of await database.read(findOpenShadows)) {
        if (signal?.aborted === true) break;
        // Credentials may have changed since the last turn.
        const turn = { ...advancing, secrets: createMarkedSecrets(credentials) };
        const wasBusy = await advanceShadow(turn, id, signal).catch((error: unknown) => {
          // An outage concerns all of them; a fault of one must not hold up the others.
          if (isTransient(error)) throw error;
          logger.warn('taking a shadow on failed', { shadow: id, error: messageOf(error) });
          return false;
        });
        isBusy ||= wasBusy;
      }
      return isBusy;
    },
    pauseAfter: (isBusy: boolean) => (isBusy ? PAUSE_WHEN_BUSY_MS : PAUSE_MS),
    restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
    failure: 'taking shadows on failed',
    logger,
  });
  return { ...loop, close: () => threads.close() };
}
