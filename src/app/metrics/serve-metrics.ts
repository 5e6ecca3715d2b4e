import type { Config } from '../../config/face.js';
import type { Logger } from '../../platform/logger.js';
import { createMetricsListener, type MetricsListener } from '../../platform/metrics/metrics-listener.js';
import type { Metrics } from './metrics.js';

/** Creates the listener of a process's metrics; without metrics it does nothing. `role`: `web`, `trigger`, `all`. */
export function serveMetrics(
  metrics: Metrics | undefined,
  { config, role, logger }: { config: Config; role: string; logger: Logger },
): MetricsListener {
  if (metrics === undefined) return { listen: () => undefined, close: () => Promise.resolve() };
  return createMetricsListener({
    host: config.metricsHost,
    port: config.metricsPort,
    token: config.metricsToken,
    contentType: metrics.contentType,
    text: () => metrics.text(role),
    logger,
  });
}
