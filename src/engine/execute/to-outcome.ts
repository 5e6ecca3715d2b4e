import {
  type Asleep,
  type OutputBranch,
  type Claim,
  type Claimed,
  emailAgent,
  findAgentType,
  type Gathered,
  type AgentOutput,
  webhookAgent,
} from '../../agents/face.js';
import {
  AgentError,
  messageOf,
  NeedsPerson,
  NotYet,
  PermanentJobError,
  stackOf,
} from '../../platform/errors.js';
import type { DeliveryRow } from '../state/deliveries/delivery-store.js';
import { groupKeyOf } from '../state/deliveries/implode-store.js';
import type { JsonObject } from '../../platform/json.js';
import { type QuotaName, QuotaReached } from '../../people/face.js';
import { TemplateError } from '../../platform/text/template-error.js';
import { valueWithMarkers } from '../../platform/secrets/secret-reference.js';
import type { AgentCall, CallResult, Work } from './call/call.js';
import { callStory } from '../calls/call-story.js';
import { disabledReceiversOf, emit, type OutgoingPayload } from '../dispatch/adding/emission.js';
import type {
  ClaimOutcome,
  DoneOutcome,
  AgentLogEntry,
  Outcome,
  ParkedOutcome,
  UndoneOutcome,
} from '../state/outcome.js';
import { failureOf, hasFailureReceiver } from '../dispatch/adding/failure-links.js';
import { keptExchange } from './kept-exchange.js';
import { attemptDelayMs } from './retry-policy.js';
import { retryMessage } from '../state/events/attempt-line.js';
import { storedEventText, noteInto } from '../state/events/event-text.js';

const MAX_ERROR_CHARS = 2_000;
/** The least status of responses that are errors. */
const FIRST_ERROR = 400;
/** The status of a server that limits how often it is called. */
const TOO_MANY = 429;
/** How the log and the delivery of an action begin that waits for a person. */
const HELD = 'Held: ';

/** Returns an agent's result ready to be stored. @throws PermanentJobError if it calls a story that cannot be called. */
export async function toOutcome(work: Work, result: CallResult, call: AgentCall): Promise<Outcome> {
  if ('texts' in result) return doneWith(work, result.texts, call);
  if ('sleep' in result) return asleep(work, result, call);
  if ('gather' in result || 'gatheredText' in result || 'call' in result) refusePrompts(call);
  if ('gatheredText' in result) return gathered(work, result.gatheredText, call);
  if ('gather' in result) {
    return gathered(
      work,
      { ...result.gather, item: storedEventText(result.gather.item, noteInto(call.logs)) },
      call,
    );
  }
  if ('call' in result) {
    const deps = { ...call.deps, log: noteInto(call.logs) };
    return { ...(await callStory(work, result.call, deps)), logs: scrubbed(call) };
  }
  if ('claim' in result) return claimed(work, result, call);
  return done(work, result.outputs, call);
}

/** Returns the outcome of an agent that did its work: its events with their receivers. */
function done(work: Work, outputs: AgentOutput[], call: AgentCall): Promise<DoneOutcome> {
  const heard = outputs.filter((output) => isHeard(output, work));
  return doneWith(
    work,
    heard.map(({ payload, branch = 'normal', request }) => ({
      payload: storedEventText(payload, noteInto(call.logs)),
      branch,
      request,
    })),
    call,
  );
}

/** True if the output comes from another server, so it cannot hold our references (decision 0026); a webhook's may. */
function isAnswered(type: string): boolean {
  return type !== webhookAgent.type && findAgentType(type)?.computes !== true;
}

/** A no-match output without a receiver is not stored as an event. */
function isHeard({ branch }: { branch?: OutputBranch }, { agent }: Work): boolean {
  return branch !== 'secondary' || agent.receivers.some(({ kind }) => kind === 'secondary');
}

/** Like `done`, for payloads as JSON text. */
async function doneWith(work: Work, outputs: OutgoingPayload[], call: AgentCall): Promise<DoneOutcome> {
  const { delivery, story, agent, event } = work;
  const admitted = (json: string) => (isAnswered(agent.type) ? call.secrets().admit(json) : json);
  const payloads = outputs
    .filter((output) => isHeard(output, work))
    .map(({ payload, branch, request }) => ({ payload: admitted(payload), branch, request }));
  // A webhook agent emits the run's input itself, so the event has no parent.
  const parent = work.isStart && agent.type === webhookAgent.type ? undefined : event;
  return {
    kind: 'done',
    delivery,
    outputs: await emit({ delivery, story, agent, parent }, payloads, call.deps),
    prompts: promptsOf(call),
    logs: [
      ...logsOf(call, payloads),
      ...endOfBranches(work, payloads[0]?.branch),
      ...deadPrompts(payloads, call),
    ],
  };
}

function promptsOf({ prompts, deps }: AgentCall): NonNullable<DoneOutcome['prompts']> {
  const { expiresInSeconds } = deps.prompts;
  return [...prompts].map(([status, id]) => ({ id, status, expiresInSeconds }));
}

/** A prompt re-emits an event: without one, its link leads nowhere. */
function deadPrompts(payloads: unknown[], { prompts }: AgentCall): AgentLogEntry[] {
  if (prompts.size === 0 || payloads.length > 0) return [];
  return [{ level: 'warn', message: 'The prompt links do not work, because the action emitted no event' }];
}

/** Implode and send-to-story emit their event later, from another delivery: a prompt has no event to re-emit. */
function refusePrompts({ prompts }: AgentCall): void {
  if (prompts.size === 0) return;
  throw new PermanentJobError(
    'This action type cannot create prompts, which belong to an event that the action emits itself',
  );
}

function endOfBranches({ story, agent }: Work, branch: OutputBranch | undefined): AgentLogEntry[] {
  if (branch === undefined) return [];
  return disabledReceiversOf(story, agent, branch).map(({ name }) => ({
    level: 'info',
    message: `Not sent to "${name}": it is disabled`,
  }));
}

function asleep({ delivery }: Work, { sleep }: Asleep, call: AgentCall): UndoneOutcome {
  const until =
    'until' in sleep ? { dueAt: sleep.until.toISOString().replace('T', ' ').replace('Z', '') } : {};
  const delayMs = 'seconds' in sleep ? Math.ceil(sleep.seconds * 1000) : 0;
  return { kind: 'sleep', delivery, delayMs, ...until, reason: 'delay', error: null, logs: scrubbed(call) };
}

type GatheredText = Omit<Gathered['gather'], 'item'> & { item: string };

/** A group belongs to its agent, not to a run: members of several runs can become one event. */
function gathered({ delivery, agent }: Work, gather: GatheredText, call: AgentCall): ParkedOutcome {
  const { group, size, position, timeoutSeconds, partial, item } = gather;
  const groupKey = groupKeyOf(group, { agent, partial });
  return {
    kind: 'parked',
    delivery,
    item: { groupKey, size, position, item, timeoutSeconds },
    logs: scrubbed(call),
  };
}

async function claimed(
  work: Work,
  { claim, granted, refused }: Claimed,
  call: AgentCall,
): Promise<ClaimOutcome> {
  if (claim.kind === 'record') requireRoom(work, call);
  return {
    kind: 'claim',
    delivery: work.delivery,
    claim: storableClaim(claim),
    story: work.story,
    granted: await done(work, granted, call),
    refused: await done(work, refused, call),
    failed: hasFailureReceiver(work) ? (letter) => failureOf(work, letter) : undefined,
    logs: scrubbed(call),
  };
}

/** @throws AgentError, a retryable error, if the tenant's quota of records is reached: some may be deleted meanwhile. */
function requireRoom({ story }: Work, { deps }: AgentCall): void {
  try {
    deps.quotas.requireRecord(story.tenantId);
  } catch (error) {
    throw error instanceof QuotaReached ? new AgentError(error.message, { cause: error }) : error;
  }
}

interface Failure extends AgentCall {
  error: unknown;
}

/** Returns the outcome of a delivery whose agent threw (rule 4). */
export function undone(work: Work, failure: Failure): UndoneOutcome {
  const { delivery, agent } = work;
  const { error, deps, secrets } = failure;
  const expected = error instanceof AgentError || error instanceof TemplateError;
  if (!expected) {
    const stack = secrets().redactText(stackOf(error));
    deps.logger.error('agent crashed', {
      story_run_guid: delivery.storyRunGuid,
      story_id: delivery.storyId,
      agent_id: agent.id,
      agent_type: agent.type,
      delivery_id: delivery.id,
      stack,
    });
  }
  const message = secrets().redactText(
    expected ? messageOf(error) : 'The action failed because of an error in this server',
  );
  const isLeft = error instanceof NeedsPerson && hasFailureReceiver(work);
  if (error instanceof NotYet && !isLeft) return waiting(delivery, { message, error }, failure);
  const attempts = delivery.attempts + 1;
  const permanent = isLeft || error instanceof PermanentJobError || error instanceof TemplateError;
  const own = error instanceof AgentError ? error : undefined;
  const over = permanent || attempts >= (own?.maxAttempts ?? deps.limits.maxAttempts);
  const pace = agent.type === emailAgent.type ? 'mail' : 'usual';
  const wait = Math.max(attemptDelayMs(attempts, deps.random, pace), own?.retryAfterMs ?? 0);
  const cut = message.slice(0, MAX_ERROR_CHARS);
  const kept = keptExchange(failure, own?.status);
  const line: AgentLogEntry = {
    ...(over
      ? { level: 'error', message: cut }
      : { level: 'warn', message: retryMessage(cut, { attempt: attempts, waitMs: wait }) }),
    ...kept,
    attempt: attempts,
  };
  return {
    kind: over ? 'failed' : 'retry',
    delivery,
    delayMs: over ? 0 : wait,
    reason: usedUpQuota(error) ?? (own?.status === TOO_MANY ? 'rate_limit' : 'retry'),
    error: cut,
    status: own?.status,
    cause: kept.cause,
    mailProgress: failure.mailProgress.changedText(),
    logs: [...scrubbed(failure), line],
  };
}

/** Returns the quota that stopped the agent; undefined: none did. */
function usedUpQuota(error: unknown): QuotaName | undefined {
  const cause = error instanceof AgentError ? error.cause : undefined;
  return cause instanceof QuotaReached ? cause.usedUp.quota : undefined;
}

/** The log of an action that waits for a person says so once: it looks again often. */
function waiting(
  delivery: DeliveryRow,
  { message, error }: { message: string; error: NotYet },
  call: AgentCall,
): UndoneOutcome {
  const isHeld = error instanceof NeedsPerson;
  const said = isHeld ? `${HELD}${message}` : message;
  const line: AgentLogEntry = { level: 'warn', message: said.slice(0, MAX_ERROR_CHARS) };
  const isTold = isHeld && delivery.resumeAt !== null;
  return {
    kind: 'sleep',
    delivery,
    delayMs: Math.ceil(error.waitMs),
    reason: isHeld ? 'credential' : (usedUpQuota(error) ?? 'delay'),
    error: isHeld ? line.message : null,
    mailProgress: call.mailProgress.changedText(),
    logs: isTold ? [] : [...scrubbed(call), line],
  };
}

/** Replaces references in a record by markers: unlike in an event, they cannot be resolved there and would be shown. */
function storableClaim(claim: Claim): Claim {
  if (claim.kind !== 'record') return claim;
  return { ...claim, values: valueWithMarkers(claim.values as JsonObject[]) as typeof claim.values };
}

/**
 * Returns the log lines of an action that did not fail. The last line about an error has the status and the cause; where no
 * event has the request and the response, that line has them too.
 */
function logsOf(call: AgentCall, payloads: unknown[]): AgentLogEntry[] {
  const lines = scrubbed(call);
  const last = lines.findLast(({ level }) => level === 'error');
  if (last === undefined) return lines;
  for (const line of lines) if (line.level === 'error') line.continued = true;
  const answered = call.sent?.received?.response.status;
  // The last request of a loop may have succeeded: the error is about an earlier one then.
  const isAbout = answered === undefined || answered >= FIRST_ERROR;
  const { request, response, ...rest } = keptExchange(call, answered);
  Object.assign(last, isAbout ? rest : {}, payloads.length === 0 ? { request, response } : {});
  return lines;
}

/** Returns the agent's log lines without secrets and references. */
function scrubbed({ logs, secrets }: AgentCall): AgentLogEntry[] {
  return logs.map((entry) => ({ ...entry, message: secrets().redactText(entry.message) }));
}
