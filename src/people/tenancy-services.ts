import type { Config } from '../config/face.js';
import type { Database } from '../platform/mysql/database.js';
import { createAuditService } from './audit/audit-service.js';
import { createActorKeyService } from './keys/actor-key-service.js';
import { createApiKeyService } from './keys/api-key-service.js';
import { createApiKeyStore } from './keys/api-key-store.js';
import { createQuotaService } from './quotas/quota-service.js';
import { createMemberService } from './teams/member-service.js';
import { createTeamService } from './teams/team-service.js';
import { createTenantStore } from './tenants/tenant-store.js';
import { createTestPolicyService } from './tenants/test-policy-routes.js';
import { createOperatorCheck } from './users/operator-check.js';
import { createUserService } from './users/user-service.js';

export interface TenancyServicesDeps {
  config: Config;
  database: Database;
}

export type TenancyServices = ReturnType<typeof createTenancyServices>;

/** Creates the services that the routes of this room need; those of people who sign in are `createPeopleServices`. */
export function createTenancyServices({ config, database }: TenancyServicesDeps) {
  const keys = createApiKeyService({
    db: database,
    keys: createApiKeyStore(database.knex),
    tenants: createTenantStore(database.knex),
    limits: config,
  });
  return {
    audit: createAuditService({ database }),
    teams: createTeamService({ database }),
    members: createMemberService({ database }),
    users: createUserService({ database }),
    apiKeys: createActorKeyService({ keys }),
    quotas: createQuotaService({ database, defaults: config.quotas }),
    testPolicies: createTestPolicyService({ database }),
    operators: createOperatorCheck(database),
  };
}
