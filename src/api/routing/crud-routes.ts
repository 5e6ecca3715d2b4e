import Joi from 'joi';
import { idParams, type IdParams } from '../../platform/http/address/path-id.js';
import type { Cursor, WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import type { Page } from '../../platform/mysql/statements/page-query.js';
import { component, componentName } from '../openapi/component.js';
import { nounOf } from '../openapi/operation-id.js';
import { exampleMeta, listSchema } from '../response/response-schema.js';
import { pageKeys, pageMeta, type PageQuery, windowOf } from '../request/page-meta.js';
import {
  type AnyRoute,
  defineRoute,
  type Method,
  type RequestFacts,
  type RouteDefinition,
  type RouteInput,
} from '../route.js';

/** The path of a list or of one item. `example` has a value for each parameter of the path. */
export interface RoutePath<Params> {
  path: string;
  params?: Joi.ObjectSchema<Params>;
  example?: Record<string, unknown>;
}

/** The path, documentation and presentation that the routes of one kind of item share. */
export interface Crud<Item, ListParams, ItemParams> {
  /** The heading in the documentation: `Folders`. */
  tag: string;
  list: RoutePath<ListParams>;
  item: RoutePath<ItemParams>;
  /** The schema of an item in a response. */
  response: Joi.Schema;
  /** An item that `response` allows. */
  example: object;
  present(item: Item, request: RequestFacts): unknown;
}

/** The documentation of one route; `errors` as in `RouteDocs`. */
interface Described {
  summary: string;
  description?: string;
  errors?: readonly number[];
  /** The same as in `RouteDefinition`. */
  honoursIfMatch?: boolean;
  ignored?: readonly string[];
  unsupported?: Readonly<Record<string, string>>;
}

interface ListRoute<Params, Query, Services, Item> extends Described {
  /** The key of the items in the response: `folders`. */
  plural: string;
  /** Contains `pageKeys`. Without it the list takes these alone. */
  query?: Joi.ObjectSchema<Query>;
  exampleQuery?: Record<string, unknown>;
  handle(
    input: RouteInput<Params, Query, unknown> & { window: WalkWindow },
    services: Services,
  ): Promise<Page<Item> & { next?: Cursor | null }>;
}

interface ReadRoute<Params, Services, Result, Query = unknown> extends Described {
  handle(input: RouteInput<Params, Query, unknown>, services: Services): Promise<Result>;
}

interface GetRoute<Params, Query, Services, Item> extends ReadRoute<Params, Services, Item, Query> {
  query?: Joi.ObjectSchema<Query>;
}

interface DeleteRoute<Params, Services> extends ReadRoute<Params, Services, void> {
  audit: string;
}

interface WriteRoute<Params, Body, Services, Item> extends Described {
  errors: readonly number[];
  audit: string;
  body: Joi.ObjectSchema;
  exampleBody: unknown;
  /** The example of the response; `Crud.example` unless given. */
  exampleResponse?: object;
  check: NonNullable<RouteDefinition<Params, unknown, Body, Services>['check']>;
  /** The same as in `RouteDefinition`. */
  auditedId?: NonNullable<RouteDefinition<Params, unknown, Body, Services>['auditedId']>;
  handle(input: RouteInput<Params, unknown, Body>, services: Services): Promise<Item>;
}

/** The places of items that have an id of their own: `/api/v1/folders`, `/api/v1/folders/:id`. */
export function placesOf(path: string, exampleId: number) {
  return { list: { path }, item: { path: `${path}/:id`, params: idParams, example: { id: exampleId } } };
}

/**
 * Declares the usual routes of one kind of item. Handlers return what the service returns (a page, an item, nothing);
 * `crud` says how it is shown. A route with another response is written out, with `defineRoute`.
 */
export function crudRoutes<Services, Item, ListParams = unknown, ItemParams = IdParams>(
  given: Crud<Item, ListParams, ItemParams>,
) {
  const crud = withComponent(given);
  const writeRoute = <Params, Body>(
    method: Method,
    place: RoutePath<Params>,
    route: WriteRoute<Params, Body, Services, Item>,
  ) =>
    defineRoute<Params, unknown, Body, Services>({
      ...basics(method, place, route),
      body: route.body,
      audit: route.audit,
      docs: {
        ...docsOf(crud.tag, route),
        response: crud.response,
        example: {
          ...exampleOf(place),
          body: route.exampleBody,
          response: route.exampleResponse ?? crud.example,
        },
      },
      check: route.check,
      ...(route.auditedId && { auditedId: route.auditedId }),
      handle: async (input, services) => crud.present(await route.handle(input, services), input.request),
    });

  return {
    list: <Query extends PageQuery = PageQuery>(
      route: ListRoute<ListParams, Query, Services, Item>,
    ): AnyRoute<Services> => listRoute(crud, route),

    create: <Body>(route: WriteRoute<ListParams, Body, Services, Item>) =>
      writeRoute('post', crud.list, route),

    get: <Query = unknown>(route: GetRoute<ItemParams, Query, Services, Item>) =>
      defineRoute<ItemParams, Query, unknown, Services>({
        ...basics('get', crud.item, route),
        ...(route.query && { query: route.query }),
        docs: {
          ...docsOf(crud.tag, { errors: [404], ...route }),
          response: crud.response,
          example: { ...exampleOf(crud.item), response: crud.example },
        },
        handle: async (input, services) => crud.present(await route.handle(input, services), input.request),
      }),

    /** PUT and PATCH, which mean the same: fields that the body does not name stay unchanged. */
    update: <Body>(route: WriteRoute<ItemParams, Body, Services, Item>) =>
      (['put', 'patch'] as const).map((method) => writeRoute(method, crud.item, route)),

    delete: (route: DeleteRoute<ItemParams, Services>) =>
      defineRoute<ItemParams, unknown, unknown, Services>({
        ...basics('delete', crud.item, route),
        audit: route.audit,
        docs: { ...docsOf(crud.tag, { errors: [403, 404], ...route }), example: exampleOf(crud.item) },
        handle: (input, services) => route.handle(input, services),
      }),
  };
}

/** Names the item in the OpenAPI document by its path, unless its schema has a name: `CaseComment`. */
function withComponent<Item, ListParams, ItemParams>(
  crud: Crud<Item, ListParams, ItemParams>,
): Crud<Item, ListParams, ItemParams> {
  const { response, item } = crud;
  if (componentName(response) !== undefined) return crud;
  return { ...crud, response: component(nounOf(item.path), response) };
}

function listRoute<Services, Item, Params, Query extends PageQuery>(
  { tag, list, response: item, example, present }: Omit<Crud<Item, Params, unknown>, 'item'>,
  route: ListRoute<Params, Query, Services, Item>,
): AnyRoute<Services> {
  const { plural, query = Joi.object<Query>(pageKeys), exampleQuery } = route;
  const response = { [plural]: [example], meta: exampleMeta(examplePath(list)) };
  return defineRoute<Params, Query, unknown, Services>({
    ...basics('get', list, route),
    query,
    docs: {
      ...docsOf(tag, { errors: [404, 422], ...route }),
      response: listSchema(plural, item),
      example: { ...exampleOf(list), ...(exampleQuery && { query: exampleQuery }), response },
    },
    async handle(input, services) {
      const page = await route.handle({ ...input, window: windowOf(input.query) }, services);
      const shown = page.items.map((item) => present(item, input.request));
      return { [plural]: shown, meta: pageMeta(input.request, input.query, page) };
    },
  });
}

type PlaceExample = Pick<RoutePath<unknown>, 'path' | 'example'>;

const STATUS: Partial<Record<Method, number>> = { post: 201, delete: 204 };

function basics<Params>(method: Method, { path, params }: RoutePath<Params>, route: Described) {
  const { summary, honoursIfMatch, ignored, unsupported } = route;
  return {
    method,
    path,
    summary,
    status: STATUS[method] ?? 200,
    ...(params && { params }),
    ...(honoursIfMatch && { honoursIfMatch }),
    ...(ignored && { ignored }),
    ...(unsupported && { unsupported }),
  };
}

function docsOf(tag: string, { description, errors = [] }: Described) {
  return { tag, errors, ...(description !== undefined && { description }) };
}

function exampleOf({ example }: PlaceExample) {
  return example === undefined ? {} : { params: example };
}

/** `/api/v2/cases/:id/comments` with the values of the example. */
function examplePath({ path, example = {} }: PlaceExample): string {
  return path.replace(/:(\w+)/g, (_, name: string) => String(example[name]));
}
