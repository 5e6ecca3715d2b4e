import { recordRoutes } from '../../src/data/records/record-routes.js';
import { recordTypeRoutes } from '../../src/data/records/types/record-type-routes.js';

const routes = [...recordRoutes, ...recordTypeRoutes].map((route) => ({
  name: `${route.method} ${route.path}`,
  route,
}));

describe('the documentation of records', () => {
  it.each(routes)('$name has examples that pass its own schemas', ({ route }) => {
    const { params, query, body, docs } = route;
    const { example, response } = docs ?? { example: {} };
    const problems = [
      params?.validate(example.params).error,
      query?.validate(example.query).error,
      body?.validate(example.body).error,
      response?.validate(example.response, { convert: false }).error,
    ];
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
    expect(docs?.tag).toMatch(/^Record/);
    expect(response === undefined).toBe(route.status === 204);
  });

  it.each(routes)('$name is audited when it writes, and only then', ({ route }) => {
    expect(route.audit === undefined).toBe(route.method === 'get');
  });
});
