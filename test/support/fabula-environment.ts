import type { TestStores } from './stores.js';

/** The environment of a Fabula process on the test file's stores. */
export function fabulaEnvironment(stores: TestStores, overrides: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    QUEUE_PREFIX: stores.queuePrefix,
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
    ENCRYPTION_KEY: 'ab'.repeat(32),
    ...overrides,
  };
}
