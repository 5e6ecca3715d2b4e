import type Joi from 'joi';
import type { Actor } from './auth/actor.js';
import type { Problem } from '../platform/errors.js';
import type { Usable } from '../platform/validation/partial-input.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Input of a handler, with values converted by joi. It never includes the request itself. */
export interface RouteInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  actor: Actor;
  request: RequestFacts;
}

/** Input of a route's `check`: the valid parts of the request. */
export interface UsableInput<Params, Query, Body> {
  params: Params;
  query: Usable<Query>;
  body: Usable<Body>;
  actor: Actor;
}

/** Problems, if any. Some checks return none: they only throw if the target is missing or may not be changed. */
export type FurtherProblems = readonly Problem[] | undefined | void;

/** Facts of the request that handlers need in addition to its values. */
export interface RequestFacts {
  id: string;
  /** The header `If-Match`; never one that the route does not honour, except `*`. */
  ifMatch?: string | undefined;
  /** The header `User-Agent`. */
  userAgent?: string | undefined;
  /** The IP address of the client; behind trusted proxies, the forwarded one. */
  address?: string | undefined;
  /** The header `Last-Event-ID`. */
  lastEventId?: string | undefined;
  /** `PUBLIC_URL`, or the request's own scheme and host if that host is one of ours. Without a trailing slash. */
  baseUrl: string;
  /** Path and query as received, followed by the parameters that came in the body of a GET. */
  originalUrl: string;
  /** Returns a signal that aborts if the client leaves before it has the response. Made at its first use. */
  left(): AbortSignal;
}

/** A handler's response that needs another status than the default, or headers. */
export class RouteResponse {
  constructor(
    readonly body: unknown,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

/** A value that answers by itself: a text as plain text, any other as JSON. The audit log does not look into it. */
export class BareResponse {
  constructor(readonly value: unknown) {}
}

/** A list whose page may be too large for memory: it is sent item by item, as `{<plural>: […], meta}`. */
export class ListResponse {
  constructor(
    readonly plural: string,
    readonly items: AsyncIterable<unknown>,
    readonly meta: object,
  ) {}
}

/** Documentation of a route, in addition to its summary and input schemas. */
export interface RouteDocs {
  /** The name of the route in clients, if its path gives no good one: `importStory` (`openapi/operation-id.ts`). */
  operationId?: string;
  /** Heading of its group: `Records`. */
  tag: string;
  description?: string;
  /** Schema of the request body, if `body` leaves the checks to `prepare`. */
  body?: Joi.Schema;
  /** The type of the response unless it is JSON; `response` describes one event then. */
  contentType?: 'text/event-stream';
  /** A text that the route may answer bare, as `text/plain`; absent: every response has `contentType`. */
  bareText?: string;
  /** Schema of the response body; absent for 204. */
  response?: Joi.Schema;
  /** Real values that pass the route's own schemas. */
  example: {
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    body?: unknown;
    response?: unknown;
  };
  /** Error statuses of this route, in addition to 401, 429, 500 and 503, which every route has. */
  errors: readonly number[];
}

/** One endpoint of the REST API: authenticate → limit → validate → handle (ARCHITECTURE.md, Lists). */
export interface RouteDefinition<Params, Query, Body, Services> {
  method: Method;
  /** Express path: `/api/v1/stories/:id`. */
  path: string;
  summary: string;
  /** Status of a success: 200 unless given; 201 for create, 204 (no body) for delete. */
  status?: number;
  params?: Joi.ObjectSchema<Params>;
  query?: Joi.ObjectSchema<Query>;
  body?: Joi.ObjectSchema;
  /** Names that public clients send and that have no effect here: taken from query and body, and dropped. */
  ignored?: readonly string[];
  /**
   * Names that public clients send for something that Fabula lacks, with the reason. Refused as "not supported here"
   * unless the value asks for nothing: null, an empty text or list, false.
   */
  unsupported?: Readonly<Record<string, string>>;
  /** Maximum number of values in the body. Default: 20,000. */
  maxValues?: number;
  /**
   * Converts the body that joi checked, or its valid parts, into the body for `check` and `handle`. It must be pure,
   * because a thread runs it for a large body.
   */
  prepare?(body: unknown): Body;
  docs?: RouteDocs;
  /** Action of this write in the audit log: `record.update`. Absent for routes that only read. */
  audit?: string;
  /**
   * Returns the action in the audit log, if this call reaches other systems; then it is recorded even if it fails. Undefined:
   * it does not, and `audit` holds.
   */
  auditReach?(body: Body): string | undefined;
  /**
   * Returns the id of what this call changes, if its path names another thing: the copy of an action in a draft. Throws
   * NotFound and Forbidden as `handle` does.
   */
  auditedId?(input: RouteInput<Params, Query, Body>, services: Services): Promise<number | undefined>;
  /** The route compares `If-Match` with the version of what it changes. Other writes refuse the header (spec §1.11). */
  honoursIfMatch?: boolean;
  /** A rate limit in addition to the general one (spec §1.8). */
  limit?: 'records-list';
  /**
   * Returns further problems of a request with invalid shape: in the meaning of its valid parts, so that one response
   * names all problems (notes/api.md, Every problem at once). Writes nothing. Throws NotFound and Forbidden as `handle` does; these take
   * precedence over problems. Every route with a body has one.
   */
  check?(
    input: UsableInput<Params, Query, Body>,
    services: Services,
  ): FurtherProblems | Promise<FurtherProblems>;
  handle(input: RouteInput<Params, Query, Body>, services: Services): unknown;
}

/** Any route of an application with these services. */
export type AnyRoute<Services> = RouteDefinition<never, never, never, Services>;

/**
 * Declares an endpoint. Unknown keys in query and body are refused by name (422). `handle` returns the JSON response,
 * a `RouteResponse`, a `BareResponse`, a `ListResponse` or an `EventStream`.
 */
export function defineRoute<Params, Query, Body, Services>(
  route: RouteDefinition<Params, Query, Body, Services>,
): AnyRoute<Services> {
  return route as unknown as AnyRoute<Services>;
}

/** Declares PUT and PATCH, which mean the same: what the body does not name stays unchanged. */
export function defineUpdate<Params, Query, Body, Services>(
  route: Omit<RouteDefinition<Params, Query, Body, Services>, 'method'>,
): AnyRoute<Services>[] {
  const { docs } = route;
  const operationId = docs?.operationId?.replace(/^update/, 'patch');
  return [
    defineRoute<Params, Query, Body, Services>({ ...route, method: 'put' }),
    defineRoute<Params, Query, Body, Services>({
      ...route,
      method: 'patch',
      ...(docs && operationId !== undefined && { docs: { ...docs, operationId } }),
    }),
  ];
}
