import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { type DeliveryJob, JobTaken } from '../../engine/face.js';
import type { IsolatedOrder, IsolatedReport } from './isolated-messages.js';

/** Time for a stopped child to report the outcome of its job. */
const STOP_LIMIT_MS = 15_000;
const READY_LIMIT_MS = 60_000;
/** Time for a child to end after it was disconnected. */
const END_LIMIT_MS = 6_000;
/** In the build it stands beside the bundles. */
const FILE = path.join(__dirname, `isolated-job-process${path.extname(__filename)}`);

/** The outcome of a job; `died`: the process ended before it reported one. */
export type IsolatedEnd = Exclude<IsolatedReport, { kind: 'ready' }> | { kind: 'died'; how: string };

/** The process that runs isolated jobs, as its worker sees it. */
export interface IsolatedChild {
  /** Runs one job at a time. When `signal` aborts, the child is told to stop; if it does not, it is killed. */
  run(job: DeliveryJob, signal: AbortSignal): Promise<IsolatedEnd>;
  isAlive(): boolean;
  /** Disconnects the child and waits for its end. */
  close(): Promise<void>;
}

/** Starts the child with the options and the environment of this process. @throws when it ends before it is ready. */
export async function startIsolatedChild(file: string = FILE): Promise<IsolatedChild> {
  const child = fork(file);
  const ended = new Promise<IsolatedEnd>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve({ kind: 'died', how: signal ?? `exit code ${code ?? 'none'}` }),
    );
    child.once('error', (error) => resolve({ kind: 'died', how: error.message }));
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null && child.connected;
  const first = Promise.race([nextReport(child), ended]);
  void killedAfter(child, READY_LIMIT_MS, first);
  const ready = await first;
  if (ready.kind === 'died') throw new Error(`The isolated job process did not start (${ready.how})`);
  passOnDebug(child);
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
      // The signal may have aborted while the child was starting: then there is no further event.
      if (signal.aborted) stop();
      try {
        return (await Promise.race([report, ended])) as IsolatedEnd;
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

/** Hands SIGUSR2 on, so that the child logs as much as its worker. Not before it is ready: the signal would end it. */
function passOnDebug(child: ChildProcess): void {
  const passOn = () => child.kill('SIGUSR2');
  process.on('SIGUSR2', passOn);
  child.once('exit', () => process.off('SIGUSR2', passOn));
}

/** Kills the child if `over` does not settle within the limit. */
async function killedAfter(child: ChildProcess, limitMs: number, over: Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  await over;
  clearTimeout(timer);
}

function nextReport(child: ChildProcess): Promise<IsolatedReport> {
  return new Promise((resolve) => child.once('message', (report) => resolve(report as IsolatedReport)));
}

/** Errors are ignored: the end of a child that has just died is reported by `ended`. */
function tell(child: ChildProcess, order: IsolatedOrder): void {
  if (child.connected) child.send(order, () => undefined);
}
