import { METHODS } from 'node:http';
import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import type { HttpRequest } from '../../platform/outbound/http-exchange.js';
import { readJson } from '../json-text.js';
import { holdsReference } from '../../platform/secrets/secret-reference.js';
import type { AgentContext, RequestBody } from '../agent.js';
import { optionText } from '../options/options.js';
import { addTextToQuery, addToQuery, formFields, type ParamsEncoder, plainFields } from './query.js';
import { contentKindOf, encodeBody } from './request-body.js';
import { basicAuthorization, digestCredentials, requestHeaders } from './request-headers.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** The options that define the request. */
export interface RequestOptions {
  url: string;
  method: string;
  content_type?: string;
  /** Some exports use this name instead of `content_type`. */
  'content-type'?: string;
  payload?: JsonValue;
  headers: JsonObject;
  basic_auth?: JsonValue;
  digest_auth?: JsonValue;
  query_params: JsonObject;
  params_encoder: ParamsEncoder;
  user_agent?: string;
  timeout?: number;
  disable_ssl_verification: boolean;
  disable_redirect_follow: boolean;
  disable_url_encoding?: boolean;
}

/** The parts of the context that a request needs besides its options. */
export type RequestContext = Pick<AgentContext, 'log' | 'idempotencyKey' | 'signal' | 'body'> & {
  story: Pick<AgentContext['story'], 'tenantId'>;
};

/** CONNECT asks for a tunnel, TRACE for the request itself. LIST is of Vault; QUERY is new to HTTP. */
const SENT_METHODS: ReadonlySet<string> = new Set(
  [...METHODS, 'LIST', 'QUERY'].filter((method) => method !== 'CONNECT' && method !== 'TRACE'),
);

/** Methods without a body: their payload becomes part of the query. */
const BODILESS = ['GET', 'HEAD'];

/**
 * Builds the request from the options.
 * @throws PermanentJobError naming the invalid option.
 */
export function buildRequest(options: RequestOptions, context: RequestContext): HttpRequest {
  const method = methodOf(options.method);
  const { url, userinfo } = requestAddress(options.url);
  const { host, ...headers } = requestHeaders(options.headers);
  if (host !== undefined && !isHostOf(url, host)) context.log('warn', OTHER_HOST);
  addFields(url, options.query_params, options);
  const encoded = isBodiless(method)
    ? addPayloadToQuery(url, options)
    : (context.body ?? bodyOf(options, headers['content-type'], context.idempotencyKey));
  if (encoded?.note !== undefined) context.log('warn', encoded.note);
  const digest = digestCredentials(options.digest_auth);
  const authorization =
    digest === undefined
      ? (basicAuthorization(options.basic_auth) ?? basicAuthorization(userinfo))
      : undefined;
  return {
    url: url.href,
    method,
    headers: {
      'idempotency-key': context.idempotencyKey,
      ...(authorization === undefined ? {} : { authorization }),
      ...(options.user_agent === undefined ? {} : requestHeaders({ 'user-agent': options.user_agent })),
      ...headers,
      ...(encoded === undefined ? {} : { 'content-type': encoded.contentType }),
    },
    ...(encoded === undefined ? {} : { body: encoded.body }),
    ...(digest === undefined || headers.authorization !== undefined ? {} : { digest }),
    ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout * 1000 }),
    followRedirects: !options.disable_redirect_follow,
    verifyTls: !options.disable_ssl_verification,
    signal: context.signal(),
    group: context.story.tenantId,
  };
}

/**
 * Encodes the body before `buildRequest` runs. Returns undefined if there is none, or if it contains secrets, which
 * are inserted only when it is sent.
 * @throws PermanentJobError as `buildRequest`.
 */
export function bodyBeforehand(options: RequestOptions, seed: string): RequestBody | undefined {
  if (isBodiless(methodOf(options.method))) return undefined;
  const header = requestHeaders(options.headers)['content-type'];
  const type = options.content_type ?? options['content-type'] ?? header;
  // A reference in a header's name may become `content-type`.
  const parts = [type, header, Object.keys(options.headers), options.payload];
  return holdsReference(stringifyJson(parts)) ? undefined : bodyOf(options, header, seed);
}

/** An allowed address may serve other hosts by name, which the operator has not allowed. */
const OTHER_HOST = 'headers.host was ignored: requests always use the host of their url';

/** Whether requests with this method, in capitals, have no body. */
export function isBodiless(method: string): boolean {
  return BODILESS.includes(method);
}

function isHostOf(url: URL, host: string): boolean {
  return [url.host, url.hostname].includes(host.toLowerCase());
}

/** @throws PermanentJobError for a method that cannot be sent. */
export function methodOf(method: string): string {
  const upper = method.toUpperCase();
  if (!SENT_METHODS.has(upper)) {
    throw new PermanentJobError('method: use get, post, put, patch, delete, head or options');
  }
  return upper;
}

/**
 * Parses the address and removes its fragment; a user and password in it become basic authentication.
 * @throws PermanentJobError for a text that is no address.
 */
export function requestAddress(text: string): { url: URL; userinfo: string | undefined } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new PermanentJobError('url: not an address that starts with http:// or https://');
  }
  const userinfo = url.username === '' ? undefined : `${decoded(url.username)}:${decoded(url.password)}`;
  url.username = '';
  url.password = '';
  url.hash = '';
  return { url, userinfo };
}

/** Decodes `%xx`; bytes that are not UTF-8 become U+FFFD. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) =>
    Buffer.from(codes.replaceAll('%', ''), 'hex').toString(),
  );
}

/** Without a body there is no text to send as it is: the JSON text of an object or list means that value. */
function addPayloadToQuery(url: URL, options: RequestOptions): undefined {
  const { payload: given } = options;
  const payload = typeof given === 'string' && /^\s*[[{]/.test(given) ? (readJson(given) ?? given) : given;
  if (payload === undefined || payload === null) return;
  if (isJsonObject(payload)) addFields(url, payload, options);
  else if (!Array.isArray(payload)) addTextToQuery(url, optionText(payload));
  else requireFields(payload);
}

/** @throws PermanentJobError for a list, which has no names for the fields of a query. */
export function requireFields(payload: JsonValue[]): void {
  if (payload.length > 0) throw new PermanentJobError('payload: a list cannot be sent with this method');
}

function addFields(url: URL, object: JsonObject, options: RequestOptions): void {
  const fields = formFields(object, options.params_encoder);
  if (options.disable_url_encoding === true) addTextToQuery(url, plainFields(fields));
  else addToQuery(url, fields);
}

function bodyOf(options: RequestOptions, header: string | undefined, seed: string): RequestBody | undefined {
  const { payload } = options;
  if (payload === undefined || payload === null || payload === '') return undefined;
  const { kind, header: meant } = contentKindOf(options.content_type ?? options['content-type'] ?? header);
  // The story's own header wins, except that only the encoder knows the boundary of multipart.
  return encodeBody(payload, { kind, header: header ?? meant }, { encoder: options.params_encoder, seed });
}
