import type { Problem } from '../platform/errors.js';
import { type RawBody, readJsonBody } from '../platform/http/json-body-reader.js';
import type { Method } from './route.js';
import { checkInput, fullAddress, type InputSchemas } from './route-input.js';

/** A request as it came, in what its route's schemas are asked about. */
export interface GivenRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: RawBody;
  originalUrl: string;
}

/** A request to be checked in a thread, and the route it is for. */
export interface CheckOrder {
  method: Method;
  path: string;
  given: GivenRequest;
}

/** A request whose shape was checked; with problems, its usable parts. */
export interface CheckedRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  problems: Problem[];
  /** With the parameters that came in the body of a GET. */
  originalUrl: string;
}

/** What of a route the shape of a request depends on. */
export interface CheckedRoute extends InputSchemas {
  maxValues?: number;
  prepare?(body: unknown): unknown;
}

/** Reads and checks a request; pure, so that a thread can do it. @throws as `readJsonBody` and `checkInput`. */
export function checkRequest(route: CheckedRoute, given: GivenRequest): CheckedRequest {
  const { params, query } = given;
  const { value: body, problems: refusedKeys } = readJsonBody(given.body, route.maxValues);
  const { problems, ...input } = checkInput(route, { params, query, body });
  return {
    ...input,
    body: route.prepare === undefined ? input.body : route.prepare(input.body),
    problems: [...refusedKeys, ...problems],
    originalUrl: fullAddress(route, given.originalUrl, { query, body }),
  };
}
