import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { LoadOptions, LoadResult } from './load/load-options.js';
import type { Subject } from './measure.js';

const LIMIT_MS = 15 * 60_000;

/** Calls a webhook as fast as it answers, from a process of its own. @throws as `callRoute`. */
export function callWebhook(
  folder: string,
  { status = 201, ...options }: LoadOptions & { status?: number },
): Promise<LoadResult> {
  return callRoute(folder, { status, ...options });
}

/**
 * The same for any route.
 * @throws when a response is not of `status`, or a connection breaks.
 */
export async function callRoute(
  folder: string,
  { status, ...options }: LoadOptions & { status: number },
): Promise<LoadResult> {
  const child = fork(path.join(folder, 'test/bench/load/generator.js'), [JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  try {
    await messageFrom(child);
    child.send('go');
    const result = (await messageFrom(child)) as LoadResult;
    if (result.statuses[status] !== options.calls) {
      const seen = `${JSON.stringify(result.statuses)} ${result.refusal ?? ''}`;
      throw new Error(`Not all answers were ${status}: ${seen}`);
    }
    return result;
  } finally {
    child.kill('SIGKILL');
  }
}

/** One call, from this process. */
export async function callOnce({ webhookUrl }: Pick<Subject, 'webhookUrl'>, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(webhookUrl, { method: 'POST', headers, body });
  await response.body?.cancel();
  if (response.status !== 201) throw new Error(`The webhook responded with ${response.status}`);
}

/** Returns the next message of a process of the bench. @throws when it ends instead. */
export async function messageFrom(child: ChildProcess): Promise<unknown> {
  const heard = new AbortController();
  const { signal } = heard;
  const gone = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`A process of the bench ended before its time (${code})`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), gone])) as unknown[];
    return message;
  } finally {
    heard.abort();
  }
}
