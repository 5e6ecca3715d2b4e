import type { Problem } from '../../platform/errors.js';
import { type RawBody, readJsonBody } from '../../platform/http/body/json-body-reader.js';
import type { Method } from '../route.js';
import { checkInput, fullAddress, type InputSchemas } from './route-input.js';

/** The unchecked parts of a request that the route's schemas check. */
export interface GivenRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: RawBody;
  originalUrl: string;
}

/** A request to check in a thread, with method and path of its route. */
export interface CheckOrder {
  method: Method;
  path: string;
  given: GivenRequest;
}

/** A checked request; if it has problems, only its valid parts. */
export interface CheckedRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  problems: Problem[];
  /** With the parameters from the body of a GET. */
  originalUrl: string;
}

/** The parts of a route that the check of a request needs. */
export interface CheckedRoute extends InputSchemas {
  maxValues?: number;
  prepare?(body: unknown): unknown;
}

/** Parses and checks a request; pure, so that a thread can run it. @throws as `readJsonBody` and `checkInput`. */
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
