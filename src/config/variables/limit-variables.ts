import { integerVariable } from '../value-types.js';
import { type CheckedVariables, inGroup } from '../variable.js';

const variable = inGroup('Limits');

const MOST_CONNECTIONS = 1_000_000;
/** A tenant without limits of its own may use this many keys at full rate. */
const KEYS_AT_WORK = 4;
const limit = integerVariable({ zero: 'no limit' });
const requests = 'requests a minute';

/** Limits of API keys, users, tenants and client addresses (decisions 0031 and 0032). */
export const limitVariables = {
  rateLimitPerMinute: variable('RATE_LIMIT_PER_MINUTE', limit, {
    default: 5_000,
    unit: requests,
    meaning: 'API requests of one key.',
    more: '../decisions/0032-limits-and-quotas.md',
  }),
  userRateLimitPerMinute: variable('RATE_LIMIT_USER_PER_MINUTE', limit, {
    default: (checked: CheckedVariables) => Number(checked.RATE_LIMIT_PER_MINUTE),
    defaultText: 'as `RATE_LIMIT_PER_MINUTE`',
    unit: requests,
    meaning: 'API requests of all keys of one user.',
  }),
  tenantRateLimitPerMinute: variable('RATE_LIMIT_TENANT_PER_MINUTE', limit, {
    default: (checked: CheckedVariables) => Number(checked.RATE_LIMIT_PER_MINUTE) * KEYS_AT_WORK,
    defaultText: `${KEYS_AT_WORK} times \`RATE_LIMIT_PER_MINUTE\``,
    unit: requests,
    meaning: 'API requests of all keys of one tenant.',
  }),
  recordsListRateLimitPerMinute: variable('RECORDS_LIST_RATE_LIMIT_PER_MINUTE', limit, {
    default: 100,
    unit: requests,
    meaning: 'Requests for lists of records, of one key and of all keys of one user.',
  }),
  webhookRateLimitPerMinute: variable('WEBHOOK_RATE_LIMIT_PER_MINUTE', limit, {
    default: 600_000,
    unit: requests,
    meaning: 'Requests to one webhook.',
  }),
  webhookTenantRateLimitPerMinute: variable('WEBHOOK_TENANT_RATE_LIMIT_PER_MINUTE', limit, {
    default: 1_200_000,
    unit: requests,
    meaning: 'Requests to all webhooks of one tenant.',
  }),
  refusedCallsPerMinute: variable('REFUSED_CALLS_PER_MINUTE', limit, {
    default: 300,
    unit: requests,
    meaning: 'Requests of one client address with a wrong key, secret or path; more get 429.',
    note: 'Correct requests of this address are still accepted.',
    more: '../decisions/0031-connections-and-strangers.md',
  }),
  maxConnections: variable('MAX_CONNECTIONS', integerVariable({ min: 10, max: MOST_CONNECTIONS }), {
    defaultText: '10,000, or what the limit of open files allows',
    unit: 'connections',
    meaning: 'Open connections of one listener.',
    more: '../decisions/0031-connections-and-strangers.md',
  }),
  maxConnectionsPerAddress: variable(
    'MAX_CONNECTIONS_PER_ADDRESS',
    integerVariable({ min: 1, max: MOST_CONNECTIONS }),
    {
      defaultText: 'half of `MAX_CONNECTIONS`',
      unit: 'connections',
      meaning: 'Open connections of one client address; an IPv6 /64 counts as one.',
      note: 'Addresses in `TRUSTED_PROXIES` have no limit.',
    },
  ),
  streamConnections: variable('STREAM_CONNECTIONS', integerVariable({ min: 1, max: MOST_CONNECTIONS }), {
    default: 200,
    unit: 'connections',
    meaning: 'Open streams of `GET /api/v1/stream` per web process; one tenant can use half of them.',
    more: '../understand/notes/api.md#live-events',
  }),
  streamConnectionsPerUser: variable(
    'STREAM_CONNECTIONS_PER_USER',
    integerVariable({ min: 1, max: MOST_CONNECTIONS }),
    { default: 10, unit: 'connections', meaning: 'Open streams of one user, as part of these.' },
  ),
  apiKeysPerUser: variable('API_KEYS_PER_USER', limit, {
    default: 20,
    unit: 'keys',
    meaning: 'Valid personal keys of one user.',
  }),
  apiKeysPerTenant: variable('API_KEYS_PER_TENANT', limit, {
    default: 500,
    unit: 'keys',
    meaning: 'Valid keys of one tenant and its teams.',
  }),
};
