import type { ResponseFacts } from './door.js';
import { createComponents, mediaTypeOf, operationOf, ROUTES } from './sources.js';

type Route = (typeof ROUTES)[number];

const PATTERNS = ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
}));

/** Checks a success against what the OpenAPI document says of its route. Returns what differs: nothing if all is well. */
export function checkResponse(facts: ResponseFacts): string[] {
  const { method, path, status, contentType, text } = facts;
  const route = routeOf(method, path);
  if (route === undefined) return [`No route serves ${method} ${path}`];
  const expected = route.status ?? 200;
  if (status !== expected) return [`The status is ${status}, not ${expected}`];
  if (status === 204) return text === '' ? [] : ['A response of status 204 has a body'];
  const type = mediaTypeOf(contentType ?? undefined);
  const types = documentedTypes(route);
  if (!types.includes(type)) return [`The content type is "${type}", not ${types.join(' or ')}`];
  // Each event of a stream has the schema, not the whole.
  if (route.docs?.contentType === 'text/event-stream') return [];
  const schema = route.docs?.response;
  if (schema === undefined) return [`${method} ${path} has no response schema`];
  const { error } = schema.validate(bodyOf(type, text), { convert: false, abortEarly: false });
  return error?.details.map(({ message }) => message) ?? [];
}

function bodyOf(type: string, text: string): unknown {
  if (text === '') return undefined;
  return type.startsWith('text/') ? text : JSON.parse(text);
}

function routeOf(method: string, path: string): Route | undefined {
  const [pathname = ''] = path.split('?');
  return PATTERNS.find(
    ({ route, pattern }) => route.method === method.toLowerCase() && pattern.test(pathname),
  )?.route;
}

const typesOf = new Map<Route, string[]>();

/** Returns the content types that the OpenAPI document has for a success of the route. */
function documentedTypes(route: Route): string[] {
  const known = typesOf.get(route);
  if (known !== undefined) return known;
  const success = operationOf(route, createComponents()).responses[route.status ?? 200];
  const types = success === undefined || '$ref' in success ? [] : Object.keys(success.content ?? {});
  typesOf.set(route, types);
  return types;
}
