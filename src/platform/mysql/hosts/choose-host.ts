import { createSilentLogger } from '../../logger.js';
import { type DatabaseTarget, targetsOf } from '../connections/connection-settings.js';
import { createDatabaseHosts } from './database-hosts.js';

/** Returns the first host of the address that serves, for one connection; the first of all if none does. */
export async function chooseHost(target: DatabaseTarget): Promise<DatabaseTarget> {
  const targets = targetsOf(target);
  if (targets.length === 1) return targets[0];
  const hosts = createDatabaseHosts(targets, { logger: createSilentLogger(), watched: false });
  await hosts.chosen();
  return hosts.current();
}
