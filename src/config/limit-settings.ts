import Joi from 'joi';

/** What keys, users and tenants may do within a minute, a day, or at all (decision 0032). */
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
  /** What a tenant may have that has no quotas of its own; 0 = no limit. Days are those of UTC. */
  quotas: {
    events_per_day: number;
    /** Of the events' payloads. */
    bytes_per_day: number;
    /** Each recipient counts. */
    mails_per_day: number;
    processor_seconds_per_day: number;
    stories: number;
    records: number;
    schedules: number;
  };
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
  QUOTA_EVENTS_PER_DAY: number;
  QUOTA_BYTES_PER_DAY: number;
  QUOTA_MAILS_PER_DAY: number;
  QUOTA_PROCESSOR_SECONDS_PER_DAY: number;
  QUOTA_STORIES: number;
  QUOTA_RECORDS: number;
  QUOTA_SCHEDULES: number;
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
  WEBHOOK_RATE_LIMIT_PER_MINUTE: count().default(600_000),
  WEBHOOK_TENANT_RATE_LIMIT_PER_MINUTE: count().default(1_200_000),
  API_KEYS_PER_USER: count().default(20),
  API_KEYS_PER_TENANT: count().default(500),
  QUOTA_EVENTS_PER_DAY: count().default(200_000_000),
  QUOTA_BYTES_PER_DAY: count().default(100_000_000_000),
  QUOTA_MAILS_PER_DAY: count().default(10_000),
  QUOTA_PROCESSOR_SECONDS_PER_DAY: count().default(86_400),
  QUOTA_STORIES: count().default(10_000),
  QUOTA_RECORDS: count().default(10_000_000),
  QUOTA_SCHEDULES: count().default(5_000),
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
    quotas: {
      events_per_day: env.QUOTA_EVENTS_PER_DAY,
      bytes_per_day: env.QUOTA_BYTES_PER_DAY,
      mails_per_day: env.QUOTA_MAILS_PER_DAY,
      processor_seconds_per_day: env.QUOTA_PROCESSOR_SECONDS_PER_DAY,
      stories: env.QUOTA_STORIES,
      records: env.QUOTA_RECORDS,
      schedules: env.QUOTA_SCHEDULES,
    },
  };
}
