import type { ServerResponse } from 'node:http';
import type { Actor } from '../../access/auth/actor.js';
import { leftSignal } from '../../platform/http/left-signal.js';
import { LONG_BYTES } from '../../platform/http/read-request-body.js';
import { jsonSteps } from '../../platform/json/json-steps.js';
import { inSlices } from '../../platform/steps.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { type CarryOutDeps, carryOut, requireIds } from '../carry-out.js';
import { refuseEarly } from '../early-refusal.js';
import type { RouteLimits } from '../rate-limit.js';
import { BareResponse, ListResponse, RouteResponse } from '../route.js';
import type { UnreadRequest } from './api-request.js';
import type { ApiTool } from './tool.js';

/** Characters of a list that are read before its rest is left unread: the tool refuses such an answer. */
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
 * JSON of the answer.
 * @throws whatever the route throws.
 */
export async function callInProcess<Services>(
  { route }: ApiTool<Services>,
  request: UnreadRequest,
  { sender, deps }: { sender: ToolSender; deps: ApiInProcessDeps<Services> },
): Promise<string> {
  const { actor, requestId: id, baseUrl, ip, userAgent } = sender;
  const { method, path, params, query, body: bytes, address: originalUrl } = request;
  // The MCP request has been counted; some routes have a limit besides.
  if (route.limit !== undefined) await deps.limits.check(route, actor, sender.response);
  requireIds(method, path, params);
  await refuseEarly(route, { params, query, isLong: bytes.length > LONG_BYTES, actor }, deps.services);
  const given = { params, query, body: { bytes, contentType: 'application/json' }, originalUrl };
  const left = () => leftSignal(sender.response);
  const call = { given, actor, request: { id, baseUrl, left }, sent: { method, path, ip, userAgent } };
  return textOf(await carryOut(route, call, deps));
}

async function textOf(answer: unknown): Promise<string> {
  if (answer instanceof ListResponse) return listText(answer);
  const body = valueOf(answer);
  return body === undefined || body === null ? '' : ((await inSlices(jsonSteps(body))) ?? '');
}

function valueOf(answer: unknown): unknown {
  if (answer instanceof BareResponse) return answer.value;
  return answer instanceof RouteResponse ? answer.body : answer;
}

async function listText({ plural, items, meta }: ListResponse): Promise<string> {
  const texts: string[] = [];
  let size = 0;
  for await (const item of items) {
    const text = stringifyJson(item);
    texts.push(text);
    size += text.length;
    if (size > MAX_LIST_CHARACTERS) break;
  }
  return `{${stringifyJson(plural)}:[${texts.join(',')}],"meta":${stringifyJson(meta)}}`;
}
