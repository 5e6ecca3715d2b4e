import { type Request, type Response, Router } from 'express';
import { messageOf, type Problem } from '../errors.js';
import { withTimeout } from '../runtime/timeout.js';
import type { Logger } from '../logger.js';
import { memoizeFor } from '../runtime/memoize.js';

const CHECK_TIMEOUT_MS = 1_000;
/** Whoever asks within this gets the same answer: nobody needs a key to ask. */
const SHARED_MS = 1_000;

/** What readiness depends on. Each check rejects when its part does not work; it need not bring a time-out. */
export interface HealthChecks {
  database(): Promise<void>;
  redis(): Promise<void>;
  /** Whether every migration has run. */
  schema(): Promise<void>;
  /** Whether calls could be taken without the database (rule 18). */
  webhooks(): Promise<void>;
}

export interface HealthDeps {
  checks: HealthChecks;
  /** What does not stop this server from serving, but will when something else happens. Default: nothing. */
  warnings?: () => Promise<string[]>;
  isShuttingDown: () => boolean;
  logger: Logger;
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can serve; else 503 naming what is missing. */
export function createHealthRouter(deps: HealthDeps): Router {
  const { checks, isShuttingDown, logger } = deps;
  const router = Router();
  const currentFailures = memoizeFor(SHARED_MS, () => failures(checks, logger));
  router.get('/healthz', (_req: Request, res: Response) => {
    res.locals['route'] = '/healthz';
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req: Request, res: Response) => {
    res.locals['route'] = '/readyz';
    const errors = isShuttingDown()
      ? [{ message: 'The server is shutting down', details: 'shutdown' }]
      : await currentFailures();
    if (errors.length === 0) res.json({ status: 'ok', ...(await warningsOf(deps)) });
    else res.status(503).set('Retry-After', '5').json({ status: 'unavailable', errors });
  });
  return router;
}

async function warningsOf({ warnings, logger }: HealthDeps): Promise<{ warnings?: Problem[] }> {
  if (warnings === undefined) return {};
  try {
    const found = await withTimeout(warnings(), CHECK_TIMEOUT_MS);
    return found.length === 0 ? {} : { warnings: found.map((message) => ({ message })) };
  } catch (error) {
    logger.debug('warnings are not known', { error: messageOf(error) });
    return {};
  }
}

/** Which checks fail. The reason is for the log: it may name hosts and users. */
async function failures(checks: HealthChecks, logger: Logger): Promise<Problem[]> {
  const names = ['database', 'redis', 'schema', 'webhooks'] as const;
  const results = await Promise.allSettled(
    names.map((name) => withTimeout(checks[name](), CHECK_TIMEOUT_MS)),
  );
  return results.flatMap((result, index) => {
    if (result.status === 'fulfilled') return [];
    const name = String(names[index]);
    // Every process begins without them: that is no news.
    const level = name === 'webhooks' ? 'info' : 'warn';
    logger.log(level, 'not ready', { check: name, error: messageOf(result.reason) });
    return [{ message: `The ${name} check failed`, details: name }];
  });
}
