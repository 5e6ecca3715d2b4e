import Joi from 'joi';
import {
  type AnyRoute,
  defineRoute,
  exampleMeta,
  listSchema,
  pageKeys,
  pageMeta,
  type PageQuery,
  windowOf,
} from '../../api/face.js';
import type { JsonObject } from '../../platform/json.js';
import { agentTypeCatalogue } from './agent-type-catalogue.js';
import { agentTypeSchema, filterSchema, functionSchema } from './catalogue-schemas.js';
import { filterCatalogue, functionCatalogue } from './template-catalogue.js';

interface Catalogue {
  /** The key of the items in the response, and the end of the path. */
  plural: string;
  summary: string;
  description: string;
  item: Joi.Schema;
  /** Makes the items once: they change only with the program. */
  make: () => JsonObject[];
}

const CATALOGUES: Catalogue[] = [
  {
    plural: 'agent_types',
    summary: 'List agent types with their options',
    description:
      'All types that this server runs, generated from the option schemas, and those it can only store. Every option can also be text with templates.',
    item: agentTypeSchema,
    make: agentTypeCatalogue,
  },
  {
    plural: 'functions',
    summary: 'List functions of formulas',
    description: 'All functions by category, each with a tested example.',
    item: functionSchema,
    make: functionCatalogue,
  },
  {
    plural: 'filters',
    summary: 'List filters of Liquid',
    description: 'All filters by category, each with a tested example.',
    item: filterSchema,
    make: filterCatalogue,
  },
];

/** Lists of what a story can be made of, for editors. They hold nothing of a tenant. */
export const catalogueRoutes: readonly AnyRoute<unknown>[] = CATALOGUES.map(catalogueRoute);

function catalogueRoute({ plural, summary, description, item, make }: Catalogue): AnyRoute<unknown> {
  const path = `/api/v1/${plural}`;
  const items = make();
  return defineRoute<unknown, PageQuery, unknown, unknown>({
    method: 'get',
    path,
    summary,
    query: Joi.object<PageQuery>(pageKeys),
    docs: {
      tag: 'Editors',
      description,
      response: listSchema(plural, item),
      example: { response: { [plural]: items.slice(0, 1), meta: exampleMeta(path, items.length) } },
      errors: [422],
    },
    handle({ query, request }) {
      const { offset, limit } = windowOf(query);
      const page = items.slice(offset, offset + limit);
      return { [plural]: page, meta: pageMeta(request, query, { total: items.length }) };
    },
  });
}
