import { ROUTES } from '../../src/app/routes.js';
import { findMissingEndpoint, MISSING_ENDPOINTS } from '../../src/api/routing/missing-endpoints.js';
import type Joi from 'joi';

const keysOf = (schema: Joi.Schema | undefined): string[] =>
  Object.keys((schema?.describe() as { keys?: object } | undefined)?.keys ?? {});

/** A path with a value for each parameter. */
const concrete = (path: string) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => (/(?:^|_)id$/.test(name) ? '1' : 'x'));

const routes = ROUTES.map((route) => ({
  name: `${route.method.toUpperCase()} ${route.path}`,
  route,
  inSchemas: [...keysOf(route.query), ...keysOf(route.body)],
  ignored: route.ignored ?? [],
  unsupported: Object.keys(route.unsupported ?? {}),
}));

/** Updates that refuse what a read returned, with the reasons. */
const NOT_SENT_BACK: Record<string, string> = {
  'PUT /api/v1/credentials/:id':
    'public clients use /user_credentials; another mode or team would be dropped',
  'PUT /api/v1/stories/:id/versions/:version_id': 'the version stands inside `story_version`',
};

describe('the names that a route knows beside its schemas', () => {
  it('are in no schema of it, and each in one list only', () => {
    const twice = routes.flatMap(({ name, inSchemas, ignored, unsupported }) => {
      const all = [...inSchemas, ...ignored, ...unsupported];
      return all.filter((key, index) => all.indexOf(key) !== index).map((key) => `${name}: ${key}`);
    });
    expect(twice).toEqual([]);
  });

  it('have with every update what a read returns, so that clients can send back what they read', () => {
    const refused = routes
      .filter(
        ({ name, route }) => route.method === 'put' && /:\w+$/.test(route.path) && !(name in NOT_SENT_BACK),
      )
      .flatMap(({ name, route, inSchemas, ignored, unsupported }) => {
        const known = new Set([...inSchemas, ...ignored, ...unsupported]);
        return keysOf(route.docs?.response)
          .filter((key) => !known.has(key))
          .map((key) => `${name}: ${key}`);
      });
    expect(refused).toEqual([]);
  });
});

it('updates that refuse what a read returned exist', () => {
  const names = routes.map(({ name }) => name);
  expect(Object.keys(NOT_SENT_BACK).filter((name) => !names.includes(name))).toEqual([]);
});

describe('endpoints that are known to be missing', () => {
  it('are served by no route', () => {
    const served = ROUTES.filter(
      ({ method, path }) => findMissingEndpoint(method.toUpperCase(), concrete(path)) !== undefined,
    );
    expect(served.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it.each([
    ['GET', '/api/v1/skills/', '/api/v1/skills'],
    [
      'POST',
      '/api/v1/admin/sync_destinations/5/manual_sync',
      '/api/v1/admin/sync_destinations/:id/manual_sync',
    ],
    ['GET', '/api/v2/cases/5/files/6', '/api/v2/cases/:id/files/:file_id'],
    ['GET', '/api/v1/skills/a%20b', '/api/v1/skills/:name'],
  ])('%s %s is found', (method, path, expected) => {
    expect(findMissingEndpoint(method, path)?.path).toBe(expected);
  });

  it.each([
    ['DELETE', '/api/v1/admin/actions/5/delete_all_queued_jobs'],
    ['GET', '/api/v1/record_views/5/export'],
    ['PUT', '/api/v1/record_views/import'],
    ['GET', '/api/v1/workbench/1f2e-3d'],
    ['GET', '/api/v1/stories/5/change_request/ai_description'],
    ['DELETE', '/api/v1/agents/5/logs'],
    ['DELETE', '/api/v1/actions/5/events'],
  ])('A23 clients: %s %s has a reason', (method, path) => {
    expect(findMissingEndpoint(method, path)?.reason).toEqual(expect.any(String));
  });

  it.each([
    ['PUT', '/api/v2/cases/5/actions/batch'],
    ['GET', '/api/v1/tags/x'],
    ['GET', '/api/v1/stories'],
    ['GET', '/api/v1/agents/5/logs'],
  ])('%s %s is not one', (method, path) => {
    expect(findMissingEndpoint(method, path)).toBeUndefined();
  });

  it('have one line each', () => {
    const names = MISSING_ENDPOINTS.map(({ path }) => path);
    expect(new Set(names).size).toBe(names.length);
  });
});
