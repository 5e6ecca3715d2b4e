import path from 'node:path';
import { eventually } from '../support/eventually.js';
import { type FabulaProcess, startProcess } from '../support/processes.js';

/** Each kind of process, as the Procfile names them, and its file in a build. */
const FILES = {
  web: 'web.js',
  'story-runs': 'workers/story-runs.js',
  trigger: 'workers/trigger.js',
  'event-transformation': 'workers/event-transformation.js',
  'http-request': 'workers/http-request.js',
  email: 'workers/email.js',
  'send-to-story': 'workers/send-to-story.js',
  'webhook-events': 'workers/webhook-events.js',
  maintenance: 'workers/maintenance.js',
} as const;
/** All workers in one process, for small machines. */
const ALL_WORKERS = { name: 'all', file: 'workers/all.js' } as const;

export type ProcessName = keyof typeof FILES;
export const PROCESS_NAMES = Object.keys(FILES) as ProcessName[];

type RunningName = ProcessName | typeof ALL_WORKERS.name;

const START_LIMIT_MS = 180_000;
/** A supervisor's pause before it starts anew what has died. */
const RESTART_PAUSE_MS = 200;

export interface GroupOptions {
  /** The folder of a build. */
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Variables of the web process alone, besides `env`. */
  webEnv?: NodeJS.ProcessEnv;
  /** Modules that a process loads before its own, by its name. */
  preloads: Partial<Record<ProcessName, string>>;
  /** All workers are one process: who asks for one of them gets that. */
  together: boolean;
}

/** Nothing runs until `start`. */
export function createProcessGroup({ folder, env, webEnv, preloads, together }: GroupOptions) {
  const running = new Map<RunningName, FabulaProcess>();
  /** Folders of the processes that run another build. */
  const folders = new Map<RunningName, string>();
  const nameOf = (name: ProcessName): RunningName => (together && name !== 'web' ? ALL_WORKERS.name : name);
  const names = [...new Set(PROCESS_NAMES.map(nameOf))];
  /** Output of each at its end; the newest last. */
  const lastWords: string[] = [];
  let closing = false;
  let ends = 0;

  const launch = (name: RunningName): FabulaProcess => {
    const preload = name === 'all' ? undefined : preloads[name];
    const file = name === 'all' ? ALL_WORKERS.file : FILES[name];
    const options = preload === undefined ? [] : ['--import', path.join(__dirname, 'preload', preload)];
    const ownEnv = name === 'web' ? { ...env, ...webEnv } : env;
    const child = startProcess(path.join(folders.get(name) ?? folder, file), ownEnv, options);
    running.set(name, child);
    void child.ended.then(() => supervise(name, child));
    return child;
  };

  const supervise = (name: RunningName, child: FabulaProcess): void => {
    if (running.get(name) === child) running.delete(name);
    if (closing) return;
    ends += 1;
    const words = child.output().slice(-1_000);
    if (words !== '') lastWords.push(`${name}: ${words}`);
    setTimeout(() => {
      if (!closing) launch(name);
    }, RESTART_PAUSE_MS);
  };

  const ready = async (name: RunningName): Promise<void> => {
    const child = await eventually(() => running.get(name), START_LIMIT_MS);
    await child.said(name === 'web' ? 'web is listening' : 'worker is running', START_LIMIT_MS);
  };

  const get = (name: ProcessName): FabulaProcess => {
    const found = running.get(nameOf(name));
    if (found === undefined) throw new Error(`${name} does not run`);
    return found;
  };

  return {
    async start(): Promise<void> {
      // Three at a time: all at once would take longer on a small machine.
      for (let at = 0; at < names.length; at += 3) {
        const next = names.slice(at, at + 3);
        for (const name of next) launch(name);
        await Promise.all(next.map(ready));
      }
    },
    pid: (name: ProcessName) => get(name).pid,
    /** `kill -9`; the supervisor starts another one. */
    kill: async (name: ProcessName): Promise<void> => {
      await running.get(nameOf(name))?.stop('SIGKILL');
    },
    /**
     * SIGTERM, as a deployment does it; the supervisor starts another one, from now on of the build in `nextFolder`. Gives
     * the exit code, and how long it took.
     */
    async stop(name: ProcessName, nextFolder?: string): Promise<{ exitCode: number | null; ms: number }> {
      const began = Date.now();
      if (nextFolder !== undefined) folders.set(nameOf(name), nextFolder);
      const exitCode = await get(name).stop('SIGTERM');
      return { exitCode, ms: Date.now() - began };
    },
    /** Resolves when a process of this name runs and says that it works. */
    ready: (name: ProcessName) => ready(nameOf(name)),
    signal: (name: ProcessName, signal: NodeJS.Signals) => process.kill(get(name).pid, signal),
    /** Output of the running one; empty when none runs. */
    outputOf: (name: ProcessName) => running.get(nameOf(name))?.output() ?? '',
    /** How many have ended so far, killed or by themselves. */
    ends: () => ends,
    lastWords: () => lastWords,
    /** All that each process has said, by its name; without what those said that have ended. */
    outputs: () => [...running].map(([name, child]): [string, string] => [name, child.output()]),
    async close(): Promise<void> {
      closing = true;
      await Promise.all([...running.values()].map((child) => child.stop('SIGKILL')));
    },
  };
}
