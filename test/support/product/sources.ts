/* All that the test product takes from the sources. */
export { createApp } from '../../../src/app/app.js';
export { ROUTES } from '../../../src/app/routes.js';
export { createWebServices, type WebServices } from '../../../src/app/services/web-services.js';
export { createWorkerServices, type WorkerServices } from '../../../src/app/services/worker-services.js';
export { createComponents } from '../../../src/api/openapi/components.js';
export { operationOf } from '../../../src/api/openapi/operation.js';
export { type Config, readConfig } from '../../../src/config/config.js';
export { QUEUES, type QueueName } from '../../../src/engine/dispatch/jobs.js';
export { Cancellation } from '../../../src/engine/execute/cancellation.js';
export { createServer } from '../../../src/platform/http/server/create-server.js';
export type { JsonValue } from '../../../src/platform/json.js';
export { createSilentLogger, type Logger } from '../../../src/platform/logger.js';
export type { HttpClient } from '../../../src/platform/outbound/http-exchange.js';
export { waitUntilRedisReady } from '../../../src/platform/redis/redis.js';
export { mediaTypeOf } from '../../../src/platform/headers/content-type.js';
export { createQueueWorkers } from '../../../src/app/worker/queue-workers.js';
