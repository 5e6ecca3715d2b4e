import { Worker } from 'node:worker_threads';

const BEAT_MS = 500;

/** Runs in a thread of its own, so that a blocked event loop of the process does not block it. */
const WATCHDOG = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const beats = new Int32Array(workerData.beats);
let last = -1;
let silent = 0;
setInterval(() => {
  const now = Atomics.load(beats, 0);
  silent = now === last ? silent + 1 : 0;
  last = now;
  if (silent < workerData.maxSilent) return;
  try {
    writeSync(1, JSON.stringify({ timestamp: new Date().toISOString(), ...workerData.line }) + '\\n');
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}, workerData.beatMs);
`;

/**
 * Kills the process if its event loop is blocked for `limitMs`. Its own timers cannot end it then, its jobs have moved to
 * other workers, and its supervisor starts a new process. The thread counts beats instead of time, so that a process that
 * was suspended as a whole is not killed.
 */
export function watchLoop({ limitMs, role }: { limitMs: number; role: string }): void {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const beats = new Int32Array(shared);
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  const line = { level: 'error', role, message: 'the event loop is blocked: exiting', limitMs };
  const watchdog = new Worker(WATCHDOG, {
    eval: true,
    // The thread needs none of the process's arguments, least of all its loaders.
    execArgv: [],
    env: {},
    workerData: { beats: shared, beatMs: BEAT_MS, maxSilent: Math.ceil(limitMs / BEAT_MS), line },
  });
  watchdog.unref();
}
