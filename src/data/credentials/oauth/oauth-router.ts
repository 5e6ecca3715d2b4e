import { type Request, type Response, Router } from 'express';
import { AgentError, AppError, NotFound, PermanentJobError, stackOf } from '../../../platform/errors.js';
import { NO_REFUSED_CALLS, type RefusedCalls } from '../../../platform/http/limits/refused-calls.js';
import { htmlPage, PAGE_HEADERS } from '../../../platform/http/page-style.js';
import { requestIdOf } from '../../../platform/http/server/request-id.js';
import type { Logger } from '../../../platform/logger.js';
import { escapeHtml } from '../../../platform/text/escape-html.js';
import type { OauthConnect } from './oauth-connect.js';

export interface OauthRouterDeps {
  connect: Pick<OauthConnect, 'finish' | 'look'>;
  refused?: RefusedCalls;
  logger: Pick<Logger, 'error'>;
}

interface Page {
  status: number;
  text: string;
  /** Whether the text is HTML. */
  isHtml?: true;
}

const HEADERS = {
  ...PAGE_HEADERS,
  'Referrer-Policy': 'no-referrer',
};
/** Codes and states of servers are shorter. */
const MAX_CHARACTERS = 8_000;
const UNKNOWN = 'This link is invalid or has expired. Request a new redirect_url for the credential.';

/**
 * Returns the router for people that allowed the access of a credential, to be mounted at `/oauth`; without a key. The way
 * back asks first, and only its button connects: somebody else may have sent the person the address (decision 0084).
 */
export function createOauthRouter(deps: OauthRouterDeps): Router {
  const router = Router();
  const handle = (request: Request, response: Response): void => {
    respond(request, deps)
      .catch((error: unknown) => failure(error, { ip: request.ip, requestId: requestIdOf(response) }, deps))
      .then((page) => send(page, response))
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  };
  router.get('/callback', handle);
  router.post('/callback', handle);
  return router;
}

function send({ status, text, isHtml }: Page, response: Response): void {
  const type = isHtml === true ? 'text/html' : 'text/plain';
  response.writeHead(status, { ...HEADERS, 'Content-Type': `${type}; charset=utf-8` }).end(`${text}\n`);
}

async function respond(request: Request, { connect }: OauthRouterDeps): Promise<Page> {
  const { code, state } = request.query;
  if (!isText(state)) throw new NotFound('State');
  if (!isText(code)) return { status: 400, text: 'Access was denied. The credential is unchanged.' };
  if (request.method !== 'POST') return confirmPage(connect.look(state));
  const { name } = await connect.finish(code, state);
  return { status: 200, text: `The credential "${name}" is connected. You can close this page.` };
}

function confirmPage({ name, askedBy }: ReturnType<OauthConnect['look']>): Page {
  const [what, who] = [escapeHtml(name), escapeHtml(askedBy)];
  const body = `<p>${who} requested the access that you have authorized, for the credential <strong>${what}</strong>.</p>
<p class="soft">Stories of its team will use your access. If you do not know ${who}, close this page; nothing will be connected.</p>
<form method="post"><button type="submit">Connect the credential</button></form>`;
  return { status: 200, text: htmlPage('Connect your access?', body), isHtml: true };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_CHARACTERS;
}

/** The address holds a code and a state: it is not logged. */
function failure(
  error: unknown,
  { ip, requestId }: { ip: string | undefined; requestId: string },
  { refused = NO_REFUSED_CALLS, logger }: OauthRouterDeps,
): Page {
  if (error instanceof NotFound) return { status: refused.judge(ip, error).status, text: UNKNOWN };
  if (error instanceof AgentError || error instanceof PermanentJobError)
    return { status: 502, text: error.message };
  if (error instanceof AppError) return { status: error.status, text: error.message };
  logger.error('could not connect a credential', { request_id: requestId, stack: stackOf(error) });
  return { status: 500, text: 'The credential could not be connected.' };
}
