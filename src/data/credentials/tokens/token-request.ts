import { AgentError, PermanentJobError } from '../../../platform/errors.js';
import type { HttpClient, HttpRequest, HttpResponse } from '../../../platform/outbound/http-exchange.js';
import { allowsHost } from '../reach/allowed-hosts.js';

/** The credential that a token is fetched for. */
export interface TokenOwner {
  name: string;
  /** Its name in messages; default: the credential of its name. */
  called?: string;
  /** Hosts besides that of the request that redirects may lead to. */
  allowedHosts: readonly string[];
}

/** Time for one request, less than a lease. */
const TIMEOUT_MS = 15_000;
/** Statuses that another attempt may cure. */
const PASSING = new Set([408, 425, 429]);

/** Codes of a token endpoint's refusal (RFC 6749 §5.2); its other words may quote secrets. */
const ERROR_CODES = [
  'invalid_grant',
  'invalid_client',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
  'access_denied',
  'temporarily_unavailable',
];
/** A person must allow the access again. GitHub and Slack say so with status 200; the last three are OpenID's. */
const ENDED_CODES = [
  'invalid_grant',
  'bad_refresh_token',
  'invalid_refresh_token',
  'token_revoked',
  'interaction_required',
  'login_required',
  'consent_required',
];

/** Bytes of a refusal that are searched for its code. */
const MOST_READ = 4_096;

/** The access that was allowed has ended, or a refresh token that may be used once was used. */
export class GrantEnded extends PermanentJobError {
  /** `said`: who answered what, without the name of the credential. */
  constructor(
    message: string,
    readonly said: string,
  ) {
    super(message);
  }
}

function errorCodeIn({ body }: HttpResponse): string | undefined {
  const text = body.toString('latin1').slice(0, MOST_READ);
  const found = /(?:"error"\s*:\s*"|^error=|&error=)(\w+)/.exec(text)?.[1];
  return [...ERROR_CODES, ...ENDED_CODES].find((code) => code === found);
}

/**
 * Sends a request for a token. Certificates are always verified; a redirect to another host needs it among the
 * allowed hosts. Messages hold the host, the status and a standard error code: a response of such a server may quote secrets.
 * @throws AgentError for what another attempt may cure, PermanentJobError otherwise.
 */
export async function requestToken(
  http: HttpClient,
  request: HttpRequest,
  owner: TokenOwner,
): Promise<HttpResponse> {
  return requireSuccess(await askToken(http, request, owner), request, owner);
}

/** Returns a response of success. @throws as `requestToken`. */
export function requireSuccess(
  response: HttpResponse,
  { url }: Pick<HttpRequest, 'url'>,
  owner: TokenOwner,
): HttpResponse {
  const code = errorCodeIn(response);
  const isEnded = code !== undefined && ENDED_CODES.includes(code);
  if (response.status >= 200 && response.status < 300 && !isEnded) return response;
  const why = code === undefined ? '' : ` (${code})`;
  const answered = `${new URL(url).host} answered ${response.status}${why}`;
  const said = notFetched(owner, answered);
  if (isEnded) throw new GrantEnded(said, answered);
  throw response.status >= 500 || PASSING.has(response.status)
    ? new AgentError(said)
    : new PermanentJobError(said);
}

/** Does the same, and returns answers of every status. */
export async function askToken(
  http: HttpClient,
  request: HttpRequest,
  owner: TokenOwner,
): Promise<HttpResponse> {
  const { host } = new URL(request.url);
  const response = await http.request({
    ...request,
    timeoutMs: Math.min(request.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS),
    verifyTls: true,
    alwaysVerifyTls: true,
    checkHop: (url) => {
      if (url.host === host || allowsHost(owner.allowedHosts, url)) return;
      throw new PermanentJobError(notFetched(owner, `${host} redirects to a host that is not allowed`));
    },
  });
  if (response.answered) return response;
  const said = notFetched(owner, `${host} did not respond (${response.reason})`);
  throw response.forbidden === true ? new PermanentJobError(said) : new AgentError(said);
}

/** Returns the message of a failure. */
export function notFetched(
  { name, called = `the credential "${name}"` }: Pick<TokenOwner, 'name' | 'called'>,
  reason: string,
): string {
  return `The token of ${called} could not be fetched: ${reason}`;
}
