import Joi from 'joi';

/** What keys, users and tenants may do within a minute, a day, or at all (docs/decisions/0032). */
export interface LimitSettings {
  /** Calls of the REST API a minute, for each key; 0 = no limit. Lists of records have a limit of their own. */
  rateLimitPerMinute: number;
  /** The same for all keys of one user, and for all of a tenant. */
  userRateLimitPerMinute: number;
  tenantRateLimitPerMinute: number;
  /** For each key, and for all keys of one user. */
  recordsListRateLimitPerMinute: number;
  /** Webhook calls a minute, for each webhook and for all of a tenant; 0 = no limit. */
  webhookRateLimitPerMinute: number;
  webhookTenantRateLimitPerMinute: number;
  /** Personal keys that one user may have at once, and keys of a tenant and its teams; 0 = no limit. */
  apiKeysPerUser: number;
  apiKeysPerTenant: number;
}

export interface LimitEnvironment {
  RATE_LIMIT_PER_MINUTE: number;
  RATE_LIMIT_USER_PER_MINUTE: number;
  RATE_LIMIT_TENANT_PER_MINUTE: number;
  RECORDS_LIST_RATE_LIMIT_PER_MINUTE: number;
  WEBHOOK_RATE_LIMIT_PER_MINUTE: number;
  WEBHOOK_TENANT_RATE_LIMIT_PER_MINUTE: number;
  API_KEYS_PER_USER: number;
  API_KEYS_PER_TENANT: number;
}

/** Keys that a tenant has at work at once, where nothing else is said of the tenant. */
const KEYS_AT_WORK = 4;

/** Whole, 0 for none. */
const count = () => Joi.number().integer().min(0);

/** The variables, as the environment is checked. */
export const limitVariables: Record<keyof LimitEnvironment, Joi.Schema> = {
  RATE_LIMIT_PER_MINUTE: count().default(5_000),
  RATE_LIMIT_USER_PER_MINUTE: count().default(Joi.ref('RATE_LIMIT_PER_MINUTE')),
  RATE_LIMIT_TENANT_PER_MINUTE: count().default(
    (env: LimitEnvironment) => env.RATE_LIMIT_PER_MINUTE * KEYS_AT_WORK,
  ),
  RECORDS_LIST_RATE_LIMIT_PER_MINUTE: count().default(100),
  WEBHOOK_RATE_LIMIT_PER_MINUTE: count().default(300_000),
  WEBHOOK_TENANT_RATE_LIMIT_PER_MINUTE: count().default(600_000),
  API_KEYS_PER_USER: count().default(20),
  API_KEYS_PER_TENANT: count().default(500),
};

/** The limits that the checked environment asks for. */
export function limitSettings(env: LimitEnvironment): LimitSettings {
  return {
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    userRateLimitPerMinute: env.RATE_LIMIT_USER_PER_MINUTE,
    tenantRateLimitPerMinute: env.RATE_LIMIT_TENANT_PER_MINUTE,
    recordsListRateLimitPerMinute: env.RECORDS_LIST_RATE_LIMIT_PER_MINUTE,
    webhookRateLimitPerMinute: env.WEBHOOK_RATE_LIMIT_PER_MINUTE,
    webhookTenantRateLimitPerMinute: env.WEBHOOK_TENANT_RATE_LIMIT_PER_MINUTE,
    apiKeysPerUser: env.API_KEYS_PER_USER,
    apiKeysPerTenant: env.API_KEYS_PER_TENANT,
  };
}
