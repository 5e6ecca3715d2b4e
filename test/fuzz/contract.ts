import Ajv2020 from 'ajv/dist/2020';
import type { ValidateFunction } from 'ajv';
import { isJsonObject, type JsonObject } from '../../src/platform/json.js';
import { mediaTypeOf } from '../../src/platform/headers/content-type.js';
import type { DescribedResponse, OpenApiDocument, Operation } from '../../src/api/openapi/openapi-types.js';

/** The response. */
export interface FuzzResponse {
  status: number;
  headers: Headers;
  /** Empty for a stream, whose head alone is read. */
  text: string;
  tookMs: number;
}

/** Statuses of a server that cannot serve now: documented, and no fault of the request. */
const FOR_NOW = new Set([503, 504]);

/** Returns what of a response does not agree with the document: one sentence each. */
export type Judge = (operation: Operation, response: FuzzResponse) => string[];

/** Creates the judge of a document. It compiles each schema once. A response that takes longer than `slowMs` is a fault. */
export function createJudge(document: OpenApiDocument, slowMs: number): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: false, logger: false, validateFormats: false });
  ajv.addSchema({ $id: 'document:', components: document.components });
  const compiled = new Map<JsonObject, ValidateFunction>();
  const validatorOf = (schema: JsonObject): ValidateFunction => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document:#/');
    const made = ajv.compile(JSON.parse(text) as JsonObject);
    compiled.set(schema, made);
    return made;
  };
  return (operation, response) => {
    const described = responseOf(document, operation, response.status);
    return [
      ...(response.tookMs > slowMs ? [`took over ${slowMs / 1000} s`] : []),
      ...(response.status >= 500 && !FOR_NOW.has(response.status) ? [`answers ${response.status}`] : []),
      ...(response.headers.has('x-request-id') ? [] : [`answers ${response.status} without X-Request-Id`]),
      ...(described === undefined
        ? [`answers ${response.status}, which is not documented`]
        : bodyFaults(described, response, validatorOf)),
    ];
  };
}

function responseOf(document: OpenApiDocument, { responses }: Operation, status: number) {
  const found = responses[status];
  if (found === undefined || !('$ref' in found)) return found;
  const named = document.components['responses'] as unknown as Record<string, DescribedResponse>;
  return named[found.$ref.slice(found.$ref.lastIndexOf('/') + 1)];
}

type ValidatorOf = (schema: JsonObject) => ValidateFunction;

function bodyFaults(
  { content = {} }: DescribedResponse,
  response: FuzzResponse,
  validatorOf: ValidatorOf,
): string[] {
  const { status, headers, text } = response;
  if (Object.keys(content).length === 0) return text === '' ? [] : [`answers ${status} with a body`];
  const type = mediaTypeOf(headers.get('content-type') ?? undefined) ?? '';
  const media = (content as Record<string, { schema: JsonObject } | undefined>)[type];
  if (media === undefined) return [`answers ${status} as "${type}", which is not documented`];
  if (type !== 'application/json') return [];
  const body = parsed(text);
  if (body === undefined) return [`answers ${status} with a body that is no JSON`];
  const valid = validatorOf(media.schema);
  if (!valid(body)) {
    const [first] = valid.errors ?? [];
    const place = first?.instancePath.replaceAll(/\/\d+/g, '/0');
    return [`answers ${status} with a body that breaks its schema: ${place} ${first?.message}`];
  }
  return status === 422 ? unnamedProblems(body) : [];
}

/** Problems of a refusal that do not say where they are. */
function unnamedProblems(body: unknown): string[] {
  const errors = isJsonObject(body) && Array.isArray(body['errors']) ? body['errors'] : [];
  return errors
    .filter(isJsonObject)
    .map(({ message, details }) => ({ message: JSON.stringify(message ?? ''), hasPlace: Boolean(details) }))
    .filter(({ message, hasPlace }) => message === '""' || (!hasPlace && !/\\"|`/.test(message)))
    .map(({ message }) => `refuses without a place: ${message}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
