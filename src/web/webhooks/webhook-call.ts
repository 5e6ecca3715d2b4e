import type { Request } from 'express';
import type { RefusedCalls } from '../../platform/http/limits/refused-calls.js';
import type { Config } from '../../config/face.js';
import { TenantFrozen } from '../../api/face.js';
import { NotFound, MethodNotAllowed } from '../../platform/errors.js';
import { type AgentNode, pathProblem, type StoryGraph } from '../../stories/face.js';
import { parseParameters } from './bodies/form-body.js';
import type { BodyBudget } from '../../platform/http/body/body-budget.js';
import { readRawBody } from '../../platform/http/body/body-reader.js';
import { decodeContent } from '../../platform/http/body/content-encoding.js';
import { WebhookUnauthorized } from './refusal.js';
import { authenticate, authorizationReveals } from './settings/webhook-auth.js';
import { eventHeaders } from './kept-headers.js';
import type { RequestBytes } from './receive-task.js';
import type { WebhookSettings } from './settings/webhook-settings-cache.js';
import { SIGNATURE_HEADER } from '../../platform/crypto/call-signature.js';
import type { WebhookSignature } from './settings/webhook-signature.js';

/** An admitted webhook request. */
export interface WebhookCall {
  story: StoryGraph;
  agent: AgentNode;
  settings: WebhookSettings;
  /** The received bytes, before any decompression. */
  rawBody: Buffer;
  query: string;
  /** The signature that authenticated the client; undefined if a secret did. */
  signature: WebhookSignature | undefined;
}

/** A webhook whose address was called; it or its story may be disabled. */
export interface CalledAddress {
  story: StoryGraph;
  agent: AgentNode;
  path: string;
  secretInUrl: string | undefined;
  query: string;
}

/** Finds webhooks by their path. */
export interface WebhookFinder {
  /** Also finds disabled ones. @throws Unavailable when the path is not cached and the database is down. */
  findWebhook(path: string): Promise<Pick<CalledAddress, 'story' | 'agent'> | undefined>;
  /** Whether such a webhook may exist, decided without I/O. If absent, any may exist. */
  mayExist?(path: string): boolean;
}

export interface WebhookAdmissionDeps {
  graphs: WebhookFinder;
  refused: RefusedCalls;
  settingsOf(story: StoryGraph, agent: AgentNode): WebhookSettings;
  config: Pick<Config, 'publicUrl' | 'bodyLimitBytes' | 'webhookSignatureToleranceSeconds'>;
  bodyTimeoutMs: number;
  /** Bounds the bodies of clients that have shown a signature, which is not verified yet. */
  unprovenBodies: BodyBudget;
  /** Returns the current time, for the age of signatures. */
  nowMs: () => Promise<number>;
}

/** Returns the webhook at the address of a request. @throws NotFound if there is none. */
export async function findCalled(
  request: Request,
  { graphs, refused }: Pick<WebhookAdmissionDeps, 'graphs' | 'refused'>,
): Promise<CalledAddress> {
  const address = parseAddress(request.url);
  const isGuess = address !== undefined && graphs.mayExist?.(address.path) === false;
  // A client that keeps guessing addresses causes no more queries.
  if (isGuess && refused.isOver(request.ip)) throw new NotFound('Webhook');
  const found = address && (await graphs.findWebhook(address.path));
  if (address === undefined || found === undefined) throw new NotFound('Webhook');
  return { ...found, path: address.path, secretInUrl: address.secret, query: address.query };
}

/**
 * Admits a request to its webhook. Checks the verb, then secret or signature, then the body (spec §4.8). A
 * wrong verb is reported before a wrong secret, so that clients get `Allow` without a secret. Does not parse the body.
 * @throws NotFound (unknown and disabled look the same), MethodNotAllowed, WebhookUnauthorized, and the errors
 * of reading the body; TenantFrozen.
 */
export async function admit(
  request: Request,
  { story, agent, secretInUrl, query }: CalledAddress,
  deps: WebhookAdmissionDeps,
): Promise<WebhookCall> {
  if (story.disabled || agent.disabled) throw new NotFound('Webhook');
  if (story.frozen === true) throw new TenantFrozen();
  const settings = deps.settingsOf(story, agent);
  if (!settings.verbs.has(request.method)) throw new MethodNotAllowed(settings.allow);

  const { rawBody, signature } = await readAuthenticBody(request, { secretInUrl, settings, deps });
  return { story, agent, settings, rawBody, signature, query };
}

/** An admission holds for this long; freezing a tenant waits for longer. */
const ADMISSION_HOLDS_MS = 2_000;

/** Looks again, after a slow body, whether the webhook's tenant is frozen. @throws TenantFrozen if it is. */
export async function requireServed(
  { path }: Pick<CalledAddress, 'path'>,
  admittedAt: number,
  graphs: Pick<WebhookFinder, 'findWebhook'>,
): Promise<void> {
  if (performance.now() - admittedAt < ADMISSION_HOLDS_MS) return;
  const found = await graphs.findWebhook(path);
  if (found?.story.frozen === true) throw new TenantFrozen();
}

/** Returns the parts of a request that its event is built from. @throws as `decodeContent` and `parseParameters`. */
export async function requestBytes(
  request: Request,
  call: WebhookCall,
  limitBytes: number,
): Promise<RequestBytes> {
  const { settings, rawBody, query } = call;
  return {
    bytes: await decodeContent(rawBody, request.headers['content-encoding'], limitBytes),
    contentType: request.headers['content-type'],
    headers: eventHeaders(request.headers, settings.keepHeaders, (value) =>
      authorizationReveals(settings.secret, value),
    ),
    query: parseParameters(query),
    includeHeaders: settings.includeHeaders,
    keepsRawBody: settings.keepsRawBody,
  };
}

interface Entrance {
  secretInUrl: string | undefined;
  settings: WebhookSettings;
  deps: WebhookAdmissionDeps;
}

/** Reads the body only for a client that can still be authenticated. */
async function readAuthenticBody(
  request: Request,
  entrance: Entrance,
): Promise<Pick<WebhookCall, 'rawBody' | 'signature'>> {
  const { config, bodyTimeoutMs, nowMs } = entrance.deps;
  const check = authenticate(
    entrance.settings.secret,
    {
      secretInUrl: entrance.secretInUrl,
      headers: request.headers,
      urls: () => signedUrls(request, config.publicUrl),
    },
    {
      toleranceSeconds: config.webhookSignatureToleranceSeconds,
      // Most requests have no signature: they need not wait for the clock.
      nowMs: request.headers[SIGNATURE_HEADER] === undefined ? 0 : await nowMs(),
    },
  );
  if (check === undefined) throw new WebhookUnauthorized();
  // A signature proves nothing before the body is read: such bodies share one budget.
  const budget = check.signature && entrance.deps.unprovenBodies;
  const rawBody = await readRawBody(request, {
    limitBytes: config.bodyLimitBytes,
    timeoutMs: bodyTimeoutMs,
    budget,
  });
  if (!check.accepts(rawBody)) throw new WebhookUnauthorized();
  return { rawBody, signature: check.signature };
}

/** Returns the full URL in the forms the client may know (spec §4.2). Express knows which proxies to trust. */
function signedUrls(request: Request, publicUrl: string | undefined): string[] {
  const own = `${request.protocol}://${request.host}${request.originalUrl}`;
  return publicUrl === undefined ? [own] : [publicUrl + request.originalUrl, own];
}

/** The parts of a webhook's URL, relative to the router's mount point. */
interface WebhookAddress {
  path: string;
  /** Undefined: the client authenticates with a header. */
  secret: string | undefined;
  /** Without the question mark; empty when there is none. */
  query: string;
}

/**
 * Splits `/<path>/<secret>?<query>` or `/<path>?<query>`; a trailing slash makes no difference.
 * Returns undefined for any other form, and for a path that no webhook can have. A secret with invalid
 * percent-encoding is used unchanged.
 */
function parseAddress(url: string): WebhookAddress | undefined {
  const mark = url.indexOf('?');
  const pathname = mark === -1 ? url : url.slice(0, mark);
  const [, path = '', secret = '', ...rest] = pathname.split('/');
  const tooLong = rest.length > 1 || (rest.length === 1 && (rest[0] !== '' || secret === ''));
  if (path === '' || tooLong) return undefined;
  const name = decodedSegment(path);
  if (pathProblem(name) !== undefined) return undefined;
  return {
    path: name,
    secret: secret === '' ? undefined : decodedSegment(secret),
    query: mark === -1 ? '' : url.slice(mark + 1),
  };
}

function decodedSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
