import { fork } from 'node:child_process';
import path from 'node:path';
import type { HostileFamily } from './hostile-case.js';

/** The result of one case. */
export interface CaseResult {
  name: string;
  /** Processor time: a busy machine changes little of it. */
  ms: number;
  /** The longest time in which the event loop of its process did not turn; at most `ms`. */
  blockedMs: number;
  error?: { name: string; message: string };
  /** As JSON. */
  result?: string;
}

export type FromChild =
  | { kind: 'ready'; heapBytes: number }
  | { kind: 'start'; name: string }
  | ({ kind: 'end' } & CaseResult)
  | { kind: 'done'; heapBytes: number; polluted: boolean };

export interface FamilyResult {
  cases: Map<string, CaseResult>;
  /** How much the heap has grown from the first case to the last, garbage not counted. */
  grownBytes: number;
  /** Whether objects of the process have a property that no code of ours gave them. */
  polluted: boolean;
}

/** The heap that all cases have to do with, in MiB: that of a small server. */
const HEAP_MEGABYTES = 1_024;
/** Preparing a case is not bounded by the product. */
const PREPARING_MS = 20_000;

const CHECKOUT = path.resolve(__dirname, '../../..');

/** Runs all cases of a family, in a process that is ended where a case hangs; then the rest in another one. */
export async function runFamily(family: HostileFamily, patienceMs: number): Promise<FamilyResult> {
  const result: FamilyResult = { cases: new Map(), grownBytes: 0, polluted: false };
  while (result.cases.size < family.cases.length) await runRest(family, patienceMs, result);
  return result;
}

function runRest(family: HostileFamily, patienceMs: number, result: FamilyResult): Promise<void> {
  const child = fork(path.join(__dirname, 'run-cases.ts'), [family.name, String(result.cases.size)], {
    cwd: CHECKOUT,
    execArgv: ['--import', 'tsx', '--expose-gc', `--max-old-space-size=${HEAP_MEGABYTES}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let current = family.cases[result.cases.size]?.name ?? '';
  let complaint = '';
  let heapAtStart = 0;
  let timer: NodeJS.Timeout | undefined;
  const fail = (message: string) =>
    result.cases.set(current, { name: current, ms: 0, blockedMs: 0, error: { name: 'Failed', message } });
  const hears = (message: FromChild) => {
    clearTimeout(timer);
    if (message.kind === 'ready') heapAtStart = message.heapBytes;
    if (message.kind === 'start') {
      current = message.name;
      timer = setTimeout(() => child.kill('SIGKILL'), patienceMs + PREPARING_MS);
    }
    if (message.kind === 'end') result.cases.set(message.name, message);
    if (message.kind === 'done') {
      result.grownBytes += message.heapBytes - heapAtStart;
      result.polluted ||= message.polluted;
      child.disconnect();
    }
  };
  child.stderr?.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2_000)));
  child.on('message', hears);
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      if (signal !== null) fail(`it hung, or took more than ${HEAP_MEGABYTES} MiB (${signal}): ${complaint}`);
      else if (code !== 0) fail(`its process ended with ${code}: ${complaint}`);
      resolve();
    });
  });
}
