import type { Request } from 'express';
import type { Actor } from '../auth/actor.js';
import type { Authenticator } from '../auth/authenticator.js';

/** Returns the actor of a request. @throws Unauthorized for an unknown sender; Forbidden for a request that is refused. */
export type Identify = (req: Request) => Promise<Actor>;

/** Returns the identification by the API key of a request. */
export function identifyByKey(authenticator: Pick<Authenticator, 'authenticate'>): Identify {
  return (req) => authenticator.authenticate(keyHeaders(req), req.ip);
}

/** Returns the headers of a request that may carry a key. */
export function keyHeaders(req: Request) {
  return { userToken: req.get('x-user-token'), authorization: req.get('authorization') };
}
