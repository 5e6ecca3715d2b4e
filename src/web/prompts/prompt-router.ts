import { type Request, type Response, Router } from 'express';
import { NO_REFUSED_CALLS, type RefusedCalls } from '../../platform/http/limits/refused-calls.js';
import { isConnectionError } from '../../platform/mysql/db-errors.js';
import { confirmPage, outcomePage, type PromptClicks, type PromptPage } from '../../engine/face.js';
import { AppError, messageOf, NotFound, stackOf } from '../../platform/errors.js';
import { PAGE_HEADERS } from '../../platform/http/page-style.js';
import { requestIdOf } from '../../platform/http/server/request-id.js';
import type { Logger } from '../../platform/logger.js';

export interface PromptRouterDeps {
  clicks: PromptClicks;
  /** `promptConfirm`: a GET only asks for confirmation, so that programs that open the links of a mail use none. */
  config: { promptConfirm: boolean };
  refused?: RefusedCalls;
  logger: Pick<Logger, 'warn' | 'error'>;
}

const ID = /^\/([0-9a-f]{32})\/?$/;
const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  // The URL is a secret: browsers must not send it as referrer, not even to this host.
  'Referrer-Policy': 'no-referrer',
};
/** Headers by which browsers mark a prefetch or a preview, before any click. */
const AHEAD_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

/**
 * Returns the router for prompt links (notes/runs.md, Prompts), to be mounted at `/prompts`: without a key, as the URL is the
 * secret. POST uses the link, and so does GET without `promptConfirm`; HEAD, OPTIONS and a prefetch never do.
 */
export function createPromptRouter(deps: PromptRouterDeps): Router {
  const handle = async (request: Request, response: Response): Promise<void> => {
    send(response, await respond(request, deps));
  };
  const router = Router();
  router.use((request, response) => {
    const { method } = request;
    if (method === 'GET' || method === 'POST') {
      handle(request, response).catch((error: unknown) =>
        send(response, failure(error, requestIdOf(response), deps)),
      );
      return;
    }
    const status = method === 'HEAD' || method === 'OPTIONS' ? 204 : 405;
    response.writeHead(status, { Allow: 'GET, HEAD, OPTIONS, POST' }).end();
  });
  return router;
}

async function respond(request: Request, deps: PromptRouterDeps): Promise<PromptPage> {
  const [, id] = ID.exec(request.path) ?? [];
  if (id === undefined) return noLink(request, deps);
  const { refused = NO_REFUSED_CALLS, clicks } = deps;
  if (refused.isOver(request.ip) && !(await clicks.isOurs(id))) return noLink(request, deps);
  if (request.method === 'GET' && (deps.config.promptConfirm || looksAhead(request))) {
    const { state, status } = await clicks.look(id);
    if (state === 'open') return confirmPage(status ?? '');
    return state === 'unknown' ? noLink(request, deps) : outcomePage(state);
  }
  const { state, status } = await clicks.click(id);
  return state === 'unknown' ? noLink(request, deps) : outcomePage(state, status);
}

function noLink(request: Request, { refused = NO_REFUSED_CALLS }: PromptRouterDeps): PromptPage {
  const { status } = refused.judge(request.ip, new NotFound('Link'));
  return outcomePage(status === 429 ? 'tooMany' : 'unknown');
}

/** Logs the error without the URL, which is a secret. */
function failure(error: unknown, requestId: string, { logger }: PromptRouterDeps): PromptPage {
  if (isStoreAway(error)) {
    logger.warn('a prompt could not be used: a store is unavailable', {
      request_id: requestId,
      error: messageOf(error),
    });
    return outcomePage('unavailable');
  }
  logger.error('a prompt failed', { request_id: requestId, stack: stackOf(error) });
  return outcomePage('failed');
}

function isStoreAway(error: unknown): boolean {
  return isConnectionError(error) || (error instanceof AppError && error.status === 503);
}

function looksAhead(request: Request): boolean {
  return AHEAD_HEADERS.some((name) => /prefetch|prerender|preview/i.test(String(request.headers[name])));
}

/** Sends the page, unless the reader has closed the connection. */
function send(response: Response, { status, html }: PromptPage): void {
  if (response.destroyed) return;
  const body = Buffer.from(html);
  response.writeHead(status, {
    ...HEADERS,
    'Content-Length': body.length,
    ...(status === 503 && { 'Retry-After': '5' }),
    ...(status === 429 && { 'Retry-After': '1' }),
  });
  response.end(body);
}
