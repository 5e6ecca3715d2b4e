import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 100;
const ANSWER_LIMIT_MS = 3_000;

export interface ReadyOptions {
  host: string;
  port: number;
  limitMs: number;
  signal: AbortSignal;
}

/**
 * Waits until `GET /readyz` responds with 200.
 * @throws Error with the last response after `limitMs`; the reason of `signal` if that is aborted earlier.
 */
export async function waitUntilReady({ host, port, limitMs, signal }: ReadyOptions): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    const answer = await ask(reachable(host), port);
    if (answer === 'status 200') return;
    if (Date.now() > deadline)
      throw new Error(`GET /readyz was not 200 within ${limitMs / 1000} s (last: ${answer})`);
    await pause(POLL_MS);
  }
}

/** Returns the address of a server that listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function ask(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const request = http.get(
      { host, port, path: '/readyz', agent: false, timeout: ANSWER_LIMIT_MS },
      (response) => {
        response.resume();
        resolve(`status ${response.statusCode}`);
      },
    );
    request.on('timeout', () => request.destroy(new Error('no response in time')));
    request.on('error', (error) => resolve(error.message));
  });
}
