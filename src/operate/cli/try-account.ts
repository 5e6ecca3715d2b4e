import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { inheritedEnvironment } from '../../config/face.js';
import { isPortFree } from '../embedded/free-port.js';
import { messageOf } from '../../platform/errors.js';
import { createPrinter } from './printer.js';
import { planStart } from './start/start-environment.js';

/**
 * Runs as the user that a start by root switches to. Checks that this user can read this program, reach the data folder,
 * read the files that the configuration names, and listen on the port. If it runs at all, Node and the packages are readable.
 */
export async function checkAccount(): Promise<void> {
  try {
    await check();
  } catch (error) {
    createPrinter(process.stderr).write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

async function check(): Promise<void> {
  const { config } = await planStart(inheritedEnvironment());
  accessSync(path.join(__dirname, 'workers'), constants.R_OK | constants.X_OK);
  accessSync(nearest(path.dirname(config.dataDir)), constants.X_OK);
  await isPortFree(config.port, config.host);
}

/** Returns the folder itself, or its nearest parent that exists. */
function nearest(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder ? folder : nearest(path.dirname(folder));
}
