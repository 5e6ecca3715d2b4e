import type { LiveProcesses, PausedQueue, SilentProcess } from '../../../engine/face.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { type Reason, reasonIf, type ReasonKind } from './reason.js';

const NO_WORKER: ReasonKind = {
  id: 'work.no-worker',
  severity: 'error',
  why: 'Jobs in a queue without workers wait indefinitely.',
  remedy: 'Start the "worker" process, or the process named after the queue (see the Procfile).',
};
const WAITING: ReasonKind = {
  id: 'work.waiting',
  severity: 'warning',
  why: 'Jobs wait too long: there are too few workers, or they are slow or stuck.',
  remedy: 'Start more processes for this queue, and check the queue board for their current jobs.',
};
const PAUSED: ReasonKind = {
  id: 'work.paused',
  severity: 'warning',
  why: 'Workers take no jobs from a queue that is paused on the queue board.',
  remedy: 'Resume the queue on the queue board once the reason for the pause is resolved.',
};
const SILENT: ReasonKind = {
  id: 'work.silent-process',
  severity: 'error',
  why: 'The process is connected but unresponsive: it is suspended, or its machine is overloaded. Other processes have taken over its jobs.',
  remedy: 'Check the process on its machine. If it does not recover, kill and restart it.',
};
const RELAY: ReasonKind = {
  id: 'work.relay-lag',
  severity: 'error',
  why: 'No maintenance process is working, so retries, delayed and lost jobs are not picked up.',
  remedy: 'Start the "maintenance" process (or "worker"), and check its log.',
};
const SCHEDULES: ReasonKind = {
  id: 'work.schedule-lag',
  severity: 'error',
  why: 'No maintenance process is working, so schedules do not start their actions.',
  remedy: 'Start the "maintenance" process (or "worker"), and check its log.',
};
const VERSIONS: ReasonKind = {
  id: 'work.versions',
  severity: 'warning',
  why: 'Several versions should only run together during a rollout.',
  remedy: 'Finish the rollout: restart the processes of the older version.',
};
const QUEUE_PARTS: ReasonKind = {
  id: 'work.queue-parts',
  severity: 'warning',
  why: 'While the values differ, workers exceed their concurrency limit, and a flushed Redis may cause duplicate requests.',
  remedy: 'Set the same QUEUE_PARTS for all processes, and restart the workers first.',
};

export const QUEUE_KINDS: readonly ReasonKind[] = [NO_WORKER, WAITING, PAUSED];
export const LAG_KINDS: readonly ReasonKind[] = [RELAY, SCHEDULES];
export const PROCESS_KINDS: readonly ReasonKind[] = [SILENT, VERSIONS, QUEUE_PARTS];

const LONG_MS = 60_000;
const LONG_SECONDS = LONG_MS / 1000;

/** The jobs and workers of one queue, as far as reasons need them. */
export interface QueueState {
  queue: string;
  waiting: number;
  /** Time for which the oldest waiting job has waited, in ms; 0 if none waits. */
  oldestMs: number;
  /** Live workers of the part that has the fewest; null: not known. */
  workers: number | null;
  paused: PausedQueue | null;
}

/** Returns what keeps jobs waiting; a queue has one reason, the first that explains it. */
export function queueReasons(queues: readonly QueueState[]): Reason[] {
  const going = queues.filter(({ paused }) => paused === null);
  const unserved = going.filter(({ workers }) => workers === 0).map(inBrackets);
  return [
    ...queues.flatMap((queue) =>
      queue.paused === null ? [] : reasonIf(true, PAUSED, pauseOf(queue, queue.paused), queue.paused.since),
    ),
    ...reasonIf(unserved.length > 0, NO_WORKER, `No worker serves ${unserved.join(', ')}.`),
    ...going
      .filter(({ workers, oldestMs }) => workers !== 0 && oldestMs > LONG_MS)
      .flatMap((queue) =>
        reasonIf(true, WAITING, `${queue.queue}: ${waitOf(queue)}.`, ago(queue.oldestMs / 1000)),
      ),
  ];
}

function pauseOf(queue: QueueState, { since, by }: PausedQueue): string {
  const facts = [
    since === null ? 'at an unknown time' : `since ${timestamp(since)}`,
    ...(by === null ? [] : [`by ${by}`]),
  ];
  return `${queue.queue} is paused, ${facts.join(', ')}: ${waitOf(queue)}.`;
}

function waitOf({ waiting, oldestMs }: QueueState): string {
  if (waiting === 0) return 'no jobs are waiting';
  const count = waiting === 1 ? '1 job is waiting' : `${waiting} jobs are waiting`;
  return `${count}, the oldest for ${Math.round(oldestMs / 1000)} s`;
}

function inBrackets({ queue, waiting }: QueueState): string {
  return waiting === 0 ? queue : `${queue} (${waiting} wait)`;
}

const ago = (seconds: number | null) => (seconds === null ? null : new Date(Date.now() - seconds * 1000));
const late = (seconds: number | null) => (seconds ?? 0) > LONG_SECONDS;

/** Returns what is due and not taken up; null: it could not be read. */
export function lagReasons(relaySeconds: number | null, scheduleSeconds: number | null): Reason[] {
  return [
    ...reasonIf(
      late(relaySeconds),
      RELAY,
      `The oldest due delivery has waited for ${relaySeconds?.toFixed()} s.`,
      ago(relaySeconds),
    ),
    ...reasonIf(
      late(scheduleSeconds),
      SCHEDULES,
      `The oldest due schedule has waited for ${scheduleSeconds?.toFixed()} s.`,
      ago(scheduleSeconds),
    ),
  ];
}

/** Returns which processes give no sign, and how the others differ from each other and from `program`, the version of this one. */
export function processReasons({ versions, parts, silent }: LiveProcesses, program: string): Reason[] {
  const others = [...versions.keys()].some((version) => version !== program);
  const told = [...versions].map(([version, count]) => `${count} of ${version}`);
  const settings = [...parts].map(([each, count]) => `${count} with ${each === '' ? 'one part each' : each}`);
  return [
    ...silent.flatMap((process) => reasonIf(true, SILENT, silenceOf(process), ago(process.silentSeconds))),
    ...reasonIf(others, VERSIONS, `Running processes: ${told.join(', ')}; this program is ${program}.`),
    ...reasonIf(
      parts.size > 1,
      QUEUE_PARTS,
      `Processes use different values of QUEUE_PARTS: ${settings.join('; ')}.`,
    ),
  ];
}

function silenceOf({ role, host, pid, jobs, silentSeconds }: SilentProcess): string {
  const held = jobs === 0 ? '' : ` It was running ${jobs === 1 ? '1 job' : `${jobs} jobs`}.`;
  return `The process "${role}" (${host}, pid ${pid}) has not responded for ${silentSeconds} s.${held}`;
}
