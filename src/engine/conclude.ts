import type { AgentResult } from '../agents/agent.js';
import { AgentError, messageOf, PermanentJobError } from '../errors.js';
import type { DeliveryRow } from '../events/delivery-store.js';
import { extendLineage } from '../events/lineage.js';
import { RESTING } from '../events/story-deliveries-store.js';
import type { JsonValue } from '../json.js';
import { createSecretScrubber, scrubSecrets } from '../templates/secret-scrubber.js';
import { TemplateError } from '../templates/template.js';
import type { Call, Work } from './call-agent.js';
import type { LogEntry, Outcome } from './outcome.js';
import { disabledReceiversOf, receiversOf } from './receivers.js';
import { retryDelayMs } from './retry-policy.js';

const MAX_ERROR_CHARS = 2_000;
/** How long a delivery of a disabled story or agent rests before it is looked at again. */
const REST_MS = 30_000;

/** The delivery cannot be done, and never will. */
export function deadLetter(delivery: DeliveryRow, error: string): Outcome {
  return { kind: 'failed', delivery, delayMs: 0, error, logs: [{ level: 'error', message: error }] };
}

/**
 * Story or agent is disabled: the delivery waits until that changes (decisions §3). What it says tells it from
 * one that waits for a retry: enabling wakes it at once.
 */
export function rest(delivery: DeliveryRow): Outcome {
  return { kind: 'rest', delivery, delayMs: REST_MS, error: RESTING, logs: [] };
}

/** The agent did its work: what is to be stored, and for whom. */
export function done({ delivery, story, agent, event }: Work, result: AgentResult, call: Call): Outcome {
  const outputs = result.outputs.flatMap((output) => {
    const branch = output.branch ?? 'normal';
    // A no-match with nobody to hear of it is no event.
    if (branch === 'secondary' && !agent.receivers.some((link) => link.secondary)) return [];
    return [{ payload: storable(output.payload, call), receivers: receiversOf(story, agent, branch) }];
  });
  const disabled =
    outputs.length === 0 ? [] : disabledReceiversOf(story, agent, result.outputs[0]?.branch ?? 'normal');
  return {
    kind: 'done',
    delivery,
    lineage: JSON.stringify(extendLineage(agent.slug, event)),
    outputs,
    isResponse: delivery.awaited && story.responseExitGuids.has(agent.guid),
    logs: [
      ...scrubbed(call),
      ...disabled.map(({ name }) => ({
        level: 'info' as const,
        message: `Not sent to "${name}": it is disabled`,
      })),
    ],
  };
}

interface Failure extends Call {
  error: unknown;
}

/** What becomes of a delivery whose agent threw (rule 4). */
export function undone({ delivery, agent }: Work, failure: Failure): Outcome {
  const { error, deps, secrets } = failure;
  const expected = error instanceof AgentError || error instanceof TemplateError;
  if (!expected) {
    const stack = scrubSecrets(
      error instanceof Error ? (error.stack ?? error.message) : String(error),
      secrets,
    );
    deps.logger.error('agent crashed', { agentId: agent.id, type: agent.type, stack });
  }
  const message = scrubSecrets(
    expected ? messageOf(error) : 'The action failed for a reason of this server',
    secrets,
  );
  const attempts = delivery.attempts + 1;
  const permanent = error instanceof PermanentJobError || error instanceof TemplateError;
  const over = permanent || attempts >= deps.limits.maxAttempts;
  const wait = Math.max(retryDelayMs(attempts), error instanceof AgentError ? (error.retryAfterMs ?? 0) : 0);
  const cut = message.slice(0, MAX_ERROR_CHARS);
  const line: LogEntry = over
    ? { level: 'error', message: cut }
    : {
        level: 'warn',
        message: `Attempt ${attempts} failed, the next one is in ${Math.ceil(wait / 1000)} s: ${cut}`,
      };
  return {
    kind: over ? 'failed' : 'retry',
    delivery,
    delayMs: over ? 0 : wait,
    error: cut,
    logs: [...scrubbed(failure), line],
  };
}

/**
 * The event as JSON text, without the credentials that the action itself names: other sides like to send back
 * what they were sent (decisions §8).
 */
function storable(payload: JsonValue, { named }: Call): string {
  if (named.size === 0) return JSON.stringify(payload);
  const scrub = createSecretScrubber(named);
  return JSON.stringify(payload, (_key, value: JsonValue) =>
    typeof value === 'string' ? scrub(value) : value,
  );
}

/** The agent's own log lines, without the credentials that its options may have shown it. */
function scrubbed({ logs, secrets }: Call): LogEntry[] {
  return logs.map((entry) => ({ ...entry, message: scrubSecrets(entry.message, secrets) }));
}
