import { runnable } from '../agents/face.js';
import type { LiveEvents } from '../api/face.js';
import { baseUrlOf, clientOptions, type Config, domainOf } from '../config/face.js';
import { createMailers, type CredentialService } from '../data/face.js';
import {
  type CachedTeamValues,
  createCpuShares,
  createDeliveryLoader,
  createEventCache,
  createMarkedSecrets,
  createMarkedVault,
  createMeteredShares,
  createTeamVault,
  createWorkLane,
  type Dispatcher,
  type RunMeter,
  type RunStarter,
} from '../engine/face.js';
import type { TemplateLanguage } from '../language/face.js';
import type { ForgetsTeams, TenantQuotas } from '../people/face.js';
import type { Logger } from '../platform/logger.js';
import type { Database } from '../platform/mysql/database.js';
import { createHttpClient } from '../platform/outbound/http-client.js';
import { createThreadPool, type ThreadPool } from '../platform/threads/thread-pool.js';
import type { JudgeStory, StoryGraph, StoryGraphs } from '../stories/face.js';
import { createActionRunService } from './action/action-run-service.js';
import type { TryAction } from './action/action-trial.js';
import { createTryAction } from './action/try-action.js';
import { createTrialService, type TrialService } from './api/trial-service.js';
import { createTestJudge } from './tests/api/test-judge.js';
import {
  createTestRunService,
  type TestRunService,
  type TestRunServiceDeps,
} from './tests/api/test-run-service.js';
import { createKeepRunService, type KeepRunService } from './tests/keep/keep-run-service.js';
import { createPreviewService } from './previews/preview-service.js';
import { createShadowService } from './shadows/shadow-service.js';
import { runLimitsOf, TRIAL_LIMITS } from './trial-limits.js';

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
/** What tries actions and stories in a web process. */
export interface Trials extends ForgetsTeams {
  tryAction: TryAction;
  trials: TrialService;
  storyTestRuns: TestRunService;
  judge: JudgeStory;
  runKeeping: KeepRunService;
  close(): Promise<void>;
}

export interface TrialsDeps {
  config: Config;
  database: Database;
  credentials: CredentialService;
  quotas: TenantQuotas;
  graphs: StoryGraphs;
  values: CachedTeamValues;
  languages: Record<StoryGraph['language'], TemplateLanguage>;
  threads: ThreadPool;
  /** The file that each thread of a pool runs. */
  threadFile: string;
  newRunGuid(): string;
  logger: Logger;
}

/** Creates it. No connection is made before a trial sends. */
export function createTrials(deps: TrialsDeps): Trials {
  const { config, database, credentials, quotas, threadFile: file } = deps;
  const shares = createMeteredShares(createCpuShares(config.tenantCpuShare), quotas);
  const lane = createWorkLane({ shares, threads: deps.threads });
  const mailers = createMailers(deps);
  const http = createHttpClient(clientOptions(config));
  const threads = createThreadPool({ file, waiting: WAITING });
  const sendingThreads = createThreadPool({
    file,
    waiting: WAITING,
    size: SENDING_THREADS,
    firstMs: SENDING_FIRST_MS,
  });
  const vault = createTeamVault(config, credentials, { http, database });
  const marked = createMarkedVault(config, credentials);
  const secrets = createMarkedSecrets(credentials);
  const testing = testingDeps({ ...deps, threads });
  return {
    forget(teamIds) {
      for (const cache of [vault, marked]) cache.forget(teamIds);
      secrets.forget?.(teamIds);
    },
    trials: createTrialService({
      ...deps,
      threads,
      sendingThreads,
      sending: { http, vault, threads: deps.threads, timeoutMs: config.httpTimeoutMs },
      secrets,
      limits: { ...TRIAL_LIMITS, ...runLimitsOf(config) },
      domain: domainOf(config),
      baseUrl: baseUrlOf(config),
    }),
    storyTestRuns: createTestRunService(testing),
    judge: createTestJudge(testing),
    runKeeping: createKeepRunService({ ...deps, ...testing, secrets }),
    tryAction: createTryAction({
      ...deps,
      loader: createDeliveryLoader({ database, events: createEventCache(EVENT_CACHE_BYTES) }),
      // Templates of a trial never run on the event loop of the web process.
      lane: { ...lane, isFree: () => false },
      newGuid: () => deps.newRunGuid(),
      limits: runLimitsOf(config),
      domain: domainOf(config),
      baseUrl: baseUrlOf(config),
      mailers,
      http,
      vaults: { real: vault, marked },
    }),
    async close() {
      await Promise.all([mailers.close(), http.close(), threads.close(), sendingThreads.close()]);
    },
  };
}

type JudgeDeps = Pick<TrialsDeps, 'config' | 'database' | 'quotas' | 'graphs' | 'values' | 'threads'>;

/** Creates what runs the tests of a story before it is published, in a process without trials. */
export function createJudge(deps: JudgeDeps): JudgeStory {
  return createTestJudge(testingDeps(deps));
}

function testingDeps({ config, ...deps }: JudgeDeps): TestRunServiceDeps {
  return {
    ...deps,
    limits: { ...TRIAL_LIMITS, ...runLimitsOf(config) },
    domain: domainOf(config),
    baseUrl: baseUrlOf(config),
  };
}

export interface TrialServicesDeps extends Omit<TrialsDeps, 'threadFile' | 'credentials' | 'languages'> {
  dispatcher: Dispatcher;
  liveEvents: LiveEvents;
  /** Accepts runs of webhooks. */
  runs: RunStarter;
  credentials: Pick<CredentialService, 'admit'>;
  /** Counts runs; undefined: they are not counted. */
  meter: RunMeter | undefined;
}

export type TrialServices = ReturnType<typeof createTrialServices>;

/** Creates the services that the routes of this room need. */
export function createTrialServices(
  deps: TrialServicesDeps,
  { tryAction, trials, storyTestRuns, runKeeping }: Trials,
) {
  return {
    trials,
    storyTestRuns,
    runKeeping,
    shadows: createShadowService(deps),
    previews: createPreviewService({ ...deps, domain: domainOf(deps.config) }),
    actionRuns: createActionRunService({
      ...deps,
      starter: deps.runs,
      tryAction,
      runnable,
      admit: (json) => deps.credentials.admit(json),
    }),
  };
}
