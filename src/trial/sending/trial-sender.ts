import { createSecretSigner } from '../../platform/secrets/secret-signer.js';
import {
  createRedactor,
  createRequestSender,
  type OpenedSecrets,
  type SecretVault,
} from '../../engine/face.js';
import { buildRequest, isLargeResponse, type RequestContext, responseEvent } from '../../agents/face.js';
import { AgentError, NeedsPerson, PermanentJobError } from '../../platform/errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { JsonObject } from '../../platform/json.js';
import type { HttpClient, HttpResponse } from '../../platform/outbound/http-exchange.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import type { TrialSends } from '../story/story-trial.js';
import { createSendLimits, type SendLimits, SPENT } from './send-limits.js';
import type { SendOrder, SentAnswer } from './send-order.js';

/** Far beyond what the largest response needs. */
const READ_MS = 30_000;

type TrialScrubber = ReturnType<typeof createTrialScrubber>;

/** Dependencies of sending the requests of trials. */
export interface TrialSenderDeps {
  http: HttpClient;
  /** The vault whose secrets are real. */
  vault: SecretVault;
  /** Reads large responses. */
  threads: Pick<ThreadPool, 'run'>;
  /** Time-out of a request that names none. */
  timeoutMs: number;
}

/** Sends the requests of one trial. */
export interface TrialSending {
  /** Returns the response, without secrets. `ended` aborts the request. @throws what the database throws; Unavailable. */
  send(order: SendOrder, ended: AbortSignal): Promise<SentAnswer>;
  /** Returns the response of the trial without the secrets that it sent. */
  scrub: (answer: JsonObject) => JsonObject;
  /** Returns the ms that passed with sending. */
  waitedMs: () => number;
}

/** Creates the sending of one trial; `sends` is what its thread got. */
export function createTrialSender(
  { tenantId, sends }: { tenantId: number; sends: TrialSends },
  deps: TrialSenderDeps,
): TrialSending {
  const limits = createSendLimits();
  const scrubber = createTrialScrubber(deps.threads, tenantId);
  const vault = deps.vault.signedBy(createSecretSigner(Buffer.from(sends.key)));
  return {
    async send(order, ended) {
      const refused = limits.refusalOf(stringifyJson(order.options).length);
      if (refused !== undefined) return notSent(refused);
      const secrets = vault.forTeam(order.teamId, tenantId);
      try {
        return await limits.counting(() =>
          sendOnce(order, { deps, limits, secrets, scrubber, tenantId, ended }),
        );
      } catch (error) {
        return failed(error, scrubber);
      } finally {
        scrubber.learn(secrets);
      }
    },
    scrub: scrubber.value,
    waitedMs: limits.waitedMs,
  };
}

interface Sending {
  deps: TrialSenderDeps;
  limits: SendLimits;
  secrets: OpenedSecrets;
  scrubber: TrialScrubber;
  tenantId: number;
  ended: AbortSignal;
}

async function sendOnce({ options, idempotencyKey }: SendOrder, sending: Sending): Promise<SentAnswer> {
  const { limits, secrets, scrubber, tenantId, ended } = sending;
  const context: RequestContext = {
    story: { tenantId },
    idempotencyKey,
    signal: () => ended,
    // The thread has built the same request, and logged the same lines.
    log: () => undefined,
  };
  const http = hurried(sending);
  const sender = createRequestSender(http.client, secrets);
  const { response: answer } = await sender.send(options, (opened) => buildRequest(opened, context));
  scrubber.learn(secrets);
  if (!answer.answered) {
    const { reason, forbidden = false } = answer;
    const named =
      http.cutAfterMs() === undefined ? reason : `${reason} ${SPENT.time(http.cutAfterMs() ?? 0)}`;
    return { kind: 'none', reason: scrubber.text(named), isSent: !forbidden, forbidden };
  }
  const tooMuch = limits.takeBytes(answer.body.length);
  if (tooMuch !== undefined) return { kind: 'none', reason: tooMuch, isSent: true, forbidden: true };
  const { event, headers } = await scrubber.response(answer, ended);
  const { status, note } = answer;
  return {
    kind: 'response',
    status,
    event,
    headers,
    ...(note !== undefined && { note: scrubber.text(note) }),
  };
}

/** Returns a client whose requests end with the time of the trial. `cutAfterMs`: the limit of the last one, if it ended it. */
function hurried({ deps, limits }: Sending): { client: HttpClient; cutAfterMs: () => number | undefined } {
  let cutAfterMs: number | undefined;
  return {
    cutAfterMs: () => cutAfterMs,
    client: {
      async request(request) {
        const wantedMs = request.timeoutMs ?? deps.timeoutMs;
        const timeoutMs = Math.min(wantedMs, limits.requestMs());
        const began = performance.now();
        const answer = await deps.http.request({ ...request, timeoutMs });
        const isCut = !answer.answered && timeoutMs < wantedMs && performance.now() - began >= timeoutMs;
        cutAfterMs = isCut ? timeoutMs : undefined;
        return answer;
      },
      close: () => Promise.resolve(),
    },
  };
}

function notSent(reason: string): SentAnswer {
  return { kind: 'none', reason, isSent: false, forbidden: true };
}

/** An error of the action; what the stores throw ends the trial. */
function failed(error: unknown, { text }: TrialScrubber): SentAnswer {
  const isTooMuch = error instanceof TaskTooLong || error instanceof TaskTooLarge;
  if (!(error instanceof AgentError || isTooMuch)) throw error;
  // A trial waits for nobody.
  const isPermanent = error instanceof PermanentJobError || error instanceof NeedsPerson || isTooMuch;
  return { kind: 'error', message: text(error.message), isPermanent };
}

/** Removes the secrets that a trial has sent from what comes back, also later, and from other servers. */
function createTrialScrubber(threads: Pick<ThreadPool, 'run'>, tenantId: number) {
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
