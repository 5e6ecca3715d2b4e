import path from 'node:path';
import { type Config, inheritedEnvironment } from '../../../config/face.js';
import { messageOf } from '../../../platform/errors.js';
import { createConfirmInstall } from './confirm-install.js';
import { leaveRoot } from './leave-root.js';
import type { FollowChanges } from './processes/live-restart.js';
import { createPrinter } from '../printer.js';
import { runFabula } from '../run-fabula.js';
import type { Seeded } from '../seed/seeded.js';
import { listenForStop } from './processes/stop-signals.js';

const STOP_LIMIT_MS = 15_000;

export interface StartOptions {
  /** Restarts web and worker after these changes (`npm run dev`). */
  follow?: FollowChanges;
}

/** `npm start`: runs all parts until a stop is requested. Returns the exit code. */
export async function runStart({ follow }: StartOptions = {}): Promise<number> {
  // A closed terminal must not prevent a clean stop of the stores.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  // Web and workers get it once they run (`debugOnSignal`); until then it must not end the start.
  process.on('SIGUSR2', () => undefined);
  const env = inheritedEnvironment();
  const stop = listenForStop(forceEnd, { withParent: env.npm_lifecycle_event !== undefined });
  try {
    const confirmInstall = createConfirmInstall({ yes: process.argv.includes('--yes'), signal: stop.asked });
    await leaveRoot({ env, say, probe: node(path.join(__dirname, 'try-account.js')), confirmInstall });
    const show = process.argv.includes('--show');
    await runFabula({ env, say, stop, show, confirmInstall, parts: parts(), ...(follow && { follow }) });
    return 0;
  } catch (error) {
    if (stop.asked.aborted) {
      say('Stopped before the start was complete.');
      return 0;
    }
    createPrinter(process.stderr).write(`\nFabula has stopped: ${messageOf(error)}\n`);
    return 1;
  } finally {
    stop.release();
  }
}

const node = (...args: string[]) => ({ command: process.execPath, args });

const loadSeed = () => import('../seed/seed.js');

/** Its processes are files beside this bundle. */
function parts() {
  return {
    loadSeed,
    migrate: node(path.join(__dirname, 'cli.js'), 'migrate'),
    web: node(path.join(__dirname, 'web.js')),
    worker: node(path.join(__dirname, 'workers', 'all.js')),
    seed: async (config: Config): Promise<Seeded> => (await loadSeed()).seed(config),
  };
}

function forceEnd(): void {
  // Only a step that cannot be interrupted, such as a package manager at work, can take this long.
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
}

function say(line: string): void {
  createPrinter(process.stdout).write(`${line}\n`);
}
