import type { Redis } from 'ioredis';
import { type CaseNotifier, createCaseNotifier } from './cases/notifications/case-notifier.js';
import type { Config } from './config.js';
import { createCredentialService, type CredentialService } from './credentials/credential-service.js';
import { createCredentialStore } from './credentials/credential-store.js';
import { createDatabase, type Database } from './db/database.js';
import { createEpoch } from './db/epoch.js';
import { createDeliveryLoader } from './engine/delivery-loader.js';
import { createEventCache } from './engine/event-cache.js';
import { createOutcomeWriter } from './engine/outcome-writer.js';
import { createRedisSentinel } from './engine/redis-sentinel.js';
import { createRelay, type Relay } from './engine/relay.js';
import { createRunDelivery, type RunDelivery } from './engine/run-delivery.js';
import { createRunWriter, newRunGuid } from './engine/run-writer.js';
import { createSpoolDrain, type DrainSpooledRun } from './engine/spool-drain.js';
import { createSpoolingStarter } from './engine/spool.js';
import { createTeamValues } from './engine/team-values-loader.js';
import { createRunProgress } from './events/run-progress.js';
import type { RunStarter } from './events/run-starter.js';
import type { Logger } from './logger.js';
import { createHttpClient, type HttpClient } from './outbound/http-client.js';
import { createMailer } from './outbound/mailer.js';
import { createDispatcher } from './queues/dispatcher.js';
import { createJobLookup } from './queues/job-presence.js';
import { SPOOL_QUEUE } from './queues/jobs.js';
import { createQueues, queueNamed, type Queues } from './queues/queues.js';
import { createRedis } from './queues/redis.js';
import { createRecordChores, type RecordChores } from './records/record-chores.js';
import { createResourceService, type ResourceService } from './resources/resource-service.js';
import { createResourceStore } from './resources/resource-store.js';
import { followStoryChanges } from './stories/story-changes.js';
import type { StoryGraph } from './stories/story-graph.js';
import { createStoryGraphs, type StoryGraphs } from './stories/story-graphs.js';
import { createFormulaLanguage } from './templates/formula/formula-language.js';
import { createLiquidLanguage } from './templates/liquid/liquid-language.js';
import type { TeamValues } from './templates/team-values.js';
import type { TemplateLanguage } from './templates/template.js';

/** Bytes of events a worker keeps at hand. */
const EVENT_CACHE_BYTES = 64 * 1024 * 1024;

/** What web and workers share: the stores, the way from one to the other, and what stories are made of. */
export interface CoreServices {
  config: Config;
  logger: Logger;
  database: Database;
  redis: Redis;
  queues: Queues;
  epoch(): Promise<string>;
  graphs: StoryGraphs;
  credentials: CredentialService;
  resources: ResourceService;
  values: TeamValues;
  languages: Record<StoryGraph['language'], TemplateLanguage>;
  /** Accepts runs; while MySQL is out of reach, into the spool. */
  runs: RunStarter;
  newRunGuid(): string;
  /** Finishes what is under way, then closes the stores. */
  close(): Promise<void>;
}

/** What a worker process has besides. */
export interface WorkerServices extends CoreServices {
  runDelivery: RunDelivery;
  drainSpooledRun: DrainSpooledRun;
  relay: Relay;
  caseNotifier: CaseNotifier;
  recordChores: RecordChores;
}

/** The services of a web process. Connections are made when they are needed. */
export function createCoreServices(config: Config, logger: Logger): CoreServices {
  return createCore(config, logger).services;
}

/** The services of a worker process. `http` stands in for the network where stories are tried. */
export function createWorkerServices(
  config: Config,
  logger: Logger,
  http: HttpClient = createHttpClient(outboundOptions(config)),
): WorkerServices {
  const { services, dispatcher, progress, writer } = createCore(config, logger);
  const { database, redis, queues } = services;
  const epoch = () => services.epoch();
  const events = createEventCache(EVENT_CACHE_BYTES);
  const mailer = createMailer(config);
  const onAwaitedProgress = (guids: string[]) => progress.advance(guids);
  const subscriber = createRedis(config, 'subscriber', logger);
  const { queuePrefix: prefix } = config;
  const changes = followStoryChanges({ redis: subscriber, prefix, graphs: services.graphs, logger });
  const outcomes = createOutcomeWriter({ database, dispatcher, events, onAwaitedProgress });
  return {
    ...services,
    runDelivery: createRunDelivery({
      ...services,
      loader: createDeliveryLoader({ database, events }),
      outcomes,
      http,
      mailer,
      newGuid: newRunGuid,
      limits: { maxAttempts: config.maxAttempts, maxDepth: config.maxDepth },
      domain: domainOf(config),
    }),
    drainSpooledRun: createSpoolDrain({ writer, graphs: services.graphs, logger }),
    relay: createRelay({
      database,
      dispatcher,
      lookup: createJobLookup({ redis, queues, epoch }),
      sentinel: createRedisSentinel(redis, config.queuePrefix),
      logger,
    }),
    caseNotifier: createCaseNotifier({ ...services, http, mailer, baseUrl: baseUrlOf(config) }),
    recordChores: createRecordChores({ database, logger }),
    async close() {
      await outcomes.drain();
      await Promise.all([mailer.close(), http.close(), changes.close()]);
      subscriber.disconnect();
      await services.close();
    },
  };
}

function createCore(config: Config, logger: Logger) {
  const database = createDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize, logger });
  const redis = createRedis(config, 'producer', logger);
  const queues = createQueues({ redis, prefix: config.queuePrefix, logger });
  const epoch = createEpoch(database);
  const dispatcher = createDispatcher({ queues, epoch, logger });
  const progress = createRunProgress({ database, redis, prefix: config.queuePrefix, logger });
  const writer = createRunWriter({
    database,
    dispatcher,
    onAwaitedProgress: (guids) => progress.advance(guids),
  });
  const credentials = createCredentialService({
    store: createCredentialStore(database),
    encryptionKey: config.encryptionKey,
    encryptionKeysPrevious: config.encryptionKeysPrevious,
  });
  const resources = createResourceService({ store: createResourceStore(database) });
  const services: CoreServices = {
    config,
    logger,
    database,
    redis,
    queues,
    epoch,
    graphs: createStoryGraphs(database),
    credentials,
    resources,
    values: createTeamValues({ credentials, resources, database }),
    languages: createLanguages(),
    runs: createSpoolingStarter({ writer, queue: queueNamed(queues, SPOOL_QUEUE), logger }),
    newRunGuid,
    async close() {
      await writer.drain();
      await dispatcher.drain();
      await progress.drain();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      redis.disconnect();
      await database.close();
    },
  };
  return { services, dispatcher, progress, writer };
}

function outboundOptions(config: Config) {
  return {
    allow: config.outboundAllow,
    timeoutMs: config.httpTimeoutMs,
    maxResponseBytes: config.httpMaxResponseBytes,
  };
}

function createLanguages() {
  return { liquid: createLiquidLanguage(), formula: createFormulaLanguage() };
}

/** Where this server is reached, as far as a process without a request can know. */
function baseUrlOf({ publicUrl, port }: Config): string {
  return publicUrl ?? `http://localhost:${port}`;
}

/** Where this server is reached, without the scheme: `META.tenant.domain` in templates. */
function domainOf(config: Config): string {
  return config.publicUrl === undefined ? 'localhost' : new URL(config.publicUrl).host;
}
