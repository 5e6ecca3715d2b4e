import path from 'node:path';
import { type Config, readConfig } from '../../config/face.js';
import { AlreadyRunning, takeRunLock } from '../embedded/run-lock.js';
import { runTool } from '../embedded/run-tool.js';
import { type EmbeddedOptions, type EmbeddedStores, startEmbeddedStores } from '../embedded/stores.js';
import { readCredentials, writeCredentials } from './credentials-file.js';
import { type FollowChanges, restartOnChange } from './start/processes/live-restart.js';
import type { Seeded } from './seed/seeded.js';
import type { BackoffOptions } from './start/processes/start-backoff.js';
import { completeEnvironment, planStart, type StartPlan } from './start/start-environment.js';
import { requireFreePort } from './start/start-ports.js';
import { recordStart } from './start/start-record.js';
import { createStartRevival } from './start/processes/start-revival.js';
import { startScreen } from './start/start-screen.js';
import type { StopRequest } from './start/processes/stop-signals.js';
import { superviseChildren } from './start/processes/supervise-children.js';
import { waitUntilReady } from './start/processes/wait-ready.js';

interface Command {
  command: string;
  args: string[];
}

export interface CliRunOptions {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  stop: StopRequest;
  /** True to show keys and passwords on the start screen again. Default: at the first start only. */
  show?: boolean;
  /** The programs to run; tests of the supervisor replace them. */
  parts: {
    migrate: Command;
    web: Command;
    worker: Command;
    seed: (config: Config) => Promise<Seeded>;
    /** Loads what `seed` needs, while another process migrates. Absent: `seed` does. */
    loadSeed?: () => Promise<unknown>;
  };
  backoff?: BackoffOptions;
  /** Changes after which web and worker are restarted (`npm run dev`). A process that crashes is then tried without end. */
  follow?: FollowChanges;
  serversDir?: string;
  /** Called before system packages are installed. Default: installation is allowed. */
  confirmInstall?: EmbeddedOptions['confirmInstall'];
}

const MIGRATE_LIMIT_MS = 60 * 60_000;
const READY_LIMIT_MS = 60_000;
/** The two limits together stay below the 15 s that a stop may take. */
const CHILDREN_LIMIT_MS = 9_000;
const STORES_LIMIT_MS = 4_500;
/** `SHUTDOWN_SECONDS` of web and workers. */
const CHILDREN_SHUTDOWN_SECONDS = 8;
const HURRY_LIMIT_MS = 1_000;
/** A store that cannot start, on a full disk for example, is tried often: it is needed for everything. */
const STORE_BACKOFF: BackoffOptions = {
  firstMs: 500,
  maxMs: 5_000,
  goodRunMs: 60_000,
  quickDeaths: 6,
};
/** While changes are followed: the next change mends a process that cannot start, so retries may be rare. */
const PATIENT_BACKOFF: BackoffOptions = {
  firstMs: 2_000,
  maxMs: 60_000,
  goodRunMs: 60_000,
  quickDeaths: Infinity,
};

/**
 * Runs stores, web and workers until a stop is requested, and stops them in reverse order.
 * @throws Error with the reason if it cannot start, or a process that never worked keeps failing; all parts are stopped.
 */
export async function runFabula(options: CliRunOptions): Promise<void> {
  const plan = await planStart(options.env);
  const { dataDir } = plan.config;
  const unlock = await lock(dataDir);
  try {
    await requireFreePorts(plan.config);
    const stores = await startEmbeddedStores({
      dataDir,
      needDatabase: plan.needDatabase,
      needRedis: plan.needRedis,
      log: options.say,
      confirmInstall: options.confirmInstall,
      env: plan.env,
      ...(options.serversDir !== undefined && { serversDir: options.serversDir }),
    });
    try {
      await runOnStores(options, plan, stores);
    } finally {
      await stopStores(options, stores);
    }
  } finally {
    unlock();
  }
}

async function lock(dataDir: string): Promise<() => void> {
  try {
    return await takeRunLock(path.join(dataDir, 'run', 'start.lock'));
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error;
    const hint = 'stop it first, or use another DATA_DIR and PORT';
    throw new Error(`${error.message}; ${hint}.`, { cause: error });
  }
}

async function requireFreePorts({ host, port, adminHost, adminPort }: Config): Promise<void> {
  await requireFreePort(port, host, ['HOST', 'PORT']);
  if (adminPort !== undefined) await requireFreePort(adminPort, adminHost, ['ADMIN_HOST', 'ADMIN_PORT']);
}

async function runOnStores(options: CliRunOptions, plan: StartPlan, stores: EmbeddedStores): Promise<void> {
  const { say, stop } = options;
  const ending = endOf(stop);
  const revivals = watchStores(options, stores, ending.giveUp);
  let forget: (() => void) | undefined;
  try {
    stop.asked.throwIfAborted();
    const env = completeEnvironment(plan, stores);
    const config = readConfig(env);
    forget = await recordStart(config, plan.env);
    const migrating = step(say, 'Migrating the database', () => migrate(options, env));
    await Promise.all([migrating, options.parts.loadSeed?.()]);
    stop.asked.throwIfAborted();
    const isFirst = readCredentials(config.dataDir)?.api_key === undefined;
    const seeded = await options.parts.seed(config);
    writeCredentials(config.dataDir, seeded);
    stop.asked.throwIfAborted();
    const screen = startScreen(config, seeded, { secrets: isFirst || options.show === true });
    await runChildren({ options, env, config, screen, ending });
  } finally {
    forget?.();
    for (const revival of revivals) revival.cancel();
  }
}

/** `ended` resolves with undefined after a stop request, or with the reason after `giveUp`. */
function endOf(stop: StopRequest) {
  let settle: ((reason: string | undefined) => void) | undefined;
  const ended = new Promise<string | undefined>((resolve) => {
    settle = resolve;
    stop.asked.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return { ended, giveUp: (reason: string): void => settle?.(reason) };
}

/** A store is watched only after its first successful start. */
const hasWorked = () => true;

function watchStores(
  { say, backoff = STORE_BACKOFF }: CliRunOptions,
  stores: EmbeddedStores,
  giveUp: (reason: string) => void,
) {
  return [stores.mysql, stores.redis]
    .filter((store) => store !== undefined)
    .map((store) => {
      const { name } = store;
      const revival = createStartRevival({
        name,
        hasWorked,
        start: () => stores.revive(name),
        say,
        giveUp,
        backoff,
      });
      store.onExit(({ code, signal }) => revival.died(`ended with ${signal ?? `code ${code}`}`));
      return revival;
    });
}

async function migrate({ parts }: CliRunOptions, env: NodeJS.ProcessEnv): Promise<void> {
  await runTool(parts.migrate.command, parts.migrate.args, { timeoutMs: MIGRATE_LIMIT_MS, env });
}

interface ChildrenContext {
  options: CliRunOptions;
  env: NodeJS.ProcessEnv;
  config: Config;
  screen: string;
  ending: ReturnType<typeof endOf>;
}

async function runChildren({ options, env, config, screen, ending }: ChildrenContext): Promise<void> {
  const { say, stop, parts, follow, backoff = follow && PATIENT_BACKOFF } = options;
  const logFolder = path.join(config.dataDir, 'logs');
  const childEnv = { ...env, SHUTDOWN_SECONDS: String(CHILDREN_SHUTDOWN_SECONDS) };
  let isReady = false;
  const children = superviseChildren({
    children: [
      { name: 'web', ...parts.web, env: childEnv, hasWorked: () => isReady },
      { name: 'worker', ...parts.worker, env: childEnv },
    ],
    logFolder,
    say,
    giveUp: (reason) => ending.giveUp(`${reason}; see ${logFolder}`),
    ...(backoff !== undefined && { backoff }),
    stacks: follow !== undefined,
  });
  const passOn = () => children.signal('SIGUSR2');
  process.on('SIGUSR2', passOn);
  const waiting = new AbortController();
  const { host, port } = config;
  const limitMs = follow === undefined ? READY_LIMIT_MS : Infinity;
  const ready = step(say, 'Starting web and workers', () =>
    waitUntilReady({ host, port, limitMs, signal: waiting.signal }),
  );
  const unfollow =
    follow &&
    restartOnChange({
      follow,
      migrate: () => step(say, 'Migrating the database', () => migrate(options, env)),
      restart: () => children.restart(CHILDREN_LIMIT_MS),
      untilLive: (signal) => waitUntilReady({ host, port, path: '/healthz', limitMs, signal }),
      say,
    });
  try {
    const early = await Promise.race([
      ready.then(() => 'ready' as const),
      ending.ended.then((why) => ({ why })),
    ]);
    if (early === 'ready') {
      isReady = true;
      say(screen);
    }
    const reason = await ending.ended;
    if (reason !== undefined) throw new Error(reason);
  } finally {
    unfollow?.();
    process.off('SIGUSR2', passOn);
    waiting.abort();
    say('Stopping web and workers …');
    stop.hurried.addEventListener('abort', () => children.signal('SIGKILL'), { once: true });
    await children.stop(stop.hurried.aborted ? HURRY_LIMIT_MS : CHILDREN_LIMIT_MS);
  }
}

async function stopStores({ say, stop }: CliRunOptions, stores: EmbeddedStores): Promise<void> {
  if (stores.mysql ?? stores.redis) say('Stopping the stores …');
  await stores.stop(stop.hurried.aborted ? HURRY_LIMIT_MS : STORES_LIMIT_MS);
  say('Stopped.');
}

async function step(say: (line: string) => void, what: string, work: () => Promise<void>): Promise<void> {
  const began = Date.now();
  say(`${what} …`);
  await work();
  say(`${what}: done in ${((Date.now() - began) / 1000).toFixed(1)} s`);
}
