import Joi from 'joi';
import { AgentError, PermanentJobError } from '../../platform/errors.js';
import type { HttpResponse, NoResponse } from '../../platform/outbound/http-exchange.js';
import { headerOf } from '../../platform/headers/header-of.js';
import {
  type AgentContext,
  type AgentResult,
  defineAgent,
  type Emitted,
  type EmittedText,
} from '../agent.js';
import { flag, integer, isGiven, object, optionText, readOptions, word } from '../options/options.js';
import { responseEvent, isLargeResponse, isXmlResponse } from './response-body.js';
import { paginationSchema, readPagination } from './pagination.js';
import type { JsonObject } from '../../platform/json.js';
import type { OptionChecks } from '../options/option-rules.js';
import { asksForLoop } from '../setting-names.js';
import { contentKindOf } from './request-body.js';
import { basicAuthorization, digestCredentials, requestHeaders } from './request-headers.js';
import { maskedRequest } from './masked-request.js';
import {
  bodyBeforehand,
  buildRequest,
  isBodiless,
  methodOf,
  requestAddress,
  type RequestOptions,
  requireFields,
} from './request.js';
import { type StatusTest, statusRanges, statusTest } from './status-ranges.js';

/** The fault of a value of `mutual_tls` that is no certificate. */
export const NOT_MTLS = 'mutual_tls: set exactly one credential of the mode MTLS';

/** Rules of an HTTP request that its schema does not have. */
const httpRequestChecks: OptionChecks = {
  url: (url) => isGiven(url) && requestAddress(optionText(url)),
  method: (method) => isGiven(method) && methodOf(optionText(method)),
  content_type: (type) => isGiven(type) && contentKindOf(optionText(type)),
  'content-type': (type) => isGiven(type) && contentKindOf(optionText(type)),
  headers: (headers) => requestHeaders((headers ?? {}) as JsonObject),
  basic_auth: basicAuthorization,
  digest_auth: digestCredentials,
  mutual_tls: (name) => {
    if (isGiven(name) && name !== false) throw new PermanentJobError(NOT_MTLS);
  },
  payload: (payload, { method }) => {
    if (Array.isArray(payload) && isBodiless(optionText(method).trim().toUpperCase())) requireFields(payload);
  },
  log_error_on_status: (ranges) => statusTest((ranges ?? []) as string[], 'log_error_on_status'),
  retry_on_status: (ranges) => statusTest((ranges ?? []) as string[], 'retry_on_status'),
  fail_on_status: (ranges) => statusTest((ranges ?? []) as string[], 'fail_on_status'),
  pagination: (_, options) => {
    if (readPagination(options.pagination) === undefined || !asksForLoop(options)) return;
    throw new PermanentJobError('options loop and pagination cannot be used together');
  },
};

/** One day: a server that asks for a longer pause does not want the request. */
const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
/** Ten minutes. */
const MAX_TIMEOUT_SECONDS = 600;
/** As many as the platform allows. */
export const MOST_RETRIES = 25;
const ERRORS = ['0', '400-599'];
/** Failures that another attempt may cure; other 4xx mean that the request itself is wrong. */
const isPassing = statusTest(['0', '404', '408', '409', '423', '425', '429', '500-599'], 'passing');

interface HttpRequestOptions extends RequestOptions {
  log_error_on_status: string[];
  retry_on_status: string[];
  retries?: number;
  fail_on_status: string[];
  emit_failure_event?: boolean;
}

/** `true` stands for all error statuses. */
const failRanges = Joi.alternatives(
  flag().custom((on: boolean) => (on ? ERRORS : [])),
  statusRanges(),
).empty(Joi.valid('', null));

const schema: Joi.Schema<HttpRequestOptions> = Joi.object({
  url: word().required(),
  method: word().default('post'),
  content_type: word(),
  'content-type': word(),
  payload: Joi.any(),
  headers: object().default({}),
  basic_auth: Joi.any(),
  digest_auth: Joi.any(),
  query_params: object().default({}),
  params_encoder: word().lowercase().valid('flat', 'nested').default('nested'),
  user_agent: word(),
  mutual_tls: Joi.any(),
  timeout: Joi.number().positive().max(MAX_TIMEOUT_SECONDS).empty(Joi.valid('', null)),
  disable_ssl_verification: flag().default(false),
  disable_redirect_follow: flag().default(false),
  disable_url_encoding: flag().default(false),
  log_error_on_status: statusRanges().default(ERRORS),
  retry_on_status: statusRanges().default([]),
  retries: integer().min(0).max(MOST_RETRIES),
  fail_on_status: failRanges.default([]),
  emit_failure_event: flag(),
  pagination: paginationSchema,
}).unknown(true);

/** Sends an HTTP request and emits the response (docs/build/agents.md, HTTP request; spec §5.3). */
export const httpRequestAgent = defineAgent<HttpRequestOptions>({
  type: 'Agents::HTTPRequestAgent',
  queue: 'http-request',
  options: schema,
  checks: httpRequestChecks,
  valueOptions: ['payload', 'headers', 'basic_auth', 'digest_auth', 'query_params'],
  paginates: true,
  writeBody: (rendered, key) => bodyBeforehand(readOptions(schema, rendered), key),
  async run(options, context) {
    const statuses = {
      logs: statusTest(options.log_error_on_status, 'log_error_on_status'),
      retries: statusTest(options.retry_on_status, 'retry_on_status'),
      fails: statusTest(options.fail_on_status, 'fail_on_status'),
    };
    const { response, host, sent } = await context.http.send(
      options,
      (opened) => buildRequest(opened, context),
      (part) => maskedRequest(options, context, part),
    );
    if (response.answered && response.note !== undefined) context.log('warn', response.note);
    const { retries, emit_failure_event: emitsFailures } = options;
    const maxAttempts = retries === undefined ? undefined : retries + 1;
    return resultOf(response, { statuses, context, host, sent, emitsFailures, maxAttempts });
  },
});

interface Exchange {
  statuses: Record<'logs' | 'retries' | 'fails', StatusTest>;
  context: AgentContext;
  host: string;
  sent: string | undefined;
  emitsFailures: boolean | undefined;
  /** Its own number of attempts; undefined: as the server says. */
  maxAttempts: number | undefined;
}

/** Decides whether the outcome of a request gives an event, nothing, another attempt or a failure. */
async function resultOf(response: HttpResponse | NoResponse, exchange: Exchange): Promise<AgentResult> {
  const { statuses, context, host, sent, emitsFailures, maxAttempts } = exchange;
  if (!response.answered && response.interrupted) throw new AgentError(response.reason);
  const status = response.answered ? response.status : 0;
  const said = response.answered ? `${host} answered ${status}` : response.reason;
  const isForbidden = !response.answered && response.forbidden === true;
  const isLast = isForbidden || context.attempt + 1 >= (maxAttempts ?? context.maxAttempts);
  const fails = statuses.fails(status);
  if (!isLast && (statuses.retries(status) || (fails && isPassing(status)))) {
    throw new AgentError(said, { retryAfterMs: waitAsked(response), maxAttempts, status });
  }
  if (fails && emitsFailures === undefined) throw new PermanentJobError(said, { status });
  if (fails || statuses.logs(status)) context.log('error', said);
  if (!fails && response.answered) return emitted(response, context, sent);
  if (emitsFailures === false) return { outputs: [], failed: true };
  return { ...(await emitted(response, context, sent)), failed: true };
}

async function emitted(
  response: HttpResponse | NoResponse,
  { writeResponse, readResponse }: AgentContext,
  sent: string | undefined,
): Promise<Emitted | EmittedText> {
  const came = sent === undefined ? {} : { request: sent };
  if (!response.answered) {
    return { outputs: [{ payload: { status: 0, headers: {}, body: response.reason }, ...came }] };
  }
  const isLarge = isLargeResponse(response);
  if (isLarge && writeResponse !== undefined) {
    return { texts: [{ payload: await writeResponse(response), branch: 'normal', ...came }] };
  }
  // JSON would be parsed on this event loop anyway.
  const isReadElsewhere = isLarge && readResponse !== undefined && isXmlResponse(response);
  const payload = isReadElsewhere ? await readResponse(response) : responseEvent(response);
  return { outputs: [{ payload, ...came }] };
}

function waitAsked(response: HttpResponse | NoResponse): number | undefined {
  return response.answered ? retryAfterMs(headerOf(response.headers, 'retry-after'), Date.now()) : undefined;
}

/** Returns the pause in milliseconds that `Retry-After` asks for, in seconds or as an HTTP date; otherwise undefined. */
function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_RETRY_AFTER_MS);
}
