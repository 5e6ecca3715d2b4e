import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import type { JsonObject } from '../../src/platform/json.js';
import { storyOf } from '../support/stories.js';
import { startBenchProcess } from './bench-process.js';

/** The rate is that of the middle: calls begin one by one, and end so. */
const MIDDLE = { from: 0.2, to: 0.8 };

/** Calls of HTTP actions since the last question. */
export interface TargetStats {
  callsPerSecond: number;
  mostInFlight: number;
}

/** A server, in a process of its own, that answers after `delayMs`, for as long as `work` lasts. */
export async function withTarget<T>(
  folder: string,
  delayMs: number,
  work: (target: { url: string; stats(): Promise<TargetStats> }) => Promise<T>,
): Promise<T> {
  const logs = await mkdtemp(path.join(folder, 'data-'));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const target = await startBenchProcess({
    args: [path.join(folder, 'test/bench/load/target.js'), String(delayMs)],
    env: { PORT: String(port) },
    logFile: path.join(logs, 'target.log'),
    ready: 'target is ready',
  });
  try {
    return await work({ url, stats: async () => statsOf(await (await fetch(`${url}/stats`)).json()) });
  } finally {
    await target.stop('SIGKILL');
    await rm(logs, { recursive: true, force: true });
  }
}

/** Webhook → HTTP action against the target. */
export function callingStory(targetUrl: string): { story: JsonObject; exit: string } {
  const story = storyOf(
    {
      Receive: ['Webhook', { path: 'calls', secret: 's3cret', verbs: 'post', include_headers: false }],
      Call: ['HTTPRequest', { url: `${targetUrl}/call`, method: 'post', payload: { host: '=receive.host' } }],
    },
    ['Receive > Call'],
  );
  return { story, exit: 'Call' };
}

function statsOf(response: unknown): TargetStats {
  const { calledAtMs, mostInFlight } = response as { calledAtMs: number[]; mostInFlight: number };
  const [first, last] = [MIDDLE.from, MIDDLE.to].map((share) => Math.floor(share * (calledAtMs.length - 1)));
  const ms = (calledAtMs[last ?? 0] ?? 0) - (calledAtMs[first ?? 0] ?? 0);
  return { callsPerSecond: (((last ?? 0) - (first ?? 0)) * 1000) / ms, mostInFlight };
}
