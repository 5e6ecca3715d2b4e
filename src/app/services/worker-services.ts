import { createMailers } from '../../data/face.js';
import { baseUrlOf, clientOptions, type Config, domainOf } from '../../config/face.js';
import {
  type Backlog,
  type CpuShares,
  createBacklog,
  createCpuShares,
  createDeliveryLoader,
  createEventCache,
  createGiveUp,
  createIsCurrent,
  createJobLog,
  createMeteredShares,
  createOutcomeServices,
  createOwnPromptLinks,
  createRetryByHand,
  createRunChainMarks,
  createRunDelivery,
  createSpoolDrain,
  createTeamVault,
  createWorkLane,
  createWorkUnderWay,
  type DrainSpooledRun,
  type GiveUp,
  type IsCurrent,
  jobsAtOnce,
  newRunGuid,
  type RetryByHand,
  type RunDelivery,
  watchBoth,
  watchForLog,
} from '../../engine/face.js';
import type { Logger } from '../../platform/logger.js';
import { createHttpClient, type HttpClientOptions } from '../../platform/outbound/http-client.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import { createRedis } from '../../platform/redis/redis.js';
import { followValueChanges } from '../../people/face.js';
import { followStoryChanges } from '../../stories/face.js';
import { createLoops, type Loops } from '../loops.js';
import { type CoreServices, createCore } from './core-services.js';

/** Number of tasks that wait for a thread; tasks of a tenant over its limit are handed back. */
const WAITING_FOR_THREADS = { ofTenant: 500, ofAll: 5_000 };
/** Size of a worker's event cache. */
const EVENT_CACHE_BYTES = 64 * 1024 * 1024;

/** Additional services of a worker process. */
export interface WorkerServices extends CoreServices {
  runDelivery: RunDelivery;
  /** Processor time of this process used by each tenant. */
  cpuShares: CpuShares;
  giveUp: GiveUp;
  isCurrent: IsCurrent;
  retryByHand: RetryByHand;
  backlog: Backlog;
  drainSpooledRun: DrainSpooledRun;
  loops: Loops;
}

/** Creates the services of a worker process. Tests of stories replace `plainHttp`. */
export function createWorkerServices(
  config: Config,
  logger: Logger,
  plainHttp: HttpClient = createHttpClient(outboundOptions(config)),
): WorkerServices {
  const { services, writer, admission } = createCore(config, logger, { waiting: WAITING_FOR_THREADS });
  const { metrics } = services;
  const http = metrics?.client(plainHttp) ?? plainHttp;
  const { database, redis, queues, dispatcher, loggers } = services;
  const events = createEventCache(EVENT_CACHE_BYTES);
  const plainMailers = createMailers(services);
  const mailers = metrics?.mailers(plainMailers) ?? plainMailers;
  const subscriber = createRedis(config, 'subscriber', loggers.stores);
  const { queuePrefix: prefix } = config;
  const { graphs } = services;
  const cpuShares = createMeteredShares(createCpuShares(config.tenantCpuShare), services.quotas);
  const lane = createWorkLane({ shares: cpuShares, threads: services.threads });
  const underWay = createWorkUnderWay({ database, graphs, logger: loggers.jobs });
  const vault = createTeamVault(config, services.credentials, { http, database });
  const { values } = services;
  const changes = followStoryChanges({
    redis: subscriber,
    prefix,
    graphs: {
      invalidate(storyId) {
        underWay.invalidate(storyId);
        values.forgetStories();
      },
    },
    logger: loggers.stores,
  });
  const ofValues = { redis: subscriber, prefix, caches: [values, vault], logger: loggers.stores };
  const valueChanges = followValueChanges(ofValues);
  const loader = createDeliveryLoader({ database, events });
  const outcomes = createOutcomeServices({
    ...services,
    loader,
    events,
    eventLimit: config.runEventLimit,
    meter: metrics?.runs,
    logger: loggers.upkeep,
  });
  const loops = createLoops({ services, admission, http, mailers, loader, outcomes: outcomes.writer });
  return {
    ...services,
    runDelivery: createRunDelivery({
      ...services,
      logger: loggers.jobs,
      watch: watchBoth(watchForLog(createJobLog(loggers.jobs)), services.traces?.watch),
      vault,
      loader,
      outcomes: outcomes.ofJobs,
      underWay,
      meter: metrics?.actions,
      lane,
      http,
      mailers,
      prompts: createOwnPromptLinks(database, { ...config, baseUrl: baseUrlOf(config) }),
      newGuid: newRunGuid,
      limits: {
        maxAttempts: config.maxAttempts,
        maxDepth: config.maxDepth,
        maxCallDepth: config.maxCallDepth,
      },
      domain: domainOf(config),
      keepsRequests: true,
      chainMarks: createRunChainMarks(database),
    }),
    cpuShares,
    giveUp: createGiveUp({ loader, outcomes: outcomes.writer }),
    isCurrent: createIsCurrent(loader),
    retryByHand: createRetryByHand({ database, dispatcher }),
    backlog: createBacklog({ redis, queues }),
    drainSpooledRun: createSpoolDrain({ writer, graphs: services.graphs, logger: loggers.webhooks }),
    loops,
    async close() {
      await loops.shadowRunner.close();
      await underWay.close();
      await outcomes.close();
      await Promise.all([mailers.close(), http.close(), changes.close(), valueChanges.close()]);
      subscriber.disconnect();
      await services.close();
    },
  };
}

function outboundOptions(config: Config): HttpClientOptions {
  return { ...clientOptions(config), connectionsPerOrigin: jobsAtOnce(config) };
}
