import type { LiveProcesses, PausedQueue, SilentProcess } from '../../../engine/face.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { type Reason, reasonIf, type ReasonKind } from './reason.js';

const NO_WORKER: ReasonKind = {
  id: 'work.no-worker',
  severity: 'error',
  why: 'Jobs of a queue without a worker wait for ever.',
  remedy: 'Start the "worker" process, or the process that is named like the queue (see the Procfile).',
};
const WAITING: ReasonKind = {
  id: 'work.waiting',
  severity: 'warning',
  why: 'Jobs wait longer than they should: the workers are too few, too slow, or stuck.',
  remedy: 'Start more processes of this queue; see the queue board for what they work on.',
};
const PAUSED: ReasonKind = {
  id: 'work.paused',
  severity: 'warning',
  why: 'Workers take no jobs of a queue that was paused on the board.',
  remedy: 'Resume the queue on the board when the reason for the pause is over.',
};
const SILENT: ReasonKind = {
  id: 'work.silent-process',
  severity: 'error',
  why: 'The process is connected but gives no sign: it was suspended, or its machine is overloaded. Others have taken its jobs.',
  remedy: 'Look at the process on its machine; if it does not go on, kill it, and start another.',
};
const RELAY: ReasonKind = {
  id: 'work.relay-lag',
  severity: 'error',
  why: 'Retries, delays and lost jobs are not taken up: no maintenance process works.',
  remedy: 'Start the "maintenance" process (or "worker"), and see its log.',
};
const SCHEDULES: ReasonKind = {
  id: 'work.schedule-lag',
  severity: 'error',
  why: 'Schedules do not start their actions: no maintenance process works.',
  remedy: 'Start the "maintenance" process (or "worker"), and see its log.',
};
const VERSIONS: ReasonKind = {
  id: 'work.versions',
  severity: 'warning',
  why: 'Processes of several versions are meant to run together during a roll-out only.',
  remedy: 'Finish the roll-out: restart the processes of the older version.',
};
const QUEUE_PARTS: ReasonKind = {
  id: 'work.queue-parts',
  severity: 'warning',
  why: 'While numbers differ, workers run more jobs at once than they should, and an emptied Redis may have a request sent twice.',
  remedy: 'Give all processes the same QUEUE_PARTS, and restart the workers first.',
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
    ...reasonIf(unserved.length > 0, NO_WORKER, `No worker takes jobs of ${unserved.join(', ')}.`),
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
  if (waiting === 0) return 'no job waits';
  const count = waiting === 1 ? '1 job waits' : `${waiting} jobs wait`;
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
    ...reasonIf(others, VERSIONS, `Processes that run: ${told.join(', ')}; this program is ${program}.`),
    ...reasonIf(parts.size > 1, QUEUE_PARTS, `Processes differ in QUEUE_PARTS: ${settings.join('; ')}.`),
  ];
}

function silenceOf({ role, host, pid, jobs, silentSeconds }: SilentProcess): string {
  const held = jobs === 0 ? '' : ` It had ${jobs === 1 ? '1 job' : `${jobs} jobs`} in hand.`;
  return `The process "${role}" (${host}, pid ${pid}) has given no sign for ${silentSeconds} s.${held}`;
}
