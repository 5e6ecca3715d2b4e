import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { createServer } from './http/create-server.js';
import { ROUTES } from './http/routes.js';
import { createLogger } from './logger.js';
import { exitOnUncaught, onShutdown } from './shutdown.js';
import { createWebServices } from './web-services.js';

/** When the process stops: open response calls get their answer or a 504 by then, all others by the second. */
const RESPONSE_DRAIN_MS = 4_000;
const DRAIN_MS = 7_000;

function main(): void {
  const config = loadConfig();
  const logger = createLogger({ level: config.logLevel, role: 'web' });
  exitOnUncaught(logger);
  let shuttingDown = false;
  const web = createWebServices(config, logger, { isShuttingDown: () => shuttingDown });
  const server = createServer(createApp({ ...web.app, routes: ROUTES }));

  server.on('error', (error) => {
    logger.error('cannot listen', { host: config.host, port: config.port, error });
    process.exit(1);
  });
  server.listen(config.port, config.host, () => {
    logger.info('web is listening', { address: server.address() });
  });
  onShutdown({
    logger,
    steps: [
      { name: 'readiness', stop: () => void (shuttingDown = true) },
      { name: 'HTTP', stop: () => closeServer(server, () => web.endWaits()) },
      { name: 'services', stop: () => web.close() },
    ],
  });
}

/** Takes no more connections, and waits for the answers under way. */
function closeServer(server: ReturnType<typeof createServer>, endWaits: () => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const answerWaits = setTimeout(() => void endWaits(), RESPONSE_DRAIN_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(answerWaits);
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}

main();
