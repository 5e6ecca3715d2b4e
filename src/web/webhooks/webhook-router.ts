import { type Request, type Response, Router } from 'express';
import { NO_REFUSED_CALLS, type RefusedCalls } from '../../platform/http/limits/refused-calls.js';
import type { Config } from '../../config/face.js';
import { isTransient } from '../../platform/mysql/db-errors.js';
import { AppError, stackOf, Unavailable } from '../../platform/errors.js';
import type { RunStarter } from '../../engine/face.js';
import type { Logger } from '../../platform/logger.js';
import type { TeamValues } from '../../language/face.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { sendResponse } from './responses/response.js';
import { responseFromRun } from './responses/awaited-response.js';
import type { RateCounter } from '../../platform/http/limits/rate-counter.js';
import { createBodyBudget } from '../../platform/http/body/body-budget.js';
import { requestIdOf } from '../../platform/http/server/request-id.js';
import { ClientGone } from '../../platform/http/body/body-reader.js';
import { configuredResponse, type StartedCall } from './responses/configured-response.js';
import { sendRefusal } from './refusal.js';
import type { ResponseSlots } from './responses/response-slots.js';
import type { ResponseWaiter } from './responses/response-waiter.js';
import { createResponseRenderer } from './responses/response-renderer.js';
import { allowOrigin, respondToPreflight, isPreflight } from './settings/cors.js';
import { checkOwnLimit } from './settings/own-limit.js';
import { receiveRequest } from './receive.js';
import type { RunChains } from './run-chains.js';
import type { WebhookCalls } from './calls/webhook-calls.js';
import {
  admit,
  type CalledAddress,
  findCalled,
  requestBytes,
  requireServed,
  type WebhookCall,
  type WebhookFinder,
} from './webhook-call.js';
import type { WebhookLimits } from './settings/webhook-limits.js';
import type { SignedCalls } from './settings/signed-calls.js';
import { type RequestTally, tallyOf, type WebhookMeter } from './webhook-meter.js';
import { createWebhookSettingsCache, type Languages } from './settings/webhook-settings-cache.js';

/** A webhook request whose run has begun. */
export interface AcceptedRequest {
  guid: string;
  storyId: number;
  agentId: number;
  /** When it came, in ms since 1970. */
  beganMs: number;
  /** The caller's header, as it came. */
  traceparent: string | undefined;
  /** Whether its event waits in the spool, as MySQL is away. */
  spooled: boolean;
}

/** Makes the spans in which runs of webhooks begin. */
export interface WebhookTraces {
  accepted(request: AcceptedRequest): void;
}

export interface WebhookRouterDeps {
  graphs: WebhookFinder;
  runs: RunStarter;
  newRunGuid(): string;
  values: TeamValues;
  languages: Languages;
  threads: Pick<ThreadPool, 'run'>;
  waiter: ResponseWaiter;
  slots: ResponseSlots;
  limits: WebhookLimits;
  /** Counts the limits that webhooks set themselves; without it nothing is counted. */
  windows?: RateCounter | undefined;
  /** Stops runs that start each other for ever; without it none is stopped. */
  chains?: Pick<RunChains, 'follow'>;
  /** Without it, a signature can be reused until it expires. */
  signedCalls?: SignedCalls;
  /** Counts refused requests by client address; without it nothing is counted. */
  refused?: RefusedCalls;
  /** Keeps the last calls of each webhook; without it none are kept. */
  calls?: Pick<WebhookCalls, 'accepted' | 'refused'>;
  /** Counts requests by outcome; without it nothing is counted. */
  meter?: WebhookMeter | undefined;
  config: Pick<
    Config,
    'publicUrl' | 'bodyLimitBytes' | 'webhookSignatureToleranceSeconds' | 'responseWaitMs'
  >;
  /** Makes spans of accepted requests; absent: there are none. */
  traces?: WebhookTraces | undefined;
  logger: Logger;
  /** Time limit for reading the whole body of one request. */
  bodyTimeoutMs?: number;
  /** The clock for checking signatures; by default this process's own. */
  nowMs?: () => Promise<number>;
}

const BODY_TIMEOUT_MS = 60_000;
/** Memory for the bodies of clients with an unverified signature: this many bytes, or this many of the largest bodies. */
const UNPROVEN_BYTES = 64 * 1024 * 1024;
const UNPROVEN_BODIES = 4;
/** No such webhook, a wrong secret or signature, or too many requests. */
const REFUSED_STATUSES = new Set([401, 404, 429]);
const RUN_HEADER = 'X-Service-Story-Run';
const STATUS_HEADER = 'X-Service-Status';

/** A request to a webhook that exists. */
interface Arrival {
  called: CalledAddress;
  tally: RequestTally;
}

interface CountedCall extends StartedCall {
  tally: RequestTally;
  /** When it came, in ms since 1970; the header `traceparent`. Only with traces. */
  traced: Pick<AcceptedRequest, 'beganMs' | 'traceparent'> | undefined;
}

function allowOf({ settings }: WebhookCall, { method }: Request): Record<string, string> {
  return method === 'OPTIONS' ? { Allow: settings.allow } : {};
}

/**
 * The webhooks of all stories (spec §4). Mount it at `/webhook` before any body parser, because it reads
 * bodies itself. It accepts every method; refusals are plain text.
 */
export function createWebhookRouter(deps: WebhookRouterDeps): Router {
  const { refused = NO_REFUSED_CALLS } = deps;
  const admission = {
    graphs: deps.graphs,
    refused,
    settingsOf: createWebhookSettingsCache(deps.languages),
    config: deps.config,
    bodyTimeoutMs: deps.bodyTimeoutMs ?? BODY_TIMEOUT_MS,
    unprovenBodies: createBodyBudget(Math.max(UNPROVEN_BYTES, UNPROVEN_BODIES * deps.config.bodyLimitBytes)),
    nowMs: deps.nowMs ?? (() => Promise.resolve(Date.now())),
  };
  const responding = { ...deps, render: createResponseRenderer(deps.threads) };

  const handle = async ({ called, tally }: Arrival, request: Request, response: Response): Promise<void> => {
    const traced = deps.traces && { beganMs: Date.now(), traceparent: request.get('traceparent') };
    const admittedAt = performance.now();
    const call = await admit(request, called, admission);
    deps.limits.check({ agentId: call.agent.id, tenantId: call.story.tenantId }, response);
    const bytes = await requestBytes(request, call, deps.config.bodyLimitBytes);
    const received = await receiveRequest(bytes, call.story.tenantId, deps.threads);
    await requireServed(called, admittedAt, deps.graphs);
    const started: CountedCall = { call, received, guid: await guidOf(call, request), tally, traced };
    await checkOwnLimit(started, responding);
    await deps.chains?.follow(request.headers, { guid: started.guid, tenantId: call.story.tenantId });
    response.locals['run'] = { guid: started.guid, storyId: call.story.id, agentId: call.agent.id };
    if (call.settings.awaitsRun) return await respondAwaited(started, request, response);
    await start(started, false);
    const configured = await configuredResponse(started, responding);
    sendResponse(response, configured, { [RUN_HEADER]: started.guid, ...allowOf(call, request) });
    deps.calls?.accepted(started, request, configured.status);
  };

  /** Most requests have no signature and need no lookup. */
  const guidOf = async ({ agent, signature }: WebhookCall, { headers }: Request): Promise<string> => {
    const fixed = signature && (await deps.signedCalls?.guidOf({ agentId: agent.id, signature, headers }));
    return fixed ?? deps.newRunGuid();
  };

  const start = async (
    { call, received, guid, tally, traced }: CountedCall,
    awaited: boolean,
  ): Promise<void> => {
    const { story, agent } = call;
    const began = performance.now();
    const run = { story, agent, payload: received.event, source: 'webhook' as const, awaited, guid };
    const { eventId } = await deps.runs.start(run);
    const spooled = eventId === undefined;
    tally.accepted(spooled ? 'spooled' : 'stored', performance.now() - began);
    if (traced !== undefined) {
      deps.traces?.accepted({ ...traced, guid, storyId: story.id, agentId: agent.id, spooled });
    }
  };

  const respondAwaited = async (
    started: CountedCall,
    request: Request,
    response: Response,
  ): Promise<void> => {
    const { response: awaited, serviceStatus } = await responseFromRun(
      {
        tenantId: started.call.story.tenantId,
        guid: started.guid,
        waitMs: deps.config.responseWaitMs,
        asText: request.accepts(['application/json', 'text/plain']) === 'text/plain',
        start: (isAwaited) => start(started, isAwaited),
        configured: () => configuredResponse(started, responding),
        onCallerGone: (giveUp) => response.once('close', giveUp),
      },
      deps,
    );
    sendResponse(response, awaited, { [RUN_HEADER]: started.guid, [STATUS_HEADER]: serviceStatus });
    deps.calls?.accepted(started, request, awaited.status);
  };

  const serve = async (request: Request, response: Response): Promise<void> => {
    let called: CalledAddress | undefined;
    const tally = tallyOf(deps.meter);
    try {
      called = await findCalled(request, admission);
      if (respondsToBrowser(called, { request, response, settingsOf: admission.settingsOf })) return;
      await handle({ called, tally }, request, response);
    } catch (error) {
      const refusal = refusalOf(error, { request, response, refused, logger: deps.logger });
      tally.refused(refusal ?? error);
      // Unknown paths are not kept: there is no end of them.
      if (called !== undefined) deps.calls?.refused(called.agent.id, request, { error, response: refusal });
      if (refusal !== undefined) sendRefusal(request, response, refusal);
    }
  };

  const router = Router();
  router.use((request, response) => serve(request, response));
  return router;
}

interface Exchange {
  request: Request;
  response: Response;
}

/** Returns the refusal of a request that failed; undefined if the client left. */
function refusalOf(
  error: unknown,
  { request, response, refused, logger }: Exchange & { refused: RefusedCalls; logger: Logger },
): AppError | undefined {
  if (error instanceof ClientGone) return undefined;
  if (error instanceof AppError)
    return REFUSED_STATUSES.has(error.status) ? refused.judge(request.ip, error) : error;
  if (isTransient(error)) return new Unavailable('A store is not available', { cause: error });
  // The URL holds the secret and stays out of the log.
  logger.error('webhook request failed', { request_id: requestIdOf(response), stack: stackOf(error) });
  return new AppError(500, 'Internal error');
}

/** Lets pages of allowed origins read the response; returns true for a browser's question whether it may call. */
function respondsToBrowser(
  { story, agent }: CalledAddress,
  { request, response, settingsOf }: Exchange & { settingsOf: ReturnType<typeof createWebhookSettingsCache> },
): boolean {
  if (story.disabled || agent.disabled) return false;
  const { cors, allow } = settingsOf(story, agent);
  if (cors === undefined || !allowOrigin(cors, request, response) || !isPreflight(request)) return false;
  respondToPreflight(cors, { request, response, verbs: allow });
  return true;
}
