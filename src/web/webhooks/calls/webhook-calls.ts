import type { Request } from 'express';
import { type AppError, messageOf } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { StartedCall } from '../responses/configured-response.js';
import type { CallLog } from './call-log.js';
import { addRefused, nextAccepted, noCalls, type PendingCalls } from './pending-calls.js';
import { reasonOf } from './refusal-reason.js';

const WRITE_EVERY_MS = 1_000;
/** Webhooks that one write takes, and webhooks whose calls may wait for a write. */
const WEBHOOKS_A_WRITE = 500;
const WAITING_WEBHOOKS = 2_000;
const LONGEST_CONTENT_TYPE = 100;
const LONGEST_MESSAGE = 300;

/** A refused call: the error that ended it, and the response; undefined if the client left. */
export interface Refused {
  error: unknown;
  response: AppError | undefined;
}

/** Keeps the last calls of webhooks. Neither method does I/O; a write follows once a second. */
export interface WebhookCalls {
  accepted(started: StartedCall, request: Request, status: number): void;
  /** `agentId`: the webhook, which exists. Calls of unknown paths are not kept. */
  refused(agentId: number, request: Request, refused: Refused): void;
  /** Writes what is there, and stops. */
  close(): Promise<void>;
}

/**
 * Gathers calls in memory and writes them together. A write that fails is dropped: then the counts name how many calls
 * are missing.
 */
export function createWebhookCalls(deps: { log: Pick<CallLog, 'write'>; logger: Logger }): WebhookCalls {
  let waiting = new Map<number, PendingCalls>();
  let overflow = 0;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const schedule = () => {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      writing = flush().finally(() => {
        timer = undefined;
        if (waiting.size > 0) schedule();
      });
    }, WRITE_EVERY_MS).unref();
  };
  /** Returns undefined if too many webhooks wait. */
  const pendingOf = (agentId: number): PendingCalls | undefined => {
    const known = waiting.get(agentId);
    if (known !== undefined) return known;
    schedule();
    if (waiting.size >= WAITING_WEBHOOKS) return void overflow++;
    const pending = noCalls();
    waiting.set(agentId, pending);
    return pending;
  };
  const flush = async (): Promise<void> => {
    const all = [...waiting];
    const batch = new Map(all.slice(0, WEBHOOKS_A_WRITE));
    waiting = new Map(all.slice(WEBHOOKS_A_WRITE));
    if (overflow > 0)
      deps.logger.warn('webhook calls are not recorded: too many are waiting', { calls: overflow });
    overflow = 0;
    if (batch.size === 0) return;
    await deps.log.write(batch).then(
      () => (isFailing = false),
      (error: unknown) => drop(batch, error),
    );
  };
  const drop = (batch: ReadonlyMap<number, PendingCalls>, error: unknown): void => {
    for (const [agentId, { acceptedCount, refusedCount, unrecordedCount }] of batch) {
      const pending = pendingOf(agentId);
      if (pending !== undefined) pending.unrecordedCount += acceptedCount + refusedCount + unrecordedCount;
    }
    // An outage is told once.
    if (!isFailing) deps.logger.info('webhook calls are not recorded', { error: messageOf(error) });
    isFailing = true;
  };

  return {
    accepted({ call, guid }, request, status) {
      const pending = pendingOf(call.agent.id);
      if (pending === undefined) return;
      const slot = nextAccepted(pending);
      slot.at = Date.now();
      slot.status = status;
      slot.bytes = call.rawBody.length;
      slot.address = request.ip ?? '';
      slot.contentType = contentTypeOf(request);
      slot.runGuid = guid;
    },
    refused(agentId, request, { error, response }) {
      const pending = pendingOf(agentId);
      if (pending === undefined) return;
      addRefused(pending, {
        at: Date.now(),
        status: response?.status ?? 0,
        reason: reasonOf(error),
        message: messageOf(response ?? error).slice(0, LONGEST_MESSAGE),
        address: request.ip ?? '',
        contentType: contentTypeOf(request),
        method: request.method,
      });
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await writing;
      await flush();
    },
  };
}

function contentTypeOf({ headers }: Request): string {
  return headers['content-type']?.slice(0, LONGEST_CONTENT_TYPE) ?? '';
}
