import { checkOptions } from '../agents/face.js';
import type { LiveEvents } from '../api/face.js';
import type { Config } from '../config/face.js';
import type { CredentialService } from '../data/face.js';
import { createCountQuota, type TenantQuotas } from '../people/face.js';
import type { Logger } from '../platform/logger.js';
import type { Database } from '../platform/mysql/database.js';
import type { HttpClient } from '../platform/outbound/http-exchange.js';
import type { RedisClient } from '../platform/redis/redis-client.js';
import type { ThreadPool } from '../platform/threads/thread-pool.js';
import { createAgentService } from './agents/agent-service.js';
import { createActionWarner } from './check/action-warner.js';
import { createCheckService } from './check/check-service.js';
import { createStoryDiffer } from './diff/story-differ.js';
import { createDraftService } from './drafts/draft-service.js';
import { createStoryChanges } from './edit/story-changes.js';
import { createRepositories } from './git/repository-services.js';
import { createGraphService } from './graph/graph-service.js';
import { createStoryMerger } from './merge/story-merger.js';
import { createNoteService } from './notes/note-service.js';
import { createOpenapiService } from './openapi/openapi-service.js';
import { createPresenceList } from './presence/presence-list.js';
import { createPresenceService } from './presence/presence-service.js';
import { createPromotionService } from './promotions/promotion-service.js';
import { createRenameService } from './rename/rename-service.js';
import { createChangeRequestService } from './requests/change-request-service.js';
import { IMPORT_CHECKS } from './story/import-checks.js';
import { createStoryService } from './story/story-service.js';
import { createStoryTestService } from './tests/story-test-service.js';
import { createStepService } from './steps/step-service.js';
import { createStepUpdater } from './steps/updates/step-updater.js';
import { createStepUseService } from './steps/uses/step-use-service.js';
import { createTagService } from './tags/tag-service.js';
import type { JudgeStory } from './tests/test-gate.js';
import { createTemplateService } from './templates/template-service.js';
import { createSnapshotReader } from './versions/snapshot-reader.js';
import { createVersionService } from './versions/version-service.js';

export interface StoryServicesDeps {
  config: Config;
  database: Database;
  redis: RedisClient;
  threads: ThreadPool;
  quotas: TenantQuotas;
  /** Receives changes of stories. */
  liveEvents: LiveEvents;
  /** Runs the tests of a story before it is published. */
  judge: JudgeStory;
  /** Hold the secrets of repositories. */
  credentials: CredentialService;
  /** Fetches OpenAPI documents. */
  http: HttpClient;
  logger: Logger;
}

export type StoryServices = ReturnType<typeof createStoryServices>;

/** Creates the services that the routes of this room need. */
export function createStoryServices({
  config,
  database,
  redis,
  threads,
  quotas,
  ...deps
}: StoryServicesDeps) {
  const { http, liveEvents, logger, judge } = deps;
  const prefix = config.queuePrefix;
  const countQuota = createCountQuota(config.quotas);
  const differ = createStoryDiffer(threads);
  const merger = createStoryMerger(threads);
  const read = createSnapshotReader(threads);
  const warner = createActionWarner({ database, threads, logger });
  const changes = createStoryChanges({ redis, prefix, logger, liveEvents });
  const writing = { database, changes, countQuota };
  const inThreads = { database, threads, quotas };
  return {
    stories: createStoryService({
      ...writing,
      ...IMPORT_CHECKS,
      listsAsObject: config.storiesList === 'object',
    }),
    storyChecks: createCheckService(inThreads),
    renames: createRenameService(inThreads),
    presence: createPresenceService({ database, list: createPresenceList(redis, prefix) }),
    openapi: createOpenapiService({ http, threads, quotas }),
    agents: createAgentService({ ...writing, agentTypes: { checkOptions }, warner }),
    notes: createNoteService({ database, changes }),
    graphs: createGraphService({ ...writing, differ, warner }),
    changeRequests: createChangeRequestService({ ...writing, differ, merger, judge }),
    drafts: createDraftService({ ...writing, merger, judge }),
    storyTests: createStoryTestService({ database, changes }),
    steps: createStepService({ database }),
    stepUses: createStepUseService({ database, threads }),
    stepUpdates: createStepUpdater({ ...writing, threads }),
    versions: createVersionService({ ...writing, differ, read }),
    promotions: createPromotionService({ ...writing, threads, quotas, read }),
    tags: createTagService({ database, changes }),
    templates: createTemplateService({ database }),
    repositories: createRepositories({ ...deps, config, database, redis, threads }),
  };
}
