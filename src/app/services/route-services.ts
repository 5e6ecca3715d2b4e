import { createDataServices } from '../../data/face.js';
import type { StreamService } from '../../observe/face.js';
import type { ReadQueueHealth } from '../../engine/face.js';
import { createOperateServices } from '../../operate/face.js';
import { createTenancyServices } from '../../people/face.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import { createMentionedBy, createStoryServices } from '../../stories/face.js';
import { createTrialServices, type Trials } from '../../trial/face.js';
import {
  type CallLog,
  createWebhookCallService,
  createWebhookListService,
  type OwnCalls,
} from '../../web/face.js';
import type { RouteServices } from '../routes.js';
import type { CoreServices } from './core-services.js';
import { createObserveServices } from './observe-services.js';

/** Parts that the services share, whichever database they read. */
interface Shared {
  http: HttpClient;
  log: CallLog;
  stream: StreamService;
  trials: Trials;
  ownCalls: Pick<OwnCalls, 'send'>;
  queueHealth: ReadQueueHealth;
}

/** Creates the services of all routes, over the database of `core`: those of each room, and what joins them. */
export function createRouteServices(core: CoreServices, shared: Shared): RouteServices {
  const { database, loggers } = core;
  const { http, log, stream, trials, ownCalls, queueHealth } = shared;
  const ofStores = { ...core, http, logger: loggers.stores };
  const tenancy = createTenancyServices(core);
  const stories = createStoryServices({ ...ofStores, judge: trials.judge });
  const observe = createObserveServices(core, queueHealth);
  return {
    ...tenancy,
    ...createDataServices({
      ...ofStores,
      apiKeys: tenancy.apiKeys,
      mentions: {
        ofCredentials: createMentionedBy('CREDENTIAL', database),
        ofResources: createMentionedBy('RESOURCE', database),
      },
    }),
    ...stories,
    ...observe,
    ...createTrialServices({ ...core, meter: core.metrics?.runs }, trials),
    ...createOperateServices({
      ...ofStores,
      queueHealth,
      log,
      deadLetters: observe.deadLetters,
      quotas: tenancy.quotas,
    }),
    stream,
    webhookCalls: createWebhookCallService({ agents: stories.agents, calls: ownCalls }),
    webhooks: createWebhookListService({ database, agents: stories.agents, log, logger: loggers.webhooks }),
  };
}
