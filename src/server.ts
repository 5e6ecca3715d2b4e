import { traceFields } from './app/traces/trace-fields.js';
import { letYoungSpaceGrow } from './platform/runtime/v8-flags.js';
import { createAdminListener, loadProtocol } from './web/face.js';
import { createApp } from './app/app.js';
import { noteKey } from './data/face.js';
import { loadConfig } from './config/face.js';
import { noteNewerSchema } from './platform/mysql/schema/newer-schema.js';
import { messageOf } from './platform/errors.js';
import { createServer } from './platform/http/server/create-server.js';
import { createServerDrain } from './platform/http/server/server-drain.js';
import { ROUTES } from './app/routes.js';
import { createLogger } from './platform/logger.js';
import { giveSigns } from './engine/face.js';
import { waitUntilRedisReady } from './platform/redis/redis.js';
import { debugOnSignal } from './platform/runtime/debug-signal.js';
import { exitOnUncaught, onShutdown } from './platform/runtime/shutdown.js';
import { serveMetrics } from './app/metrics/serve-metrics.js';
import { createRedisWatch } from './app/redis-watch.js';
import { createWebServices } from './app/services/web-services.js';

/** Share of the shutdown time in which requests that wait for a run may still get its response. */
const WAITS_PATIENCE = 0.6;
/** Share of the shutdown time in which all other requests are finished. */
const PATIENCE = 0.8;
/** A reachable Redis responds within this time; without one, requests are accepted all the same. */
const REDIS_WAIT_MS = 1_000;

function main(): void {
  letYoungSpaceGrow();
  const config = loadConfig();
  const logger = createLogger({
    level: config.logLevel,
    format: config.logFormat,
    derived: traceFields(config),
    role: 'web',
  });
  exitOnUncaught(logger);
  debugOnSignal(logger);
  let shuttingDown = false;
  const web = createWebServices(config, logger, { isShuttingDown: () => shuttingDown });
  const server = createServer(createApp({ ...web.app, routes: ROUTES }), {
    logger,
    limits: { max: config.maxConnections, maxPerAddress: config.maxConnectionsPerAddress },
  });
  const board = createAdminListener({ app: web.admin, config, logger });
  const readings = serveMetrics(web.core.metrics, { config, role: 'web', logger });
  const responses = createServerDrain(server, () => web.endWaits());
  const shutdownMs = config.shutdownSeconds * 1000;
  const watching = new AbortController();
  const { redis, spoolTrouble, loggers } = web.core;
  const watch = createRedisWatch({ redis, prefix: config.queuePrefix, spoolTrouble, logger: loggers.stores });
  const signs = {
    redis,
    prefix: config.queuePrefix,
    parts: config.queueParts,
    role: 'web',
    jobs: () => 0,
    logger: loggers.stores,
  };
  // If the database is unreachable at the start, this logs it; later, the first statement that waits does.
  void web.core.database.isDown();

  server.on('error', (error) => {
    logger.error('cannot listen', { host: config.host, port: config.port, error });
    process.exit(1);
  });
  const listen = () =>
    server.listen(config.port, config.host, () => {
      logger.info('web is listening', { address: server.address() });
      board.listen();
      readings.listen();
      void watch.run(watching.signal);
      void giveSigns(signs, watching.signal);
      noteKey(web.core, logger).catch((error: unknown) =>
        logger.debug('the encryption key of the database is not yet known', { error: messageOf(error) }),
      );
      noteNewerSchema(web.core.database, logger).catch((error: unknown) =>
        logger.debug('the migrations of the database are not known yet', { error: messageOf(error) }),
      );
    });
  // Otherwise the first requests would not be counted or traced, and only the relay would add their jobs. The first of MCP
  // would hold up all others while its code is loaded.
  void Promise.all([
    waitUntilRedisReady(web.core.redis, REDIS_WAIT_MS),
    web.core.traces?.ready,
    loadProtocol(),
  ]).then(() => shuttingDown || listen());
  onShutdown({
    logger,
    deadlineMs: shutdownMs,
    steps: [
      { name: 'readiness', stop: () => void (shuttingDown = true) },
      { name: 'check of Redis', stop: () => watching.abort() },
      { name: 'board', stop: () => board.close() },
      { name: 'streams', stop: () => web.endStreams() },
      {
        name: 'HTTP',
        stop: () => responses.drain({ waitsMs: WAITS_PATIENCE * shutdownMs, allMs: PATIENCE * shutdownMs }),
      },
      { name: 'metrics', stop: () => readings.close() },
      { name: 'services', stop: () => web.close() },
    ],
  });
}

main();
