import type Joi from 'joi';
import type { Actor } from '../access/auth/actor.js';
import type { Problem } from '../platform/errors.js';
import type { Usable } from '../platform/validation/partial-input.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What a handler gets: never the request itself. Values are those joi made of the input. */
export interface RouteInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  actor: Actor;
  request: RequestFacts;
}

/** What a route's `check` gets: the parts of the request that can be used. */
export interface UsableInput<Params, Query, Body> {
  params: Params;
  query: Usable<Query>;
  body: Usable<Body>;
  actor: Actor;
}

/** Problems, if any; some checks only look whether the target is there and may be changed. */
export type FurtherProblems = readonly Problem[] | undefined | void;

/** The few facts of the request that handlers need besides its values. */
export interface RequestFacts {
  id: string;
  /** `PUBLIC_URL`, or the request's own scheme and host, as far as that is one of ours. Without a trailing slash. */
  baseUrl: string;
  /** Path and query as received, followed by the parameters that came in the body of a GET. */
  originalUrl: string;
}

/** A handler's answer when it needs more than 200 and a body. */
export class RouteAnswer {
  constructor(
    readonly body: unknown,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

/** A list whose page may be larger than memory should hold: it is sent item by item, as `{<plural>: […], meta}`. */
export class ListAnswer {
  constructor(
    readonly plural: string,
    readonly items: AsyncIterable<unknown>,
    readonly meta: object,
  ) {}
}

/** What the documentation says of a route besides its summary and input schemas. */
export interface RouteDocs {
  /** The heading it stands under: `Records`. */
  tag: string;
  description?: string;
  /** Of the answer's body; none for 204. */
  response?: Joi.Schema;
  /** Real values that pass the route's own schemas. */
  example: {
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    body?: unknown;
    response?: unknown;
  };
  /** Statuses of errors of its own, besides 401, 429, 500 and 503, which every route has. */
  errors: readonly number[];
}

/** One endpoint of the REST API: authenticate → limit → validate → handle (ARCHITECTURE.md, Three lists). */
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
  /** Values that a body may have; 20,000 unless given. */
  maxValues?: number;
  /**
   * What `check` and `handle` get in the place of the body; pure, since a thread does it for a large one. It gets what joi made of the body,
   * or the usable parts of it.
   */
  prepare?(body: unknown): Body;
  docs?: RouteDocs;
  /** What the audit log calls this write: `record.update`. Routes that only read have none. */
  audit?: string;
  /** A rate limit of its own besides the general one (spec §1.8). */
  limit?: 'records-list';
  /**
   * What else is wrong with a request that is refused for its shape: with the meaning of its usable parts, so that one
   * answer names everything (decision 0008). Only reads. Throws NotFound and Forbidden as `handle`
   * does, which go before all problems. Every route that takes a body has one.
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
 * Declares an endpoint. Unknown keys in query and body are refused by name (422); what `handle` returns is
 * the JSON answer (or a `RouteAnswer`, or a `ListAnswer`).
 */
export function defineRoute<Params, Query, Body, Services>(
  route: RouteDefinition<Params, Query, Body, Services>,
): AnyRoute<Services> {
  return route as unknown as AnyRoute<Services>;
}
