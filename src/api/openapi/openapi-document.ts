import type { AnyRoute } from '../route.js';
import { createComponents } from './components.js';
import { errorComponents } from './error-responses.js';
import type { OpenApiDocument, Operation } from './openapi-types.js';
import { documentedPath, operationOf } from './operation.js';

const DESCRIPTION = `Records, stories, cases and what belongs to them, over JSON.

Every request needs an API key, in the header \`X-User-Token\` or as \`Authorization: Bearer\`. Items that a key cannot access return 404.

Times are ISO 8601, in UTC unless they have an offset. Ids are integers; numeric strings are also accepted. Lists in a query can be written as \`x[]=1&x[]=2\`, \`x=1&x=2\` or \`x[0]=1\`, lists of objects \`filters[0][field_id]=7\` or \`filters[][field_id]=7\`; a JSON body with the same names also works on GET. Unknown fields and parameters are rejected by name.

Every response has an \`X-Request-Id\`. Errors have the format \`{"errors":[{"message":"…","details":"path.of.the[0].field"}]}\`, with one entry for each problem.`;

export interface DocumentFacts {
  version: string;
  /** If undefined, the document's own host. */
  publicUrl: string | undefined;
}

/** Returns the OpenAPI 3.1 document of these routes, generated from the schemas that check their input. */
export function createOpenApiDocument(
  routes: readonly AnyRoute<never>[],
  { version, publicUrl }: DocumentFacts,
): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  const components = createComponents();
  for (const route of routes) {
    const path = documentedPath(route.path);
    paths[path] = { ...paths[path], [route.method]: operationOf(route, components) };
  }
  const tags = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)),
  );
  const errors = errorComponents();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fabula',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    security: [{ bearer: [] }, { userToken: [] }],
    tags: [...tags].toSorted().map((name) => ({ name })),
    paths,
    components: {
      ...errors,
      schemas: sortedByName({ ...errors.schemas, ...components.schemas }),
      securitySchemes: SECURITY_SCHEMES,
    } as unknown as OpenApiDocument['components'],
  };
}

function sortedByName<Value>(values: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const SECURITY_SCHEMES = {
  userToken: { type: 'apiKey', in: 'header', name: 'X-User-Token', description: 'An API key.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key as bearer token.' },
};
