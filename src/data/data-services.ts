import type { LiveEvents } from '../api/face.js';
import type { Config } from '../config/face.js';
import {
  type ActorKeyService,
  createTeamValueChanges,
  type TenantQuotas,
  valueChannel,
} from '../people/face.js';
import type { Logger } from '../platform/logger.js';
import type { Database } from '../platform/mysql/database.js';
import type { HttpClient } from '../platform/outbound/http-exchange.js';
import type { RedisClient } from '../platform/redis/redis-client.js';
import { type CaseDatabase, tellOfCase } from './cases/case-scene.js';
import { createCaseServices } from './cases/case-services.js';
import { noteAttachedRecord } from './cases/links/attached-records.js';
import type { CredentialService } from './credentials/credential-service.js';
import { createOauthConnect } from './credentials/oauth/oauth-connect.js';
import { createOauthGrants } from './credentials/oauth/oauth-grants.js';
import { createTeamCredentialService } from './credentials/team-credential-service.js';
import { createCredentialTester } from './credentials/testing/credential-tester.js';
import type { FindMentions } from './find-mentions.js';
import { createFolderService } from './folders/folder-service.js';
import { createMailSettingsService } from './mails/mail-settings-service.js';
import { createRecordServices } from './records/record-services.js';
import { createTeamResourceService } from './resources/team-resource-service.js';

export interface DataServicesDeps {
  config: Config;
  database: Database;
  redis: RedisClient;
  credentials: CredentialService;
  quotas: TenantQuotas;
  /** Receives changed cases. */
  liveEvents: LiveEvents;
  /** Asks the servers of credentials. */
  http: HttpClient;
  /** Makes the keys of credentials that are keys of Fabula. */
  apiKeys: ActorKeyService;
  /** Find the actions that name credentials and resources. */
  mentions: { ofCredentials: FindMentions; ofResources: FindMentions };
  logger: Logger;
}

export type DataServices = ReturnType<typeof createDataServices>;

/** Creates the services that the routes of this room need. */
export function createDataServices({ config, database, credentials, http, ...deps }: DataServicesDeps) {
  const cipher = () => credentials.cipher();
  const valueChanges = createTeamValueChanges({
    database,
    publish: (message) => deps.redis.publish(valueChannel(config.queuePrefix), message),
    logger: deps.logger,
  });
  const cases: CaseDatabase = {
    read: (work) => database.read(work),
    transaction: (work) => database.transaction(work),
    liveEvents: deps.liveEvents,
  };
  return {
    cases: createCaseServices({ database: cases }),
    ...createRecordServices({
      database,
      quotas: deps.quotas,
      onAttached: noteAttachedRecord,
      afterAttached({ tenantId }, { teamId }, caseIds) {
        for (const id of caseIds) tellOfCase(cases, { id, tenantId, teamId });
      },
    }),
    folders: createFolderService({ database }),
    credentials: createTeamCredentialService({
      findMentions: deps.mentions.ofCredentials,
      database,
      credentials,
      apiKeys: deps.apiKeys,
      config,
      valueChanges,
    }),
    credentialTests: createCredentialTester({ database, http, cipher, config }),
    oauthConnect: createOauthConnect({ grants: createOauthGrants({ database, cipher }), http, cipher }),
    resources: createTeamResourceService({
      database,
      valueChanges,
      findMentions: deps.mentions.ofResources,
    }),
    mailSettings: createMailSettingsService({ database, credentials, config }),
  };
}
