import { type CallAddress, callAddress } from './call-address.js';
import { callBody, payloadTemplate } from './call-body.js';
import { callHeaders } from './call-headers.js';
import { curlArguments } from './curl-options.js';
import { type CurlRequest, curlRequest, note } from './curl-request.js';
import { createSecretList, type FoundSecret, isKeyField, type SecretList } from './found-secrets.js';
import { literalText, type StoryLanguage } from './literal-text.js';
import { type Fields, fieldsOf, hasLists, objectOf } from './query-fields.js';
import { shellWords } from './shell-words.js';
import { requestName } from './request-name.js';
import { isWebhookCall, type WebhookCall, webhookCall } from './sample-call.js';

/** What the import needs to know besides the command. */
export interface CurlContext {
  /** The language of the story. */
  language: StoryLanguage;
  /** Origins of this server: `https://fabula.example.com`. */
  ownOrigins: readonly string[];
  /** Names of credentials that a person has chosen for secrets, by `where`. */
  names?: Readonly<Record<string, string>>;
}

/** An HTTP request action, made of a command. */
export interface ImportedRequest {
  kind: 'request';
  /** A name for the action. */
  name: string;
  /** The options of `Agents::HTTPRequestAgent`. */
  options: Record<string, unknown>;
  secrets: FoundSecret[];
  /** What could not be kept, in sentences. */
  remarks: string[];
}

/** A text that is no command of curl. */
export interface NoCurl {
  kind: 'none';
  message: string;
}

export type ImportedCurl = ImportedRequest | WebhookCall | NoCurl;

const MOST_CHARACTERS = 2_000_000;

/** Reads a pasted `curl` command. A call of a webhook of this server gives its sample event. */
export function importCurl(text: string, context: CurlContext): ImportedCurl {
  const request = readCommand(text);
  if ('kind' in request) return request;
  const address = callAddress(request);
  return isWebhookCall(address, context.ownOrigins)
    ? webhookCall(request, address)
    : requestAction(request, address, context);
}

/** Reads a pasted `curl` command as the call of a webhook, whatever its address. */
export function importWebhookCall(text: string): WebhookCall | NoCurl {
  const request = readCommand(text);
  return 'kind' in request ? request : webhookCall(request, callAddress(request));
}

function readCommand(text: string): CurlRequest | NoCurl {
  if (text.length > MOST_CHARACTERS) return { kind: 'none', message: 'The text is too long for a command.' };
  const { words, stdin, isOpen } = shellWords(text);
  const start = words.findIndex((word) => /(?:^|[/\\])curl(?:\.exe)?$/i.test(word));
  // `$ curl`, `sudo curl` and `TOKEN=x curl`.
  if (start === -1 || start > 6) return { kind: 'none', message: 'The text is not a curl command.' };
  const request = curlRequest(curlArguments(words.slice(start + 1)), stdin);
  if (request.urls.length === 0) return { kind: 'none', message: 'The curl command has no URL.' };
  if (isOpen) note(request, 'A quote in the command is not closed. Something may be missing.');
  return request;
}

function requestAction(request: CurlRequest, address: CallAddress, context: CurlContext): ImportedRequest {
  const { language } = context;
  const write = (text: string) => literalText(text, language);
  const list = createSecretList(address.host, context);
  const found = callHeaders(request, { host: address.host, list, write });
  const body = callBody(request, found.contentType);
  const method = methodOf(request, body !== undefined);
  const { url, fields } = queryOf(request, address);
  const isFlat = (fields !== undefined && hasLists(fields)) || body?.isFlat === true;
  const headers = { ...found.headers };
  if (request.isJson && !hasHeader(headers, 'accept')) headers.Accept = 'application/json';
  if (body === undefined && found.contentType !== undefined) headers['Content-Type'] = found.contentType;
  const authentication = authenticationOf(request, {
    user: hasHeader(headers, 'authorization') ? undefined : (request.user ?? found.basic ?? address.user),
    list,
    write,
    headers,
  });
  const options = {
    url: write(url),
    method,
    ...(body !== undefined && {
      content_type: body.contentType,
      payload: payloadTemplate(body.payload, { list, write }),
    }),
    ...(fields !== undefined && fields.size > 0 && { query_params: queryParams(fields, list, write) }),
    ...(isFlat && { params_encoder: 'flat' }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...authentication,
    ...(found.userAgent !== undefined && { user_agent: found.userAgent }),
    ...handlingOf(request, list),
  };
  noteVariables(request, options);
  return {
    kind: 'request',
    name: requestName(method, address),
    options,
    secrets: list.secrets,
    remarks: request.remarks,
  };
}

function methodOf(request: CurlRequest, hasBody: boolean): string {
  const implied = request.isHead ? 'head' : request.isUpload ? 'put' : hasBody ? 'post' : 'get';
  const method = (request.method ?? implied).toLowerCase();
  if (!hasBody || (method !== 'get' && method !== 'head')) return method;
  note(
    request,
    `A ${method.toUpperCase()} with a body cannot be sent here: it became a POST, which most such servers accept.`,
  );
  return 'post';
}

/** Returns the query as fields; one that is no UTF-8 stays in the address. */
function queryOf(request: CurlRequest, { base, query }: CallAddress): { url: string; fields?: Fields } {
  const own = request.isGet && request.body !== undefined ? [request.body] : [];
  const whole = [query, ...request.query, ...own].filter((part) => part !== '').join('&');
  const fields = fieldsOf(whole);
  return fields === undefined ? { url: `${base}?${whole}` } : { url: base, fields };
}

function queryParams(fields: Fields, list: SecretList, write: (text: string) => string) {
  return objectOf(fields, (value, name) =>
    value !== '' && isKeyField(name, value)
      ? list.keep({ where: `query_params.${name}`, kind: 'api key in query', value })
      : write(value),
  );
}

interface Authentication {
  /** `user:password`. */
  user: string | undefined;
  list: SecretList;
  write: (text: string) => string;
  headers: Record<string, string>;
}

function authenticationOf(request: CurlRequest, { user, list, write, headers }: Authentication): object {
  if (user === undefined) return {};
  const at = user.indexOf(':');
  const name = at === -1 ? user : user.slice(0, at);
  const password = at === -1 ? undefined : user.slice(at + 1);
  if (request.sigv4) {
    const where = 'headers.Authorization';
    const found = { where, kind: 'aws keys' as const, value: password ?? '', accessKey: name };
    headers.Authorization = list.keep(found);
    return {};
  }
  const where = request.isDigest ? 'digest_auth' : 'basic_auth';
  const keep = (value: string) => list.keep({ where, kind: 'basic', value });
  // Some services take their key as the user, with no password or a letter.
  const isKey = password !== undefined && password.length <= 1;
  return { [where]: isKey ? [keep(name), write(password)] : [write(name), keep(password ?? '')] };
}

/** Ten minutes: no request may last longer. */
const MOST_SECONDS = 600;
const MOST_RETRIES = 25;
/** Statuses that `--retry` takes for passing, and no response. */
const PASSING = ['0', '408', '429', '500', '502', '503', '504'];

function handlingOf(request: CurlRequest, list: SecretList): object {
  const { timeout, retries, isInsecure, followsRedirects, fails, hasCertificate } = request;
  const where = 'mutual_tls';
  return {
    ...(hasCertificate && { [where]: list.keep({ where, kind: 'client certificate', value: '' }) }),
    ...(timeout !== undefined && { timeout: Math.min(timeout, MOST_SECONDS) }),
    ...(isInsecure && { disable_ssl_verification: true }),
    ...(!followsRedirects && { disable_redirect_follow: true }),
    ...(retries !== undefined && {
      retry_on_status: PASSING,
      retries: Math.min(Math.floor(retries), MOST_RETRIES),
    }),
    ...(fails && { fail_on_status: true }),
  };
}

function hasHeader(headers: object, name: string): boolean {
  return Object.keys(headers).some((key) => key.toLowerCase() === name);
}

/** Whoever pasted it must fill in what the shell would have. */
function noteVariables(request: CurlRequest, options: object): void {
  const found =
    JSON.stringify(options).match(/\$\{[A-Z_]\w*\}|\$[A-Z_][A-Z0-9_]+\b|\$\([^()]{1,100}\)/g) ?? [];
  if (found.length === 0) return;
  note(request, `Shell variables are kept as text. Fill them in: ${[...new Set(found)].join(', ')}.`);
}
