import { type Actor, requireTeam } from '../../../api/face.js';
import { readVerbs } from '../../../agents/face.js';
import { Conflict, NotFound } from '../../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { type AgentService, type AgentView, givenAddress, WEBHOOK_TYPE } from '../../../stories/face.js';
import type { OwnCalls } from './own-calls.js';

/** The call of a webhook by hand. */
export interface WantedCall {
  /** Undefined: POST, or another that the webhook accepts. */
  method: string | undefined;
  query: JsonObject;
  /** Headers; those of the connection and of the body are made here. */
  headers: Record<string, string>;
  /** A text is sent unchanged, any other value as JSON; undefined: no body. */
  body: JsonValue | undefined;
}

/** Where a call goes and comes from. */
export interface CallPlace {
  /** The webhook. */
  id: number;
  /** The IP address of the caller. */
  address: string | undefined;
  /** Ends the call. */
  left: AbortSignal;
}

/** The response to a call. */
export interface AnsweredCall {
  status: number;
  headers: Record<string, string>;
  body: string;
  isCut: boolean;
  /** The run that the call has started; undefined: it was refused. */
  runGuid: string | undefined;
}

export interface WebhookCallDeps {
  agents: Pick<AgentService, 'get'>;
  calls: Pick<OwnCalls, 'send'>;
}

const RUN_HEADER = 'x-service-story-run';
const HOST = 'localhost';
/** Headers that belong to the connection, or would send a body otherwise than it is. */
const NOT_GIVEN = new Set([
  'host',
  'connection',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'keep-alive',
]);

export type WebhookCallService = ReturnType<typeof createWebhookCallService>;

/** Calls webhooks by hand: at their own address, with all that a call from outside goes through. */
export function createWebhookCallService({ agents, calls }: WebhookCallDeps) {
  const found = async (actor: Actor, id: number): Promise<AgentView> => {
    const agent = await agents.get(actor, id, { what: 'Webhook' });
    if (agent.type !== WEBHOOK_TYPE) throw new NotFound('Webhook');
    requireTeam(actor, agent.teamId, 'write', 'Webhook');
    return agent;
  };
  return {
    /** @throws NotFound, Forbidden for a webhook that the actor may not run. */
    async check(actor: Actor, id: number): Promise<void> {
      await found(actor, id);
    },

    /** Returns the response of the webhook. @throws as `check`; Conflict for a webhook without an address; the reason of `left`. */
    async call(
      actor: Actor,
      { id, address: client, left }: CallPlace,
      wanted: WantedCall,
    ): Promise<AnsweredCall> {
      const { options } = await found(actor, id);
      const { path, secret } = givenAddress(options);
      if (path === undefined || secret === undefined) throw new Conflict('The webhook has no address yet');
      const address = [path, secret].map(encodeURIComponent).join('/');
      const query = new URLSearchParams(
        Object.entries(wanted.query).map(([name, value]): [string, string] => [name, textOf(value)]),
      );
      const { status, headers, body, isCut } = await calls.send({
        method: wanted.method ?? usualMethod(options['verbs']),
        path: `/webhook/${address}${query.size === 0 ? '' : `?${query.toString()}`}`,
        headers: headersOf(wanted),
        body: wanted.body === undefined ? '' : textOf(wanted.body),
        address: client,
        signal: left,
      });
      const run = headers[RUN_HEADER];
      return {
        status,
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
        ),
        body: body.toString('utf8'),
        isCut,
        runGuid: typeof run === 'string' ? run : undefined,
      };
    },
  };
}

function usualMethod(verbs: JsonValue | undefined): string {
  const [first = 'POST', ...others] = readVerbs(verbs);
  return others.includes('POST') ? 'POST' : first;
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : stringifyJson(value));

function headersOf({ headers, body }: WantedCall): Record<string, string> {
  const given = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !NOT_GIVEN.has(name));
  const named = Object.fromEntries(given);
  if (body === undefined) return { ...named, host: HOST };
  const isText = typeof body === 'string';
  const type = isText ? (named['content-type'] ?? 'text/plain; charset=utf-8') : 'application/json';
  return {
    ...named,
    host: HOST,
    'content-type': type,
    'content-length': String(Buffer.byteLength(textOf(body))),
  };
}
