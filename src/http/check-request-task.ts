import { type CheckedRequest, checkRequest, type GivenRequest } from './checked-request.js';
import type { Method } from './route.js';
import { ROUTES } from './routes.js';

/** A request to be checked in a thread, and the route it is for. */
export interface CheckOrder {
  method: Method;
  path: string;
  given: GivenRequest;
}

/** `checkRequest` for a route of `ROUTES`. */
export function checkInThread({ method, path, given }: CheckOrder): CheckedRequest {
  const route = ROUTES.find((each) => each.method === method && each.path === path);
  if (route === undefined) throw new Error(`There is no route ${method} ${path}`);
  return checkRequest(route, given);
}
