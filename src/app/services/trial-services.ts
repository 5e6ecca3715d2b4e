import { baseUrlOf, clientOptions, type Config, domainOf } from '../../config/face.js';
import { createTrialService, createTryAction, type TrialService, type TryAction } from '../../trial/face.js';
import type { ForgetsTeams } from '../../people/face.js';
import {
  createCpuShares,
  createDeliveryLoader,
  createEventCache,
  createMarkedSecrets,
  createMarkedVault,
  createMeteredShares,
  createTeamVault,
  createWorkLane,
} from '../../engine/face.js';
import { createThreadPool } from '../../platform/threads/thread-pool.js';
import { THREAD_FILE } from '../thread-file.js';
import { createMailers } from '../../data/face.js';
import { createHttpClient } from '../../platform/outbound/http-client.js';
import type { CoreServices } from './core-services.js';

/** Trials read each event once. */
const EVENT_CACHE_BYTES = 4 * 1024 * 1024;

/** Trials of stories have threads of their own: one takes seconds, and webhooks wait for the others. */
const WAITING = {
  ofTenant: 4,
  ofAll: 32,
  bytesOfTenant: 128 * 1024 * 1024,
  bytesOfAll: 256 * 1024 * 1024,
};
/** Threads of trials that send mostly wait; so many requests are sent at once. A tenant has half of them. */
const SENDING_THREADS = 4;
/** They mostly wait: a tenant has them for so long before it may have to make room for others. */
const SENDING_FIRST_MS = 10_000;
/** The size at which a trial of a story stops. It runs twice if there is a past run. */
const LIMITS = {
  maxEvents: 1_000,
  maxCharacters: 16 * 1024 * 1024,
  maxMs: 8_000,
  maxShownCharacters: 2 * 1024 * 1024,
};

/** Services that try actions and stories in a web process. */
export interface TrialServices extends ForgetsTeams {
  tryAction: TryAction;
  trials: TrialService;
  close(): Promise<void>;
}

/** Creates it. No connection is made before a trial sends. */
export function createTrialServices(core: CoreServices): TrialServices {
  const { config, database, credentials } = core;
  const shares = createMeteredShares(createCpuShares(config.tenantCpuShare), core.quotas);
  const lane = createWorkLane({ shares, threads: core.threads });
  const mailers = createMailers(core);
  const http = createHttpClient(clientOptions(config));
  const threads = createThreadPool({ file: THREAD_FILE, waiting: WAITING });
  const sendingThreads = createThreadPool({
    file: THREAD_FILE,
    waiting: WAITING,
    size: SENDING_THREADS,
    firstMs: SENDING_FIRST_MS,
  });
  const vault = createTeamVault(config, credentials, { http, database });
  const marked = createMarkedVault(config, credentials);
  const secrets = createMarkedSecrets(credentials);
  return {
    forget(teamIds) {
      for (const cache of [vault, marked]) cache.forget(teamIds);
      secrets.forget?.(teamIds);
    },
    trials: createTrialService({
      ...core,
      threads,
      sendingThreads,
      sending: { http, vault, threads: core.threads, timeoutMs: config.httpTimeoutMs },
      secrets,
      limits: { ...LIMITS, ...limitsOf(config) },
      domain: domainOf(config),
      baseUrl: baseUrlOf(config),
    }),
    tryAction: createTryAction({
      ...core,
      loader: createDeliveryLoader({ database, events: createEventCache(EVENT_CACHE_BYTES) }),
      // Templates of a trial never run on the event loop of the web process.
      lane: { ...lane, isFree: () => false },
      newGuid: () => core.newRunGuid(),
      limits: limitsOf(config),
      domain: domainOf(config),
      baseUrl: baseUrlOf(config),
      mailers,
      http,
      vaults: {
        real: vault,
        marked,
      },
    }),
    async close() {
      await Promise.all([mailers.close(), http.close(), threads.close(), sendingThreads.close()]);
    },
  };
}

function limitsOf({ maxAttempts, maxDepth, maxCallDepth }: Config) {
  return { maxAttempts, maxDepth, maxCallDepth };
}
