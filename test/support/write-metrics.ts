import { readFileSync, writeFileSync } from 'node:fs';
import { METRICS_PAGE, withMetrics } from './metrics-page.js';

/** `npm run docs:metrics`: writes THE list of metrics into docs/operate/metrics.md. */
writeFileSync(METRICS_PAGE, withMetrics(readFileSync(METRICS_PAGE, 'utf8')));
