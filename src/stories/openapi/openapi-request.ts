import { Unprocessable } from '../../platform/errors.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { bodyOfOperation } from './openapi-body.js';
import { type OpenapiDocument, partOf, shortText, spotOf, textIn } from './imported-document.js';
import { type OperationPlace, operationPlaces } from './openapi-operations.js';
import { type OpenapiParameter, parametersOf, type WrittenParameter } from './openapi-parameters.js';
import { type NeededCredential, securityOf } from './openapi-security.js';
import { hostOfServer, type OpenapiServer, serversOf, UNKNOWN_SERVER } from './openapi-servers.js';
import { literalTemplate, literalTemplates, referenceTo, type TemplateKind } from './literal-template.js';

/** The operation of a document to make an action of. */
export interface WantedOperation {
  method: string;
  path: string;
  /** One of its servers; undefined: the first. */
  server: string | undefined;
  /** The language of the story. */
  language: TemplateKind;
}

/** An HTTP request action for an operation. */
export interface OpenapiRequest {
  name: string;
  description: string | null;
  /** The options of `Agents::HTTPRequestAgent`. */
  options: JsonObject;
  parameters: OpenapiParameter[];
  credentials: NeededCredential[];
  servers: OpenapiServer[];
  /** What the options cannot have, in sentences. */
  remarks: string[];
}

const MOST_NAME = 60;

/** Makes the options of an HTTP request of an operation. @throws Unprocessable if the document does not have it. */
export function requestOfOperation(document: OpenapiDocument, wanted: WantedOperation): OpenapiRequest {
  const { language } = wanted;
  const place = placeOf(document, wanted);
  const { item, operation, method, path } = place;
  const servers = serversOf(document, [operation, item, spotOf(document)]);
  const server = serverOf(servers, wanted.server);
  const parameters = parametersOf(document, place);
  const body = bodyOfOperation(document, operation);
  const hasBody = body !== undefined && method !== 'get' && method !== 'head';
  const title = textIn(partOf(document.root.info, 'title'));
  const security = securityOf(document, operation, { host: hostOfServer(server), title, language });
  const url = addressOf({ path, server, parameters, language });
  const query = { ...fieldsIn(parameters, 'query', language), ...security.options.query };
  const headers = {
    ...fieldsIn(parameters, 'header', language),
    ...cookieOf(parameters, language),
    ...security.options.headers,
  };
  const isFlat = [query, hasBody ? body.payload : {}].some(hasList);
  const value = partOf(operation.value, 'summary') ?? partOf(operation.value, 'operationId');
  return {
    name: (shortText(value) ?? `${method.toUpperCase()} ${path}`).slice(0, MOST_NAME),
    description: shortText(partOf(operation.value, 'description')),
    options: {
      ...(url.local !== undefined && { local: url.local }),
      url: url.text,
      method,
      ...(hasBody && {
        content_type: body.contentType,
        payload: literalTemplates(body.payload, language),
      }),
      ...(Object.keys(query).length > 0 && { query_params: query }),
      ...(isFlat && !isJsonBody(body?.contentType) && { params_encoder: 'flat' }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...security.options.others,
    },
    parameters: parameters.map(({ fields: _fields, ...shown }) => shown),
    credentials: security.credentials,
    servers,
    remarks: [
      ...remarksOf(place, { server, address: document.address, hasLostBody: body !== undefined && !hasBody }),
      ...(hasBody ? body.remarks : []),
      ...url.remarks,
      ...security.remarks,
    ],
  };
}

function placeOf(document: OpenapiDocument, { method, path }: WantedOperation): OperationPlace {
  for (const place of operationPlaces(document)) {
    if (place.method === method && place.path === path) return place;
  }
  throw new Unprocessable([{ message: `The document has no operation ${method} ${path}`, details: 'path' }]);
}

function serverOf(servers: readonly OpenapiServer[], wanted: string | undefined): string {
  const found = wanted === undefined ? servers[0] : servers.find(({ url }) => url === wanted);
  if (found !== undefined) return found.url;
  throw new Unprocessable([
    { message: '"server" is none of the servers of the operation', details: 'server' },
  ]);
}

interface Address {
  path: string;
  server: string;
  parameters: readonly WrittenParameter[];
  language: TemplateKind;
}

/** Parameters of the path become parts of `local`; Liquid has none, so they stand in the address. */
function addressOf({ path, server, parameters, language }: Address): {
  text: string;
  local?: JsonObject;
  remarks: string[];
} {
  const local: [string, JsonValue][] = [];
  const inPath = new Map(parameters.filter((one) => one.in === 'path').map((one) => [one.name, one]));
  const literal = (text: string) => literalTemplate(text, language);
  const parts = path.split(/\{([^{}]+)\}/).map((part, at) => {
    if (at % 2 === 0) return literal(part);
    const [, value = ''] = inPath.get(part)?.fields[0] ?? [];
    if (language === 'liquid') return literal(encodeURIComponent(textIn(value) || part));
    if (!local.some(([name]) => name === part)) local.push([part, literalTemplates(value, language)]);
    return referenceTo('LOCAL', part, language);
  });
  const text = `${literal(server)}${parts.join('')}`;
  if (local.length > 0) return { text, local: Object.fromEntries(local), remarks: [] };
  const remark = `Replace the examples in the address: ${[...inPath.keys()].join(', ')}.`;
  return { text, remarks: language === 'liquid' && inPath.size > 0 ? [remark] : [] };
}

function fieldsIn(
  parameters: readonly WrittenParameter[],
  place: OpenapiParameter['in'],
  language: TemplateKind,
): JsonObject {
  const included = parameters.filter((one) => one.in === place && one.included);
  return literalTemplates(
    Object.fromEntries(included.flatMap(({ fields }) => fields)),
    language,
  ) as JsonObject;
}

function cookieOf(parameters: readonly WrittenParameter[], language: TemplateKind): JsonObject {
  const cookies = Object.entries(fieldsIn(parameters, 'cookie', language));
  return cookies.length === 0
    ? {}
    : { Cookie: cookies.map(([name, value]) => `${name}=${textIn(value)}`).join('; ') };
}

function hasList(value: JsonValue): boolean {
  return Object.values(value ?? {}).some(Array.isArray);
}

/** The encoder of lists makes no difference to JSON. */
function isJsonBody(contentType: string | undefined): boolean {
  return contentType !== undefined && /[/+]json\b/i.test(contentType);
}

function remarksOf(
  { method, operation }: OperationPlace,
  { server, address, hasLostBody }: { server: string; address: string | undefined; hasLostBody: boolean },
): string[] {
  const isUnknown = address === undefined && server.startsWith(UNKNOWN_SERVER);
  return [
    ...(partOf(operation.value, 'deprecated') === true ? ['The operation is deprecated.'] : []),
    ...(isUnknown ? [`The document names no host: replace ${UNKNOWN_SERVER} in url.`] : []),
    ...(hasLostBody ? [`The body is left out: a ${method.toUpperCase()} is sent without one here.`] : []),
    ...(method === 'trace' ? ['The method TRACE cannot be sent.'] : []),
  ];
}
