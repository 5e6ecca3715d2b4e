import { type CheckedRequest, type CheckOrder, checkRequest } from '../../api/face.js';
import { ROUTES } from '../routes.js';

/** `checkRequest` for a route of `ROUTES`. */
export function checkInThread({ method, path, given }: CheckOrder): CheckedRequest {
  const route = ROUTES.find((each) => each.method === method && each.path === path);
  if (route === undefined) throw new Error(`Unknown route ${method} ${path}`);
  return checkRequest(route, given);
}
