import { MATRIX } from './access-matrix.js';

/** A route of the API, as Fabula writes it: `get`, `/api/v1/stories/:id`. */
export interface ServedRoute {
  method: string;
  path: string;
}

/** All routes, by the names of the access matrix: the routes themselves would load the whole product. */
export const SERVED_ROUTES: readonly ServedRoute[] = Object.keys(MATRIX).map((name) => {
  const [method = '', path = ''] = name.split(' ');
  return { method: method.toLowerCase(), path };
});

/** What the document of a running product says of a route. */
export interface DescribedRoute extends ServedRoute {
  tag: string | undefined;
  exampleBody: object | undefined;
}

interface DescribedOperation {
  tags?: string[];
  requestBody?: { content?: Record<string, { example?: object }> };
}

/** Returns all routes with what the OpenAPI document of this product says of them. */
export async function describedRoutes(url: string): Promise<DescribedRoute[]> {
  const response = await fetch(`${url}/api/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, DescribedOperation>> };
  return SERVED_ROUTES.map(({ method, path }) => {
    const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method];
    if (operation === undefined) throw new Error(`The document lacks ${method} ${path}`);
    const exampleBody = operation.requestBody?.content?.['application/json']?.example;
    return { method, path, tag: operation.tags?.[0], exampleBody };
  });
}
