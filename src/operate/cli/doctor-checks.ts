import { type Config, ConfigError } from '../../config/face.js';
import { ENVIRONMENT_CHECKS, HOST_CHECKS, STORE_CHECKS } from '../doctor/checks.js';
import { INVALID } from '../doctor/checks/invalid-configuration.js';
import { finding } from '../doctor/finding.js';
import { type Report, reportOf } from '../doctor/report.js';
import { runChecks } from '../doctor/run-checks.js';
import { createStoreContext } from '../doctor/store-context.js';
import { createSilentLogger } from '../../platform/logger.js';
import { createDatabase } from '../../platform/mysql/database.js';
import { withCliQueues } from './stores/cli-queues.js';

const POOL_SIZE = 4;
const CHECK_LIMIT_MS = 10_000;

/** Returns the report of `check`; for a configuration that cannot be read, a report with each of its faults. */
export async function checkEnvironment(
  env: NodeJS.ProcessEnv,
  read: () => Promise<{ config: Config; env: NodeJS.ProcessEnv }>,
  check: (config: Config, env: NodeJS.ProcessEnv) => Promise<Report>,
): Promise<Report> {
  try {
    const found = await read();
    return await check(found.config, found.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [, ...faults] = error.message.split('\n');
    const wrong = faults.map((fault) => finding(INVALID, `${fault.trim()}.`));
    const others = await Promise.all(ENVIRONMENT_CHECKS.map(async (each) => each.run({ env })));
    return reportOf([...wrong, ...others.flat()], ENVIRONMENT_CHECKS.length + 1);
  }
}

/** Runs all checks on connections of its own. */
export function checkHost(config: Config, env: NodeJS.ProcessEnv): Promise<Report> {
  return withCliQueues(config, async (open) => {
    const database = createDatabase({
      url: config.databaseUrl,
      tls: config.databaseTls,
      poolSize: POOL_SIZE,
      logger: createSilentLogger(),
      statementTimeoutMs: CHECK_LIMIT_MS,
    });
    try {
      const context = { ...createStoreContext({ config, database, ...open }), env };
      const checks = [...STORE_CHECKS, ...HOST_CHECKS];
      const found = await runChecks(checks, context, { limitMs: CHECK_LIMIT_MS, showsReasons: true });
      return reportOf(found, checks.length);
    } finally {
      await database.close();
    }
  });
}
