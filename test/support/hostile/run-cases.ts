import { setTimeout as later } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { FAMILIES } from '../hostile-templates.js';
import { realCpuMs, withFastClocks } from './fast-clock.js';
import type { HostileCase } from './hostile-case.js';
import type { FromChild } from './hostile-runner.js';

/**
 * The process that hostile cases run in: `run-cases.ts family first`. It tells its parent of each case as it starts
 * and ends, so that the parent knows which one hangs, or ends the process.
 */
const RESOLUTION_MS = 2;
/** The message of a case that a limit of time has to end. */
const BY_THE_CLOCK = /takes longer|took longer|took too long|longer than \d+ ms/;
const [, , name = '', first = '0'] = process.argv;

/** Given by --expose-gc. */
const collectGarbage = (globalThis as { gc?: () => void }).gc;

void main();

async function main(): Promise<void> {
  const family = FAMILIES.find((one) => one.name === name);
  if (family === undefined || collectGarbage === undefined) throw new Error('started in a wrong way');
  tell({ kind: 'ready', heapBytes: heapBytes() });
  for (const hostile of family.cases.slice(Number(first))) {
    tell({ kind: 'start', name: hostile.name });
    tell({ kind: 'end', ...(await outcomeOf(hostile)) });
  }
  tell({ kind: 'done', heapBytes: heapBytes(), polluted: 'polluted' in {} });
}

async function outcomeOf(hostile: HostileCase) {
  const prepared = hostile.prepare();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const before = realCpuMs();
  const came = endsByTheClock(hostile)
    ? await withFastClocks(() => cameOf(hostile, prepared))
    : await cameOf(hostile, prepared);
  const ms = realCpuMs() - before;
  // The delay is noticed when its timer gets its turn.
  await later(2 * RESOLUTION_MS);
  delay.disable();
  // The rest of the time it waited for others.
  return { name: hostile.name, ms, blockedMs: Math.min(delay.max / 1e6, ms), ...came };
}

function endsByTheClock({ expected }: HostileCase): boolean {
  return 'stops' in expected && BY_THE_CLOCK.test(expected.stops.source);
}

async function cameOf(hostile: HostileCase, prepared: unknown) {
  try {
    const result = await hostile.run(prepared as never);
    return { result: JSON.stringify(result ?? null) };
  } catch (error) {
    const { name: errorName, message } = error as Error;
    return { error: { name: errorName, message } };
  }
}

function heapBytes(): number {
  collectGarbage?.();
  return process.memoryUsage().heapUsed;
}

function tell(message: FromChild): void {
  process.send?.(message);
}
