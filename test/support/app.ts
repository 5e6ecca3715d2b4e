import type { AddressInfo } from 'node:net';
import { Router } from 'express';
import { createRunningCalls } from '../../src/web/mcp/running-calls.js';
import { type AppDeps, createApp } from '../../src/app/app.js';
import { createAuditTrail } from '../../src/people/audit/audit-trail.js';
import { createActorStore } from '../../src/api/auth/actor-store.js';
import { createAuthenticator } from '../../src/api/auth/authenticator.js';
import { pendingMigrations } from '../../src/platform/mysql/schema/migrate.js';
import { createServer } from '../../src/platform/http/server/create-server.js';
import type { HealthChecks } from '../../src/platform/http/server/health-router.js';
import type { AnyRoute } from '../../src/api/route.js';
import type { TestStores } from './stores.js';

export interface TestApp {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  close(): Promise<void>;
}

export interface TestAppOptions<Services> extends Partial<Omit<AppDeps<Services>, 'config'>> {
  routes: readonly AnyRoute<Services>[];
  services: Services;
  config?: Partial<AppDeps<Services>['config']>;
}

/** The application on a free port, on the test file's stores. It is closed with them; `close` does it sooner. */
export async function startTestApp<Services>(
  stores: TestStores,
  { config, ...options }: TestAppOptions<Services>,
): Promise<TestApp> {
  const app = createApp<Services>({
    logger: stores.logger,
    authenticator: createAuthenticator({ actors: createActorStore(stores.db), logger: stores.logger }),
    health: { checks: healthChecksOf(stores), isShuttingDown: () => false },
    webhookRouter: Router(),
    oauthRouter: Router(),
    promptRouter: Router(),
    limits: { check: async () => undefined },
    toolCalls: createRunningCalls(),
    audit: createAuditTrail({ database: stores.db, logger: stores.logger }),
    ...options,
    config: {
      bodyLimitBytes: 64 * 1024,
      publicUrl: undefined,
      adminOrigin: undefined,
      trustedProxies: [],
      ...config,
    },
  });
  const test = await serve(app);
  stores.onClose(() => test.close());
  return test;
}

/** Checks of the real stores. */
function healthChecksOf(stores: TestStores): HealthChecks {
  return {
    database: () => stores.db.read(async (session) => void (await session.rows('SELECT 1'))),
    redis: async () => void (await stores.redis.ping()),
    schema: async () => {
      const pending = await pendingMigrations(stores.db.knex);
      if (pending.length > 0) throw new Error(`${pending.length} migrations have not run`);
    },
    webhooks: () => Promise.resolve(),
  };
}

/** An application on a free port. */
export async function serve(app: Parameters<typeof createServer>[0]): Promise<TestApp> {
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closing;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
