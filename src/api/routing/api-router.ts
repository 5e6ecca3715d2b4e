import { Router } from 'express';
import { type MountOptions, mountRoutes } from './mount-routes.js';
import { otherPaths } from './other-paths.js';
import { createUnknownEndpoints } from './unknown-endpoints.js';

/** Creates the router of the API: its routes, their other paths, and the refusal of endpoints that are missing. */
export function createApiRouter<Services>(options: MountOptions<Services>): Router {
  const unknown = createUnknownEndpoints(options);
  const router = Router();
  router.use(otherPaths, unknown.refuseMissing);
  router.use(mountRoutes(options));
  router.use(/^\/api\/v\d+(?=\/)/, unknown.requireKeyFirst);
  return router;
}
