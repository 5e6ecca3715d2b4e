import Joi from 'joi';
import { type AnyRoute, component, defineRoute, responseSchema } from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import { MOST_DOCUMENT_BYTES } from './imported-document.js';
import type { GivenOpenapi, OpenapiService } from './openapi-service.js';

interface Services {
  openapi: OpenapiService;
}

interface SourceBody {
  url?: string;
  document?: string;
  team_id?: number;
}

interface ListBody extends SourceBody {
  search?: string;
  limit?: number;
}

interface ImportBody extends SourceBody {
  method: string;
  path: string;
  server?: string;
  language?: 'formula' | 'liquid';
}

const MOST_OPERATIONS = 500;

const sourceKeys = {
  url: Joi.string()
    .max(2_000)
    .uri({ scheme: ['http', 'https'] })
    .custom((url: string, helpers) => (/^[^/]+\/\/[^/?#]*@/.test(url) ? helpers.error('url.user') : url))
    .messages({ 'url.user': '{{#label}} cannot contain a user or a password' })
    .description('The address of the document; the server fetches it'),
  document: Joi.string()
    .max(MOST_DOCUMENT_BYTES)
    .description('The document itself, JSON or YAML, instead of `url`'),
  team_id: idField.description('A team that you may edit; by default your first'),
};

const text = Joi.string().allow('');
const nullable = (schema: Joi.Schema) => schema.allow(null);
const server = component('OpenapiServer', responseSchema({ url: text, description: nullable(text) }));

const listing = component(
  'OpenapiListing',
  responseSchema({
    title: nullable(text).description('The name of the API'),
    version: nullable(text).description('The version of the API'),
    openapi: text.description('The version of OpenAPI'),
    servers: Joi.array().items(server).description('Servers of the API'),
    security_schemes: Joi.array()
      .items(
        component(
          'OpenapiSecurityScheme',
          responseSchema({
            name: text,
            type: text.description('Such as `apiKey` or `http bearer`'),
            description: nullable(text),
          }),
        ),
      )
      .description('How clients sign in'),
    operations: Joi.array()
      .items(
        component(
          'OpenapiOperation',
          responseSchema({
            method: text.description('HTTP method'),
            path: text.description('Path below the server'),
            operation_id: nullable(text),
            summary: nullable(text).description('One line about it'),
            tags: Joi.array().items(text).description('Groups of the document'),
            deprecated: Joi.boolean().description('Whether the document advises against it'),
          }),
        ),
      )
      .description('In the order of the document'),
    total: Joi.number().integer().description('Number of matching operations, including those not listed'),
  }),
);

const requestSchema = component(
  'OpenapiRequest',
  responseSchema({
    name: text.description('A name for the action'),
    description: nullable(text),
    options: Joi.object().unknown(true).description('Options of `Agents::HTTPRequestAgent`'),
    parameters: Joi.array()
      .items(
        component(
          'OpenapiParameter',
          responseSchema({
            name: text,
            in: Joi.string().valid('path', 'query', 'header', 'cookie').description('Part of the request'),
            required: Joi.boolean().description('Whether the request needs it'),
            description: nullable(text),
            example: Joi.any().description('An example of the document, or a made-up value'),
            included: Joi.boolean().description('Whether the options contain it'),
          }),
        ),
      )
      .description('In the order of the document'),
    credentials: Joi.array()
      .items(
        component(
          'OpenapiCredential',
          responseSchema({
            where: text.description('The option that refers to it'),
            scheme: text.description('Name of the security scheme'),
            description: nullable(text),
            suggestion: Joi.object()
              .unknown(true)
              .description('Fields for `POST /api/v1/user_credentials`, without the secrets'),
          }),
        ),
      )
      .description('Credentials that the options refer to'),
    servers: Joi.array().items(server).description('Servers of the API'),
    remarks: Joi.array().items(text).description('Parts of the request that the options do not contain'),
  }),
);

const example = { url: 'https://petstore.example.com/openapi.json' };
const servers = [{ url: 'https://petstore.example.com/v1', description: null }];
const errors = [400, 403, 404, 413, 415, 422];

/** Endpoints that read OpenAPI documents for authors of stories (spec §3.18). */
export const openapiRoutes: readonly AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, ListBody, Services>({
    method: 'post',
    path: '/api/v1/openapi/operations',
    summary: 'List the operations of an OpenAPI document',
    body: Joi.object({
      ...sourceKeys,
      search: text.max(200).description('Words in method, path, name, summary or tags'),
      limit: Joi.number().integer().min(1).max(MOST_OPERATIONS).description('Default 100'),
    }).xor('url', 'document'),
    audit: 'openapi.list',
    docs: {
      tag: 'Editors',
      operationId: 'listOpenapiOperations',
      description:
        'Reads an OpenAPI 3.0 or 3.1 document of at most 10 MiB, in JSON or YAML. References to other documents are rejected.',
      response: listing,
      example: {
        body: { ...example, search: 'pets' },
        response: {
          title: 'Petstore',
          version: '1.0.0',
          openapi: '3.1.0',
          servers,
          security_schemes: [{ name: 'key', type: 'apiKey', description: null }],
          operations: [
            {
              method: 'get',
              path: '/pets/{id}',
              operation_id: 'getPet',
              summary: 'Get a pet',
              tags: [],
              deprecated: false,
            },
          ],
          total: 1,
        },
      },
      errors,
    },
    check: ({ actor, body }, { openapi }) => openapi.check(actor, sourceOf(body)),
    handle: ({ actor, body, request }, { openapi }) =>
      openapi.list(
        actor,
        { ...sourceOf(body), search: body.search ?? '', limit: body.limit ?? 100 },
        request.left(),
      ),
  }),

  defineRoute<unknown, unknown, ImportBody, Services>({
    method: 'post',
    path: '/api/v1/openapi/request',
    summary: 'Convert an operation of an OpenAPI document to an HTTP request action',
    body: Joi.object({
      ...sourceKeys,
      method: Joi.string().lowercase().max(20).required().description('HTTP method of the operation'),
      path: Joi.string().max(2_000).required().description('Path, as in the document: `/pets/{id}`'),
      server: Joi.string().max(2_000).description('One of the servers; defaults to the first'),
      language: Joi.string()
        .valid('formula', 'liquid')
        .description('Language of the story; defaults to formula'),
    }).xor('url', 'document'),
    audit: 'openapi.import',
    docs: {
      tag: 'Editors',
      operationId: 'importOpenapiOperation',
      description:
        'Returns the options of an HTTP request, and the credentials they refer to. Path parameters are `LOCAL` values. Nothing is stored.',
      response: requestSchema,
      example: {
        body: { ...example, method: 'get', path: '/pets/{id}' },
        response: {
          name: 'Get a pet',
          description: null,
          options: {
            local: { id: '0' },
            url: 'https://petstore.example.com/v1/pets/<<LOCAL.id>>',
            method: 'get',
            headers: { 'X-Api-Key': '<<CREDENTIAL.petstore_example_com_key>>' },
          },
          parameters: [
            { name: 'id', in: 'path', required: true, description: null, example: 0, included: true },
          ],
          credentials: [
            {
              where: 'headers.X-Api-Key',
              scheme: 'key',
              description: null,
              suggestion: {
                name: 'petstore_example_com_key',
                mode: 'TEXT',
                allowed_hosts: ['petstore.example.com'],
              },
            },
          ],
          servers,
          remarks: [],
        },
      },
      errors,
    },
    check: ({ actor, body }, { openapi }) => openapi.check(actor, sourceOf(body)),
    handle: ({ actor, body, request }, { openapi }) => {
      const { method, path, server: wantedServer, language = 'formula' } = body;
      const wanted = { method, path, server: wantedServer, language };
      return openapi.import(actor, { ...sourceOf(body), wanted }, request.left());
    },
  }),
];

function sourceOf({ url, document, team_id: teamId }: Usable<SourceBody>): GivenOpenapi {
  return { url, document, teamId };
}
