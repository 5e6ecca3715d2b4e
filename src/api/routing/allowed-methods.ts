import type { AnyRoute } from '../route.js';

/** Returns the methods of a path's routes as the header `Allow` has them; undefined for a path that no route serves. */
export type AllowedMethods = (path: string) => string | undefined;

/** Finds the methods of paths among these routes. A path with an id that is none is served by no route (spec §1.4). */
export function createAllowedMethods(
  routes: readonly Pick<AnyRoute<never>, 'method' | 'path'>[],
): AllowedMethods {
  const paths = [...new Set(routes.map(({ path }) => path))].map((path) => {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());
    return { pattern: patternOf(path), methods };
  });
  return (path) => {
    const found = paths.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    if (found.length === 0) return undefined;
    return [...new Set(found.includes('GET') ? [...found, 'HEAD'] : found)].toSorted().join(', ');
  };
}

/** Returns the pattern of an Express path: `:id` and `:story_id` stand for digits, others for one part of the path. */
export function patternOf(path: string): RegExp {
  const parts = path.replaceAll(/:(\w+)/g, (_, name: string) => (/(?:^|_)id$/.test(name) ? '\\d+' : '[^/]+'));
  return new RegExp(`^${parts}/?$`);
}
