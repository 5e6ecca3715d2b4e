import { isJsonObject } from '../../platform/json.js';
import {
  membersOf,
  itemsOf,
  type OpenapiDocument,
  partOf,
  shortText,
  type Spot,
  spotAt,
  spotOf,
  textIn,
} from './imported-document.js';
import { type OpenapiServer, serversOf } from './openapi-servers.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'];

/** An operation, as a list shows it. */
export interface ListedOperation {
  method: string;
  path: string;
  operation_id: string | null;
  summary: string | null;
  tags: string[];
  deprecated: boolean;
}

/** What a document offers. */
export interface OpenapiListing {
  title: string | null;
  version: string | null;
  openapi: string;
  servers: OpenapiServer[];
  security_schemes: { name: string; type: string; description: string | null }[];
  operations: ListedOperation[];
  /** How many operations fit, those that are not listed included. */
  total: number;
}

/** An operation with the places that belong to it. */
export interface OperationPlace {
  method: string;
  path: string;
  item: Spot;
  operation: Spot;
}

/** Goes through all operations, in the order of the document. @throws Unprocessable for a path in another document. */
export function* operationPlaces(document: OpenapiDocument): Generator<OperationPlace> {
  const paths = spotOf(document, 'paths');
  for (const [path] of membersOf(paths.value)) {
    if (!path.startsWith('/')) continue;
    const item = spotAt(document, paths, path);
    for (const method of METHODS) {
      const operation = spotAt(document, item, method);
      if (isJsonObject(operation.value ?? null)) yield { method, path, item, operation };
    }
  }
}

/** Lists the operations whose method, path, name, summary or tags have each word of `search`. */
export function listOperations(
  document: OpenapiDocument,
  { search, limit }: { search: string; limit: number },
): OpenapiListing {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fitting: ListedOperation[] = [];
  let total = 0;
  for (const place of operationPlaces(document)) {
    const listed = listedOperation(place);
    const text = Object.values(listed).flat().join(' ').toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    total += 1;
    if (fitting.length < limit) fitting.push(listed);
  }
  const { root } = document;
  return {
    title: shortText(partOf(root.info, 'title')),
    version: shortText(partOf(root.info, 'version')),
    openapi: textIn(root.openapi),
    servers: serversOf(document, [spotOf(document)]),
    security_schemes: schemesOf(document),
    operations: fitting,
    total,
  };
}

function listedOperation({ method, path, operation: { value } }: OperationPlace): ListedOperation {
  return {
    method,
    path,
    operation_id: shortText(partOf(value, 'operationId')),
    summary: shortText(partOf(value, 'summary')) ?? shortText(partOf(value, 'description')),
    tags: itemsOf(partOf(value, 'tags')).map(textIn).slice(0, 20),
    deprecated: partOf(value, 'deprecated') === true,
  };
}

function schemesOf(document: OpenapiDocument): OpenapiListing['security_schemes'] {
  const schemes = spotOf(document, 'components', 'securitySchemes');
  return membersOf(schemes.value).map(([name]) => {
    const { value } = spotAt(document, schemes, name);
    return {
      name,
      type: [textIn(partOf(value, 'type')), textIn(partOf(value, 'scheme'))].filter(Boolean).join(' '),
      description: shortText(partOf(value, 'description')),
    };
  });
}
