import type { Server } from 'node:http';
import type { Express } from 'express';
import type { Config } from '../../config/face.js';
import { createServer } from '../../platform/http/server/create-server.js';
import type { Logger } from '../../platform/logger.js';

export interface AdminListenerDeps {
  /** If undefined, nothing listens. */
  app: Express | undefined;
  config: Pick<Config, 'adminPort' | 'adminHost' | 'maxConnections' | 'maxConnectionsPerAddress'>;
  logger: Logger;
}

/**
 * Creates the listener of the people's origin. Callers do not depend on it: if its port is in use (for example by another web
 * process on the same machine), this process serves requests without it and logs a warning.
 */
export function createAdminListener({ app, config, logger }: AdminListenerDeps) {
  const limits = { max: config.maxConnections, maxPerAddress: config.maxConnectionsPerAddress };
  const server: Server | undefined = app && createServer(app, { logger, limits });
  const { adminPort: port, adminHost: host } = config;
  server?.on('error', (error) => {
    logger.warn('console and queue board are unavailable: cannot listen on ADMIN_HOST and ADMIN_PORT', {
      host,
      port,
      error,
    });
  });
  return {
    listen(): void {
      server?.listen(port, host, () =>
        logger.info('console and queue board are listening', { address: server.address() }),
      );
    },
    /** Closes all connections at once: no work depends on them. */
    close: (): Promise<void> =>
      new Promise((resolve) => {
        if (server === undefined) return resolve();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
