import type { Server } from 'node:http';
import type { Express } from 'express';
import type { Config } from '../config/config.js';
import { createServer } from '../platform/http/create-server.js';
import type { Logger } from '../platform/logger.js';

export interface AdminListenerDeps {
  /** Undefined: nothing listens. */
  app: Express | undefined;
  config: Pick<Config, 'adminPort' | 'adminHost' | 'maxConnections' | 'maxConnectionsPerAddress'>;
  logger: Logger;
}

/**
 * Where the board listens. It is no part of what the product promises to callers: where its port is taken (by the next
 * web process of the same machine, say), this process serves calls without it, and says so.
 */
export function createAdminListener({ app, config, logger }: AdminListenerDeps) {
  const limits = { max: config.maxConnections, maxPerAddress: config.maxConnectionsPerAddress };
  const server: Server | undefined = app && createServer(app, { logger, limits });
  const { adminPort: port, adminHost: host } = config;
  server?.on('error', (error) => {
    logger.warn('the board is not served: cannot listen on ADMIN_HOST and ADMIN_PORT', { host, port, error });
  });
  return {
    listen(): void {
      server?.listen(port, host, () => logger.info('the board is listening', { address: server.address() }));
    },
    /** Ends at once: nobody's work hangs on it. */
    close: (): Promise<void> =>
      new Promise((resolve) => {
        if (server === undefined) return resolve();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
