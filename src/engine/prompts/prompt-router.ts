import { type Request, type Response, Router } from 'express';
import { NO_REFUSED_CALLS, type RefusedCalls } from '../../platform/http/refused-calls.js';
import { isConnectionError } from '../../platform/mysql/db-errors.js';
import type { PromptClicks } from './prompt-clicks.js';
import { AppError, messageOf, NotFound, stackOf } from '../../platform/errors.js';
import { PAGE_HEADERS } from '../../platform/http/page-style.js';
import type { Logger } from '../../platform/logger.js';
import { confirmPage, outcomePage, type PromptPage } from './prompt-pages.js';

export interface PromptRouterDeps {
  clicks: PromptClicks;
  /** Whether a GET only asks, so that programs which open the links of a mail answer nothing. */
  config: { promptConfirm: boolean };
  refused?: RefusedCalls;
  logger: Pick<Logger, 'warn' | 'error'>;
}

const ID = /^\/([0-9a-f]{32})\/?$/;
const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  // The address is a secret: it is told to nobody, not even to this host.
  'Referrer-Policy': 'no-referrer',
};
/** How browsers say that nobody has clicked yet: they look ahead, or make a preview. */
const AHEAD_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

/**
 * The links of prompts (decision 0009), to be mounted at `/prompts`: no key, the address itself is
 * the secret. POST uses the link, and so does GET where it need not ask first; HEAD and OPTIONS never do, nor does a
 * browser that looks ahead.
 */
export function createPromptRouter(deps: PromptRouterDeps): Router {
  const handle = async (request: Request, response: Response): Promise<void> => {
    send(response, await answer(request, deps));
  };
  const router = Router();
  router.use((request, response) => {
    const { method } = request;
    if (method === 'GET' || method === 'POST') {
      handle(request, response).catch((error: unknown) => send(response, failure(error, deps)));
      return;
    }
    const status = method === 'HEAD' || method === 'OPTIONS' ? 204 : 405;
    response.writeHead(status, { Allow: 'GET, HEAD, OPTIONS, POST' }).end();
  });
  return router;
}

async function answer(request: Request, deps: PromptRouterDeps): Promise<PromptPage> {
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

/** The address is a secret and stays out of the log. */
function failure(error: unknown, { logger }: PromptRouterDeps): PromptPage {
  if (isStoreAway(error)) {
    logger.warn('a prompt could not be used: a store is not available', { error: messageOf(error) });
    return outcomePage('unavailable');
  }
  logger.error('a prompt failed', { stack: stackOf(error) });
  return outcomePage('failed');
}

function isStoreAway(error: unknown): boolean {
  return isConnectionError(error) || (error instanceof AppError && error.status === 503);
}

function looksAhead(request: Request): boolean {
  return AHEAD_HEADERS.some((name) => /prefetch|prerender|preview/i.test(String(request.headers[name])));
}

/** Does nothing when the reader has gone. */
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
