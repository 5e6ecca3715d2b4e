import { RouteResponse } from '../route.js';

/** Returns the response with an entity tag, by which the next write may be made conditional; undefined: it has none. */
export function taggedResponse(body: unknown, etag: string | undefined): unknown {
  return etag === undefined ? body : new RouteResponse(body, { headers: { ETag: etag } });
}
