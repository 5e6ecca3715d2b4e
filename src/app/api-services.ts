import { checkOptions, runnable } from '../agents/index.js';
import { createOauthConnect } from '../credentials/oauth/oauth-connect.js';
import { createOauthGrants } from '../credentials/oauth/oauth-grants.js';
import { createTeamCredentialService } from '../credentials/team-credential-service.js';
import { createCredentialTester } from '../credentials/testing/credential-tester.js';
import { createFolderService } from '../folders/folder-service.js';
import type { HttpClient } from '../platform/outbound/http-exchange.js';
import { createFindMentions } from '../stories/agents/mentioned-by.js';
import { createTeamResourceService } from '../resources/team-resource-service.js';
import { createMailSettingsService } from '../mails/mail-settings-service.js';
import { createQuotaService } from '../access/quotas/quota-service.js';
import { createStockGuard } from '../access/quotas/stock-guard.js';
import type { CoreServices } from './core-services.js';
import { IMPORT_CHECKS } from '../stories/import/read-import-here.js';
import { createAgentService } from '../stories/agents/agent-service.js';
import { createGraphService } from '../stories/graph/graph-service.js';
import { createNoteService } from '../stories/notes/note-service.js';
import { createCheckService } from '../stories/check/check-service.js';
import { createStoryChanges } from '../stories/edit/story-changes.js';
import { createStoryDiffer } from '../stories/diff/story-differ.js';
import { createSnapshotReader } from '../stories/versions/snapshot-reader.js';
import { createStoryMerger } from '../stories/merge/story-merger.js';
import { createActionWarner } from '../stories/check/action-warner.js';
import { createStoryService } from '../stories/story-service.js';
import { createDraftService } from '../stories/drafts/draft-service.js';
import { createChangeRequestService } from '../stories/requests/change-request-service.js';
import { createTagService } from '../stories/tags/tag-service.js';
import { createTemplateService } from '../stories/templates/template-service.js';
import { createVersionService } from '../stories/versions/version-service.js';
import { createActorKeyService } from '../access/tenants/keys/actor-key-service.js';
import { createApiKeyService } from '../access/tenants/keys/api-key-service.js';
import { createApiKeyStore } from '../access/tenants/keys/api-key-store.js';
import { createMemberService } from '../access/tenants/teams/member-service.js';
import { createValueChanges, valueChannel } from '../access/tenants/teams/team-value-changes.js';
import { createTeamService } from '../access/tenants/teams/team-service.js';
import { createTenantStore } from '../access/tenants/tenant-store.js';
import { createUserService } from '../access/tenants/user-service.js';

export type ManageServices = ReturnType<typeof createManageServices>;

/** Creates the services for the endpoints of stories, teams, keys, credentials and resources. */
export function createManageServices(core: CoreServices, http: HttpClient) {
  const { config, database, loggers, redis } = core;
  const agentTypes = { checkOptions, runnable };
  const stock = createStockGuard(config.quotas);
  const differ = createStoryDiffer(core.threads);
  const merger = createStoryMerger(core.threads);
  const warner = createActionWarner({ database, threads: core.threads, logger: loggers.stores });
  const changes = createStoryChanges({
    redis,
    prefix: config.queuePrefix,
    logger: loggers.stores,
    news: core.news,
  });
  const valueChanges = createValueChanges({
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
      stock,
      listsAsObject: config.storiesList === 'object',
    }),
    storyChecks: createCheckService({ database, threads: core.threads, quotas: core.quotas }),
    agents: createAgentService({ database, agentTypes, changes, stock, warner }),
    notes: createNoteService({ database, changes }),
    graphs: createGraphService({ database, changes, stock, differ, warner }),
    versions: createVersionService({
      database,
      changes,
      stock,
      differ,
      read: createSnapshotReader(core.threads),
    }),
    changeRequests: createChangeRequestService({ database, changes, stock, differ, merger }),
    drafts: createDraftService({ database, changes, stock, merger }),
    folders: createFolderService({ database }),
    tags: createTagService({ database, changes }),
    templates: createTemplateService({ database }),
    teams: createTeamService({ database }),
    members: createMemberService({ database }),
    users: createUserService({ database }),
    apiKeys,
    credentials: createTeamCredentialService({
      findMentions: createFindMentions('CREDENTIAL', database),
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
      findMentions: createFindMentions('RESOURCE', database),
    }),
    mailSettings: createMailSettingsService({ database, credentials: core.credentials, config }),
    quotas: createQuotaService({ database, defaults: config.quotas }),
  };
}
