import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 100;
const ANSWER_LIMIT_MS = 3_000;

export interface ReadyOptions {
  host: string;
  port: number;
  /** `/readyz` by default; `/healthz`: the process answers, and may still be loading. */
  path?: '/readyz' | '/healthz';
  limitMs: number;
  signal: AbortSignal;
}

/**
 * Waits until `GET` of the path responds with 200.
 * @throws Error with the last response after `limitMs`; the reason of `signal` if that is aborted earlier.
 */
export async function waitUntilReady(options: ReadyOptions): Promise<void> {
  const { host, port, path = '/readyz', limitMs, signal } = options;
  const deadline = Date.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    const response = await ask({ host: reachable(host), port, path });
    if (response === 'status 200') return;
    if (Date.now() > deadline)
      throw new Error(`GET ${path} did not return 200 within ${limitMs / 1000} s (last: ${response})`);
    await pause(POLL_MS);
  }
}

/** Returns the address of a server that listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function ask(address: { host: string; port: number; path: string }): Promise<string> {
  return new Promise((resolve) => {
    const request = http.get({ ...address, agent: false, timeout: ANSWER_LIMIT_MS }, (response) => {
      response.resume();
      resolve(`status ${response.statusCode}`);
    });
    request.on('timeout', () => request.destroy(new Error('no response in time')));
    request.on('error', (error) => resolve(error.message));
  });
}
