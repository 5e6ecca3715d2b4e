import { isLargeResponse, responseEvent } from '../../agents/face.js';
import { createRedactor, type OpenedSecrets } from '../../engine/face.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { JsonObject } from '../../platform/json.js';
import type { HttpResponse } from '../../platform/outbound/http-exchange.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';

/** Far beyond what the largest response needs. */
const READ_MS = 30_000;

export type TrialScrubber = ReturnType<typeof createTrialScrubber>;

/** Removes the secrets that a trial has sent from what comes back, also later, and from other servers. */
export function createTrialScrubber(threads: Pick<ThreadPool, 'run'>, tenantId: number) {
  const redactor = createRedactor();
  const known = new Map<string, string>();

  const eventOf = async (answer: HttpResponse, signal: AbortSignal): Promise<string> => {
    if (!isLargeResponse(answer)) return stringifyJson(redactor.value(responseEvent(answer)));
    const { status, headers, body } = answer;
    const secrets = [...known].map(([text, credential]): [string, string] => [credential, text]);
    const options = { tenantId, deadlineMs: READ_MS, bytes: 2 * body.length, signal };
    const { text } = await threads.run('write-response', { status, headers, body, secrets }, options);
    return text;
  };

  return {
    /** Takes over what these secrets have become so far. */
    learn(secrets: Pick<OpenedSecrets, 'texts'>): void {
      for (const [credential, text] of secrets.texts()) {
        if (known.has(text)) continue;
        known.set(text, credential);
        redactor.add(credential, text);
      }
    },
    /** Returns the event of a response as JSON, and its headers. @throws TaskTooLong, TaskTooLarge, ThreadsBusy. */
    async response(answer: HttpResponse, signal: AbortSignal) {
      const headers = redactor.value(answer.headers);
      return { event: await eventOf(answer, signal), headers };
    },
    text: (text: string): string => redactor.text(text),
    value: (value: JsonObject): JsonObject => (known.size === 0 ? value : redactor.value(value)),
  };
}
