import type { Exchange, MailSender, RequestSender } from '../../agents/face.js';
import { allowsDomain, allowsHost } from '../../data/face.js';
import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import type {
  HttpClient,
  HttpRequest,
  HttpResponse,
  NoResponse,
} from '../../platform/outbound/http-exchange.js';
import type { Mail, Mailer } from '../../platform/outbound/mail/mail.js';
import { parsedJson } from '../../language/face.js';
import { withMarkers } from '../../platform/secrets/secret-reference.js';
import { type RequestKeeping, sendKeeping, type SentRequests } from './redaction/sent-requests.js';
import { withSpecialSecrets } from './redaction/special-secrets.js';
import { textsOf } from './redaction/texts-of.js';
import type { OpenedSecrets } from './opened-secrets.js';
import type { Secret } from './team-secrets.js';
import { orderedObject } from '../../platform/json/ordered-object.js';

/** Hosts that URLs rewrite: the number 16909060 becomes 1.2.3.4, names in other scripts become punycode. */
const SPELLED = /(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|[\w.-]*xn--[\w.-]*)(?![\w.])/g;
/** A text that a URL may rewrite if it is used in a host. */
const MAY_BE_SPELLED = /^[\da-fx.%\s]*$|[^ -~\s]/i;
const SOME_HOST = '[host]';

/**
 * Returns the HTTP client for agents. It resolves references in the options just before sending, and sends secrets only to
 * the hosts they are bound to, at each redirect (decision 0026). Without `secrets` the options are sent unchanged. `requests`
 * gets what is kept of each; absent: nothing is.
 */
export function createRequestSender(
  http: HttpClient,
  secrets: OpenedSecrets | undefined,
  requests?: SentRequests,
): RequestSender {
  return {
    async send(options, build, mask) {
      const means: Means = { http, secrets, requests, mask };
      const exchange = await sendOnce(options, build, means);
      const { response } = exchange;
      const isRefused = response.answered && response.status === UNAUTHORIZED;
      if (!isRefused || secrets === undefined || !(await secrets.renew())) return exchange;
      return sendOnce(options, build, means);
    },
  };
}

/** The receiver took nothing: the request is sent again, once, with another token. */
const UNAUTHORIZED = 401;

interface Means extends RequestKeeping {
  http: HttpClient;
}

async function sendOnce<Options>(
  options: Options,
  build: (opened: Options) => HttpRequest,
  means: Means,
): Promise<Exchange> {
  const { http, secrets } = means;
  const opened = await openOptions(options, secrets);
  const plain = built(build, options, opened);
  const used = secrets?.list() ?? [];
  const { host } = new URL(plain.url);
  if (secrets === undefined || used.length === 0) {
    return { ...(await sendKeeping(plain, () => http.request(plain), means)), host };
  }
  const readable = withReadableResponse(plain);
  const request = withSpecialSecrets(readable, opened, secrets);
  const texts = secrets.texts().map(([, text]) => text.trim());
  const hosts = createHostWords(options, texts);
  const careful = { ...request, secretHeaders: headersWith(texts, request) };
  const send = () => http.request(guarded(careful, used, hosts.words));
  const { response, sent } = await sendKeeping(readable, send, means);
  return { response: hosts.ofResponse(response), host: hosts.words(host), sent };
}

/** Returns the same for mails, where the recipients' domains are the hosts. */
export function createMailSender(mailer: Mailer, secrets: OpenedSecrets | undefined): MailSender {
  return {
    async send(options, build, signal) {
      const made = built(build, options, await openOptions(options, secrets));
      for (const secret of secrets?.list() ?? []) checkRecipients(made.mail, secret);
      for (const [name, { aws, tls }] of secrets?.obtained() ?? []) {
        if (aws === undefined && tls === undefined) continue;
        throw new PermanentJobError(
          `The credential "${name}" is for HTTP requests and cannot be used in a mail`,
        );
      }
      return { built: made, refused: await mailer.send(made.mail, signal) };
    },
  };
}

/**
 * Builds from the options with their secrets. If that fails, it reports the error for the options without secrets: the
 * original may quote part of a secret, and parts are not redacted.
 */
function built<Options, Made>(build: (options: Options) => Made, options: Options, opened: Options): Made {
  if (opened === options) return build(options);
  try {
    return build(opened);
  } catch (error) {
    if (!(error instanceof PermanentJobError)) throw error;
    build(options);
    throw new PermanentJobError('The options cannot be sent with the values of their credentials');
  }
}

/** Resolves references; an option of exactly one reference may become a list or an object, as in a template. */
async function openOptions<Options>(options: Options, secrets: OpenedSecrets | undefined): Promise<Options> {
  if (secrets === undefined) return options;
  const opened = await secrets.open(options);
  if (opened === options || !isJsonObject(options) || !isJsonObject(opened)) return opened;
  const values = Object.entries(opened).map(([name, value]): [string, JsonValue] => [
    name,
    isOneReference(options[name]) && typeof value === 'string' ? parsedJson(value) : value,
  ]);
  return orderedObject(values) as Options & JsonObject;
}

function isOneReference(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && /^\s*~[^~]+~[^~]+~\s*$/.test(value) && withMarkers(value) !== value;
}

/** Removes the agent's own accept-encoding: in a response with an unsupported compression a secret is not found. */
function withReadableResponse(request: HttpRequest): HttpRequest {
  const { 'accept-encoding': _, ...headers } = request.headers;
  return { ...request, headers };
}

/** Returns the names of headers that contain one of the texts; header values hold UTF-8 bytes as latin1. */
function headersWith(texts: readonly string[], { headers }: HttpRequest): string[] {
  const written = texts.filter((text) => text !== '').map((text) => Buffer.from(text).toString('latin1'));
  return Object.keys(headers).filter((name) => written.some((text) => headers[name]?.includes(text)));
}

/** Returns a request that throws PermanentJobError for a host not allowed for a secret, before it connects. */
function guarded(
  request: HttpRequest,
  used: readonly Secret[],
  words: (host: string) => string,
): HttpRequest {
  const bound = used.filter(({ allowedHosts }) => allowedHosts.length > 0);
  if (bound.length === 0) return request;
  return {
    ...request,
    alwaysVerifyTls: true,
    checkHop: (url) => {
      for (const secret of bound) checkHost(url, secret, words);
    },
  };
}

function checkHost(url: URL, { name, allowedHosts }: Secret, words: (host: string) => string): void {
  if (allowsHost(allowedHosts, url)) return;
  throw new PermanentJobError(
    `The credential "${name}" cannot be sent to ${words(url.host)}: check its allowed hosts`,
  );
}

function checkRecipients({ to, cc, bcc }: Mail, { name, allowedHosts }: Secret): void {
  if (allowedHosts.length === 0) return;
  for (const { address } of [...to, ...cc, ...bcc]) {
    const domain = address.slice(address.lastIndexOf('@') + 1);
    if (allowsDomain(allowedHosts, domain)) continue;
    throw new PermanentJobError(
      `The credential "${name}" cannot be sent to addresses at ${domain}: check its allowed hosts`,
    );
  }
}

/**
 * Replaces rewritten hosts in texts for people, unless the options contain them: a secret used in a URL's host, also of a
 * redirect, is not found there by the redactor.
 */
function createHostWords(options: unknown, secrets: readonly string[]) {
  const mayBeSpelled = secrets.some((secret) => MAY_BE_SPELLED.test(secret));
  let written: string | undefined;
  const isWritten = (host: string): boolean => {
    written ??= [...textsOf(options as JsonValue)].join('\n').toLowerCase();
    return written.includes(host);
  };
  const words = (text: string): string =>
    mayBeSpelled ? text.replace(SPELLED, (host) => (isWritten(host) ? host : SOME_HOST)) : text;
  return {
    words,
    /** Returns the response with its reason or note for people rewritten. */
    ofResponse(response: HttpResponse | NoResponse): HttpResponse | NoResponse {
      if (!response.answered) return { ...response, reason: words(response.reason) };
      return response.note === undefined ? response : { ...response, note: words(response.note) };
    },
  };
}
