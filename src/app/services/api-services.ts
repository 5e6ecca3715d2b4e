import { checkOptions, runnable } from '../../agents/face.js';
import {
  createCredentialTester,
  createFolderService,
  createMailSettingsService,
  createOauthConnect,
  createOauthGrants,
  createTeamCredentialService,
  createTeamResourceService,
} from '../../data/face.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import {
  createActionWarner,
  createAgentService,
  createChangeRequestService,
  createCheckService,
  createDraftService,
  createMentionedBy,
  createGraphService,
  createNoteService,
  createPresenceList,
  createPresenceService,
  createRenameService,
  createOpenapiService,
  createSnapshotReader,
  createStoryChanges,
  createStoryDiffer,
  createStoryMerger,
  createStoryService,
  createTagService,
  createTemplateService,
  createVersionService,
  IMPORT_CHECKS,
} from '../../stories/face.js';
import {
  createActorKeyService,
  createApiKeyService,
  createApiKeyStore,
  createMemberService,
  createQuotaService,
  createCountQuota,
  createTeamService,
  createTenantStore,
  createUserService,
  createTeamValueChanges,
  valueChannel,
} from '../../people/face.js';
import type { CoreServices } from './core-services.js';

export type ApiServices = ReturnType<typeof createApiServices>;

/** Creates the services for the endpoints of stories, teams, keys, credentials and resources. */
export function createApiServices(core: CoreServices, http: HttpClient) {
  const { config, database, loggers, redis } = core;
  const agentTypes = { checkOptions, runnable };
  const countQuota = createCountQuota(config.quotas);
  const differ = createStoryDiffer(core.threads);
  const merger = createStoryMerger(core.threads);
  const warner = createActionWarner({ database, threads: core.threads, logger: loggers.stores });
  const changes = createStoryChanges({
    redis,
    prefix: config.queuePrefix,
    logger: loggers.stores,
    liveEvents: core.liveEvents,
  });
  const valueChanges = createTeamValueChanges({
    database,
    publish: (message) => redis.publish(valueChannel(config.queuePrefix), message),
    logger: loggers.stores,
  });
  const tenants = createTenantStore(database.knex);
  const keys = createApiKeyService({
    db: database,
    keys: createApiKeyStore(database.knex),
    tenants,
    limits: config,
  });
  const apiKeys = createActorKeyService({ keys });
  const cipher = () => core.credentials.cipher();
  return {
    stories: createStoryService({
      database,
      ...IMPORT_CHECKS,
      changes,
      countQuota,
      listsAsObject: config.storiesList === 'object',
    }),
    storyChecks: createCheckService({ database, threads: core.threads, quotas: core.quotas }),
    renames: createRenameService({ database, threads: core.threads, quotas: core.quotas }),
    presence: createPresenceService({ database, list: createPresenceList(redis, config.queuePrefix) }),
    openapi: createOpenapiService({ http, threads: core.threads, quotas: core.quotas }),
    agents: createAgentService({ database, agentTypes, changes, countQuota, warner }),
    notes: createNoteService({ database, changes }),
    graphs: createGraphService({ database, changes, countQuota, differ, warner }),
    versions: createVersionService({
      database,
      changes,
      countQuota,
      differ,
      read: createSnapshotReader(core.threads),
    }),
    changeRequests: createChangeRequestService({ database, changes, countQuota, differ, merger }),
    drafts: createDraftService({ database, changes, countQuota, merger }),
    folders: createFolderService({ database }),
    tags: createTagService({ database, changes }),
    templates: createTemplateService({ database }),
    teams: createTeamService({ database }),
    members: createMemberService({ database }),
    users: createUserService({ database }),
    apiKeys,
    credentials: createTeamCredentialService({
      findMentions: createMentionedBy('CREDENTIAL', database),
      database,
      credentials: core.credentials,
      apiKeys,
      config,
      valueChanges,
    }),
    credentialTests: createCredentialTester({ database, http, cipher, config }),
    oauthConnect: createOauthConnect({ grants: createOauthGrants({ database, cipher }), http, cipher }),
    resources: createTeamResourceService({
      database,
      valueChanges,
      findMentions: createMentionedBy('RESOURCE', database),
    }),
    mailSettings: createMailSettingsService({ database, credentials: core.credentials, config }),
    quotas: createQuotaService({ database, defaults: config.quotas }),
  };
}
