import { randomUUID } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { type Actor, type AnyRoute, type Authenticator, identifyByKey, toAppError } from '../../api/face.js';
import { AppError, Forbidden } from '../../platform/errors.js';
import { leftSignal } from '../../platform/http/server/left-signal.js';
import { ownBaseUrl, ownHost } from '../../platform/http/address/own-base-url.js';
import { readRequestBody } from '../../platform/http/body/read-request-body.js';
import { requestIdOf } from '../../platform/http/server/request-id.js';
import { isJsonObject, type JsonObject } from '../../platform/json.js';
import type { Logger } from '../../platform/logger.js';
import { type ApiInProcessDeps, callInProcess } from './api-in-process.js';
import { writeAnyResponse } from './responses/response-writer.js';
import { loadProtocol, loadTools } from './mcp-code.js';
import { splitAnyMessage } from './message-splitter.js';
import type { CallName, RunningCalls } from './running-calls.js';
import type { SplitMessage } from './split-message.js';

const PATH = '/mcp';
/** Names a client that initialized: two with the same key give the same ids. Nothing else is kept of it. */
const CLIENT = 'mcp-session-id';
/** After a slower body the key is checked again, as for routes. */
const KEY_HOLDS_MS = 3_000;

export interface McpRouterDeps<Services> extends ApiInProcessDeps<Services> {
  routes: readonly AnyRoute<Services>[];
  authenticator: Pick<Authenticator, 'authenticate'>;
  bodyLimitBytes: number;
  publicUrl: string | undefined;
  version: string;
  logger: Logger;
  calls: RunningCalls;
}

/**
 * Serves `POST /mcp`: MCP over streamable HTTP, without sessions. Each request needs an API key and counts as a request
 * to the API; tools are operations of the API with the rights of the key.
 */
export function createMcpRouter<Services>(deps: McpRouterDeps<Services>): Router {
  const handle = async (req: Request, res: Response): Promise<void> => {
    res.locals['route'] = PATH;
    requireMcpOrigin(req, deps.publicUrl);
    const { actor, message } = await readMessage(req, res, deps);
    const response = await responseTo(message, { req, res, actor }, deps);
    res.status(response.status);
    response.headers.forEach((value, name) => res.setHeader(name, value));
    res.end(await response.text());
  };
  const router = Router();
  router.post(PATH, (req, res) => handle(req, res));
  router.all(PATH, (_req: Request, res: Response) => {
    res.locals['route'] = PATH;
    throw new AppError(405, 'Only POST is supported: there are no sessions', {
      headers: { Allow: 'POST' },
    });
  });
  return router;
}

/**
 * Authenticates the sender, again after a slow body, counts the request and reads one message, in the order of routes: a
 * request over the limit costs nothing more.
 */
async function readMessage<Services>(req: Request, res: Response, deps: McpRouterDeps<Services>) {
  const askedAt = performance.now();
  const authenticate = () => identifyByKey(deps.authenticator)(req);
  const sender = await authenticate();
  res.locals['actor'] = sender;
  await deps.limits.check({}, sender, res);
  const body = await readRequestBody(req, deps.bodyLimitBytes);
  const actor = performance.now() - askedAt < KEY_HOLDS_MS ? sender : await authenticate();
  res.locals['actor'] = actor;
  return { actor, message: await splitAnyMessage(body, { threads: deps.threads, tenantId: actor.tenantId }) };
}

interface McpRequest {
  req: Request;
  res: Response;
  actor: Actor;
}

async function responseTo<Services>(
  { envelope, given = { texts: new Map(), more: 0 } }: SplitMessage,
  { req, res, actor }: McpRequest,
  deps: McpRouterDeps<Services>,
): Promise<globalThis.Response> {
  const { createMcpServer, Transport } = await loadProtocol();
  const tools = await loadTools(deps.routes);
  const sender = senderOf(req, res, { actor, publicUrl: deps.publicUrl });
  const client = { keyId: actor.keyId, client: req.get(CLIENT) ?? '' };
  cancelWhatIsNamed(envelope, client, deps.calls);
  const running = deps.calls.begin({ ...client, id: envelope['id'] });
  const over = AbortSignal.any([leftSignal(res), running.cancelled]);
  const toldOf = <Result>(work: () => Promise<Result>) => told(work, res, deps.logger);
  const mcp = createMcpServer({
    tools,
    version: deps.version,
    given,
    call: (call) => toldOf(() => callInProcess({ ...call, signal: over }, { sender, deps })),
    write: (order) =>
      toldOf(() => writeAnyResponse(order, { threads: deps.threads, tenantId: actor.tenantId })),
  });
  const transport = new Transport({ enableJsonResponse: true });
  try {
    await mcp.connect(transport);
    const response = await unlessOver(
      over,
      transport.handleRequest(webRequest(req), { parsedBody: envelope }),
    );
    if (response.ok && envelope['method'] === 'initialize') response.headers.set(CLIENT, randomUUID());
    return response;
  } finally {
    running.end();
    await mcp.close();
  }
}

/** Another message of the same client says that it wants no response to a call. */
function cancelWhatIsNamed(
  { method, params }: JsonObject,
  client: Pick<CallName, 'keyId' | 'client'>,
  calls: Pick<RunningCalls, 'cancel'>,
): void {
  const id = isJsonObject(params) ? params['requestId'] : undefined;
  if (method === 'notifications/cancelled' && id !== undefined) calls.cancel({ ...client, id });
}

/** A cancelled call gets no response, so only its request does: without a body. */
function unlessOver(over: AbortSignal, response: Promise<globalThis.Response>): Promise<globalThis.Response> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(new Response(null, { status: 202 }));
    if (over.aborted) giveUp();
    else over.addEventListener('abort', giveUp, { once: true });
    response.then(resolve, reject);
  });
}

/** Turns errors into those that a client may see; others are logged, and become a bare 500. */
async function told<Result>(work: () => Promise<Result>, res: Response, logger: Logger): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const known = toAppError(error);
    if (known === undefined) logger.error('a tool failed', { request_id: requestIdOf(res), error });
    throw known ?? new AppError(500, 'Internal server error');
  }
}

function senderOf(
  req: Request,
  response: Response,
  { actor, publicUrl }: { actor: Actor; publicUrl: string | undefined },
) {
  return {
    actor,
    requestId: requestIdOf(response),
    baseUrl: publicUrl ?? ownBaseUrl(req),
    ip: req.ip,
    userAgent: req.get('user-agent'),
    response,
  };
}

/** The transport looks at method and headers; the body was read. It knows no sessions. */
function webRequest(req: Request): globalThis.Request {
  const headers = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
    const value = req.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request(`http://localhost${PATH}`, { method: 'POST', headers });
}

/**
 * Refuses requests that a page of another origin sends, also of one whose name leads to this server (DNS rebinding).
 * Clients that are no browsers send no `Origin`.
 * @throws Forbidden
 */
function requireMcpOrigin(req: Request, publicUrl: string | undefined): void {
  const origin = req.get('origin');
  if (origin === undefined || origin === ownOrigin(req, publicUrl)) return;
  throw new Forbidden('Requests from other origins are not allowed');
}

/** Undefined if the name in the request is not certainly ours. */
function ownOrigin(req: Request, publicUrl: string | undefined): string | undefined {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  const host = ownHost(req);
  return host === undefined ? undefined : `${req.protocol}://${host}`;
}
