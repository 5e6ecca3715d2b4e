import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { JobTaken } from '../src/engine/execute/run-delivery.js';
import type { DeliveryJob } from '../src/engine/state/delivery-job.js';
import type { LoneOrder, LoneReport } from './isolated-messages.js';

/** What one that was told to stop may take to say what its job came to. */
const STOP_LIMIT_MS = 15_000;
const READY_LIMIT_MS = 60_000;
/** What one that is let go may take to end. */
const END_LIMIT_MS = 6_000;
const FILE = path.join(__dirname, `isolated-process${path.extname(__filename)}`);

/** What the job came to; `died`: the process ended before it could say. */
export type LoneEnd = Exclude<LoneReport, { kind: 'ready' }> | { kind: 'died'; how: string };

/** The process that runs jobs alone, as the worker that started it sees it. */
export interface LoneChild {
  /** Runs one job; one at a time. Told to stop by `signal`, and ended by force when it does not. */
  run(job: DeliveryJob, signal: AbortSignal): Promise<LoneEnd>;
  isAlive(): boolean;
  /** Lets it go, and waits for its end. */
  close(): Promise<void>;
}

/** Starts it, with the options and the environment of this process. @throws when it ends before it is ready. */
export async function startLoneChild(file: string = FILE): Promise<LoneChild> {
  const child = fork(file);
  const ended = new Promise<LoneEnd>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve({ kind: 'died', how: signal ?? `exit code ${code ?? 'none'}` }),
    );
    child.once('error', (error) => resolve({ kind: 'died', how: error.message }));
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null && child.connected;
  const first = Promise.race([nextReport(child), ended]);
  void killedAfter(child, READY_LIMIT_MS, first);
  const ready = await first;
  if (ready.kind === 'died') throw new Error(`The process that runs jobs alone did not start (${ready.how})`);
  return {
    isAlive,
    async run(job, signal) {
      const report = nextReport(child);
      tell(child, { kind: 'run', job });
      const stop = () => {
        tell(child, { kind: 'stop', reason: signal.reason instanceof JobTaken ? 'taken' : 'late' });
        void killedAfter(child, STOP_LIMIT_MS, Promise.race([report, ended]));
      };
      signal.addEventListener('abort', stop, { once: true });
      // Said while the process was starting: a signal that has ended tells nobody again.
      if (signal.aborted) stop();
      try {
        return (await Promise.race([report, ended])) as LoneEnd;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    async close() {
      if (child.connected) child.disconnect();
      await killedAfter(child, END_LIMIT_MS, ended);
    },
  };
}

/** Ends it by force when it has not ended by itself in time. */
async function killedAfter(child: ChildProcess, limitMs: number, over: Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  await over;
  clearTimeout(timer);
}

function nextReport(child: ChildProcess): Promise<LoneReport> {
  return new Promise((resolve) => child.once('message', (report) => resolve(report as LoneReport)));
}

/** One that has just died is heard of by its end. */
function tell(child: ChildProcess, order: LoneOrder): void {
  if (child.connected) child.send(order, () => undefined);
}
