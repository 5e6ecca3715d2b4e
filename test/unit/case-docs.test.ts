import Joi from 'joi';
import { caseRoutes } from '../../src/data/cases/case-routes.js';

const strict: Joi.ValidationOptions = { convert: true, abortEarly: false };

it.each(caseRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'the documentation of %s holds examples that pass its schemas',
  (_, { docs, method, audit, params, query, body, status }) => {
    expect(docs).toBeDefined();
    const { example, response } = docs!;
    Joi.assert(example.params ?? {}, params ?? Joi.object({}), strict);
    Joi.assert(example.query ?? {}, query ?? Joi.object({}), strict);
    Joi.assert(example.body ?? {}, body ?? Joi.object({}), strict);
    expect(response === undefined).toBe(status === 204);
    if (response !== undefined) Joi.assert(example.response, response, { convert: false });
    expect(audit !== undefined).toBe(method !== 'get');
    if (method !== 'get') expect(docs!.errors).toContain(403);
  },
);
