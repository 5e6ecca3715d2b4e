import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { inheritedEnvironment } from '../config/config.js';
import { isPortFree } from '../embedded/free-port.js';
import { messageOf } from '../platform/errors.js';
import { planStart } from './start-environment.js';

/*
 * Run as the user that a start by root is to go on as: whether that user can read this program, reach the data folder, read what
 * the configuration names, and listen on the port. That it runs at all says that Node and the packages can be read.
 */
async function tryAccount(): Promise<void> {
  const { config } = await planStart(inheritedEnvironment());
  accessSync(path.join(__dirname, '..', '..', 'workers'), constants.R_OK | constants.X_OK);
  accessSync(nearest(path.dirname(config.dataDir)), constants.X_OK);
  await isPortFree(config.port, config.host);
}

/** The folder itself, or the first above it that is there. */
function nearest(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder ? folder : nearest(path.dirname(folder));
}

tryAccount().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
