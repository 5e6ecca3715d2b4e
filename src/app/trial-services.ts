import { clientOptions } from '../config/client-options.js';
import { createTryAction } from '../engine/dry-run/action/try-action.js';
import { createMarkedVault, createTeamVault } from '../engine/secrets/secret-vault.js';
import { createDeliveryLoader } from '../engine/execute/delivery-loader.js';
import { createCpuShares } from '../engine/execute/lane/cpu-shares.js';
import { createMeteredShares } from '../engine/execute/lane/metered-shares.js';
import { createWorkLane } from '../engine/execute/lane/work-lane.js';
import { createEventCache } from '../engine/state/event-cache.js';
import { createMailers } from '../mails/create-mailers.js';
import { baseUrlOf, domainOf } from '../platform/http/own-address.js';
import { createHttpClient } from '../platform/outbound/http-client.js';
import type { TryAction } from '../runs/actions/action-trial.js';
import type { CoreServices } from './core-services.js';

/** Trials read each event once. */
const EVENT_CACHE_BYTES = 4 * 1024 * 1024;

/** Services that try actions in a web process. */
export interface TrialServices {
  tryAction: TryAction;
  close(): Promise<void>;
}

/** Creates it. No connection is made before a trial sends. */
export function createTrialServices(core: CoreServices): TrialServices {
  const { config, database, credentials } = core;
  const shares = createMeteredShares(createCpuShares(config.tenantCpuShare), core.quotas);
  const lane = createWorkLane({ shares, threads: core.threads });
  const mailers = createMailers(core);
  const http = createHttpClient(clientOptions(config));
  return {
    tryAction: createTryAction({
      ...core,
      loader: createDeliveryLoader({ database, events: createEventCache(EVENT_CACHE_BYTES) }),
      // Templates of a trial never run on the event loop of the web process.
      lane: { ...lane, isFree: () => false },
      newGuid: () => core.newRunGuid(),
      limits: {
        maxAttempts: config.maxAttempts,
        maxDepth: config.maxDepth,
        maxCallDepth: config.maxCallDepth,
      },
      domain: domainOf(config),
      baseUrl: baseUrlOf(config),
      mailers,
      http,
      vaults: {
        real: createTeamVault(config, credentials, { http, database }),
        marked: createMarkedVault(config, credentials),
      },
    }),
    async close() {
      await Promise.all([mailers.close(), http.close()]);
    },
  };
}
