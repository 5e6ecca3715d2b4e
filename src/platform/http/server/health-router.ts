import { type Request, type Response, Router } from 'express';
import { onlyReads } from '../only-reads.js';
import { messageOf, type Problem } from '../../errors.js';
import { withTimeout } from '../../runtime/timeout.js';
import type { Logger } from '../../logger.js';
import { memoizeFor } from '../../runtime/memoize.js';

const CHECK_TIMEOUT_MS = 1_000;
/** Requests within this time share one result: they need no key. */
const SHARED_MS = 1_000;

/** The checks of readiness. Each rejects when its part does not work; it needs no timeout of its own. */
export interface HealthChecks {
  database(): Promise<void>;
  redis(): Promise<void>;
  /** Rejects unless every migration has run. */
  schema(): Promise<void>;
  /** Rejects unless webhook requests could be accepted without the database (rule 18). */
  webhooks(): Promise<void>;
}

export interface HealthDeps {
  checks: HealthChecks;
  /** Faults that do not stop this server now, but will after a further failure. Default: none. */
  warnings?: () => Promise<string[]>;
  isShuttingDown: () => boolean;
  logger: Logger;
}

/** `GET /healthz`: the process is alive. `GET /readyz`: it can serve; otherwise 503 with the failed checks. */
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
  router.all('/healthz', onlyReads);
  router.all('/readyz', onlyReads);
  return router;
}

async function warningsOf({ warnings, logger }: HealthDeps): Promise<{ warnings?: Problem[] }> {
  if (warnings === undefined) return {};
  try {
    const found = await withTimeout(warnings(), CHECK_TIMEOUT_MS);
    return found.length === 0 ? {} : { warnings: found.map((message) => ({ message })) };
  } catch (error) {
    logger.debug('could not read warnings', { error: messageOf(error) });
    return {};
  }
}

/** Returns the failed checks. The reason is only logged: it may name hosts and users. */
async function failures(checks: HealthChecks, logger: Logger): Promise<Problem[]> {
  const names = ['database', 'redis', 'schema', 'webhooks'] as const;
  const results = await Promise.allSettled(
    names.map((name) => withTimeout(checks[name](), CHECK_TIMEOUT_MS)),
  );
  return results.flatMap((result, index) => {
    if (result.status === 'fulfilled') return [];
    const name = String(names[index]);
    // Every process starts without webhooks loaded: that is no reason for a warning.
    const level = name === 'webhooks' ? 'info' : 'warn';
    logger.log(level, 'not ready', { check: name, error: messageOf(result.reason) });
    return [{ message: `The ${name} check failed`, details: name }];
  });
}
