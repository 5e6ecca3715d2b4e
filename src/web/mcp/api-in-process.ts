import type { ServerResponse } from 'node:http';
import {
  type Actor,
  BareResponse,
  carryOut,
  type CarryOutDeps,
  ListResponse,
  refuseEarly,
  requireIds,
  type RouteLimits,
  RouteResponse,
} from '../../api/face.js';
import { LONG_BYTES } from '../../platform/http/body/read-request-body.js';
import { jsonSteps } from '../../platform/json/json-steps.js';
import { inSlices } from '../../platform/steps.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { type Choice, choiceOf, chosen } from './responses/chosen-fields.js';
import type { ToolCall } from './mcp-server.js';
import type { ResponseForm, ToolResponse } from './responses/written-response.js';

/** Characters of a list that are kept: the longest response has room for the beginnings of so many. Later entries are counted. */
const MAX_LIST_CHARACTERS = 1_000_000;

/** The MCP request that calls a tool. */
export interface ToolSender {
  actor: Actor;
  requestId: string;
  baseUrl: string;
  ip: string | undefined;
  userAgent: string | undefined;
  /** Gets the headers of the rate limit. */
  response: ServerResponse;
}

export interface ApiInProcessDeps<Services> extends CarryOutDeps<Services> {
  limits: RouteLimits;
}

/**
 * Carries out a route for a tool as for a request over HTTP: the same limits, checks, rights and audit log. Returns the
 * response. The call's signal ends what the route waits for.
 * @throws whatever the route throws; the signal's reason.
 */
export async function callInProcess<Services>(
  { tool: { route }, request, form, signal }: ToolCall<Services>,
  { sender, deps }: { sender: ToolSender; deps: ApiInProcessDeps<Services> },
): Promise<ToolResponse> {
  const { actor, requestId: id, baseUrl, ip, userAgent } = sender;
  const { method, path, params, query, body: bytes, address: originalUrl } = request;
  // The MCP request has been counted; some routes have a limit besides.
  if (route.limit !== undefined) await deps.limits.check(route, actor, sender.response);
  requireIds(method, path, params);
  await refuseEarly(route, { params, query, isLong: bytes.length > LONG_BYTES, actor }, deps.services);
  signal.throwIfAborted();
  const given = { params, query, body: { bytes, contentType: 'application/json' }, originalUrl };
  const facts = { id, baseUrl, address: ip, left: () => signal };
  const call = { given, actor, request: facts, sent: { method, path, ip, userAgent } };
  const response = await carryOut(route, call, deps);
  if (response instanceof ListResponse) return listResponse(response, form, signal);
  const body = valueOf(response);
  const text = body === undefined || body === null ? '' : ((await inSlices(jsonSteps(body))) ?? '');
  return { text, unkept: 0 };
}

function valueOf(response: unknown): unknown {
  if (response instanceof BareResponse) return response.value;
  return response instanceof RouteResponse ? response.body : response;
}

/** Only the wanted parts of each entry are kept. */
async function listResponse(
  { plural, items, meta }: ListResponse,
  form: ResponseForm | undefined,
  signal: AbortSignal,
): Promise<ToolResponse> {
  const choice = form?.paths && choiceInEntries(form.paths, plural);
  const texts: string[] = [];
  let size = 0;
  let unkept = 0;
  for await (const item of items) {
    signal.throwIfAborted();
    const text = size > MAX_LIST_CHARACTERS ? '' : entryText(item, choice);
    size += text.length;
    if (text === '') unkept += 1;
    else texts.push(text);
  }
  return { text: `{${stringifyJson(plural)}:[${texts.join(',')}],"meta":${stringifyJson(meta)}}`, unkept };
}

/** Undefined: entries are wanted whole. */
function choiceInEntries(paths: readonly string[], list: string): Choice | undefined {
  const { whole, parts } = choiceOf(paths);
  return whole.has(list) ? undefined : (parts.get(list) ?? choiceOf([]));
}

function entryText(item: unknown, choice: Choice | undefined): string {
  const text = stringifyJson(item);
  return choice === undefined ? text : stringifyJson(chosen(parseJson(text), choice));
}
