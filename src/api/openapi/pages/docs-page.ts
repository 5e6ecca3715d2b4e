import type { JsonObject } from '../../../platform/json.js';
import { escapeHtml } from '../../../platform/text/escape-html.js';
import { curlExample, type PlacedOperation } from './curl-example.js';
import { DOCS_STYLE } from './docs-style.js';
import type { Content, OpenApiDocument, Operation, Response, ResponseContent } from '../openapi-types.js';
import { fieldsOf, typeText } from '../schema-fields.js';

/** Returns the OpenAPI document as an HTML page: one file, without scripts or content from other hosts. */
export function docsPage(document: OpenApiDocument): string {
  const { title, version, description } = document.info;
  const groups = document.tags.map(({ name }) => ({ name, operations: operationsOf(document, name) }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} API</title>
<style>${DOCS_STYLE}</style>
</head>
<body>
<nav aria-label="Endpoints">
<a href="#top"><strong>${escapeHtml(title)} API</strong></a>
<a href="/api/docs">Interactive documentation</a>
<a href="/api/openapi.json">OpenAPI document</a>
${groups.map(({ name, operations }) => navigation(name, operations)).join('\n')}
</nav>
<main id="top">
<h1>${escapeHtml(title)} API <small class="note">${escapeHtml(version)}</small></h1>
${proseHtml(description)}
${groups.map(({ name, operations }) => group(name, operations, document)).join('\n')}
</main>
</body>
</html>
`;
}

function operationsOf(document: OpenApiDocument, tag: string): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

function navigation(name: string, operations: PlacedOperation[]): string {
  const links = operations.map(
    ({ method, operation }) =>
      `<a href="#${escapeHtml(operation.operationId)}">${methodHtml(method)} ${inlineHtml(operation.summary)}</a>`,
  );
  return `<h2>${escapeHtml(name)}</h2>\n${links.join('\n')}`;
}

function group(name: string, operations: PlacedOperation[], document: OpenApiDocument): string {
  return `<h2>${escapeHtml(name)}</h2>\n${operations.map((one) => section(one, document)).join('\n')}`;
}

function section(placed: PlacedOperation, document: OpenApiDocument): string {
  const { schemas } = document.components;
  const { method, path, operation } = placed;
  const parts = [
    `<h3>${inlineHtml(operation.summary)}</h3>`,
    `<p>${methodHtml(method)} <code>${escapeHtml(path)}</code></p>`,
    operation.description === undefined ? '' : proseHtml(operation.description),
    parameters(operation),
    operation.requestBody === undefined
      ? ''
      : `<h4>Body</h4>${content(operation.requestBody.content, schemas)}`,
    `<h4>Example</h4>${codeHtml(curlExample(placed, document))}`,
    responsesHtml(operation, schemas),
  ];
  const id = escapeHtml(operation.operationId);
  return `<section id="${id}">\n${parts.filter((part) => part !== '').join('\n')}\n</section>`;
}

function methodHtml(method: string): string {
  return `<span class="method">${escapeHtml(method.toUpperCase())}</span>`;
}

function parameters(operation: Operation): string {
  const rows = operation.parameters.map(({ name, in: place, required, schema, description = '' }) => [
    `<code>${escapeHtml(name)}</code>${requiredMark(required)}`,
    place,
    escapeHtml(typeText(schema)),
    inlineHtml(description),
  ]);
  return rows.length === 0 ? '' : `<h4>Parameters</h4>${tableHtml(['Name', 'In', 'Type', 'Meaning'], rows)}`;
}

type Schemas = Record<string, JsonObject>;

/** Returns the fields of a request body. */
function content({ 'application/json': { schema } }: Content, schemas: Schemas): string {
  return fields(schema, schemas, requiredMark);
}

/** Returns the fields and the example of a response. */
function responseContent(types: ResponseContent, schemas: Schemas): string {
  const { schema = {}, example } = types['application/json'] ?? types['text/event-stream'] ?? {};
  const shown = example === undefined ? '' : codeHtml(JSON.stringify(example, null, 2));
  return `${fields(schema, schemas, presenceMark)}${shown}`;
}

function fields(schema: JsonObject, schemas: Schemas, mark: (required: boolean) => string): string {
  const rows = fieldsOf(schema, schemas).map(({ path, type, required, description }) => [
    `<code>${escapeHtml(path)}</code>${mark(required)}`,
    escapeHtml(type),
    inlineHtml(description),
  ]);
  return tableHtml(['Field', 'Type', 'Meaning'], rows);
}

function requiredMark(required: boolean): string {
  return required ? ' <span class="note">required</span>' : '';
}

/** Marks optional fields of a response: most fields are always present. */
function presenceMark(required: boolean): string {
  return required ? '' : ' <span class="note">not always</span>';
}

function responsesHtml({ responses }: Operation, schemas: Schemas): string {
  const errors = Object.entries(responses).flatMap(([status, response]) =>
    '$ref' in response ? [`${status} ${response.$ref.replace(/^.*\//, '')}`] : [],
  );
  const own = Object.entries(responses).map(([status, response]) => responseHtml(status, response, schemas));
  return `${own.join('')}<p class="note">Errors: ${escapeHtml(errors.join(', '))}</p>`;
}

function responseHtml(status: string, response: Response, schemas: Schemas): string {
  if ('$ref' in response) return '';
  const head = `<h4>Response ${escapeHtml(status)}</h4>`;
  if (response.content === undefined) return `${head}<p>${escapeHtml(response.description)}</p>`;
  return `${head}${responseContent(response.content, schemas)}`;
}

/** Converts prose to HTML: paragraphs, and text between back-ticks as code. */
function proseHtml(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${inlineHtml(paragraph)}</p>`)
    .join('\n');
}

/** Converts a line of prose to HTML. */
function inlineHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Returns a block of code. */
function codeHtml(text: string): string {
  return `<pre><code>${escapeHtml(text)}</code></pre>`;
}

/** Returns a table; cells are HTML. Returns an empty text without rows. */
function tableHtml(head: readonly string[], rows: readonly string[][]): string {
  if (rows.length === 0) return '';
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n');
  return `<table><thead><tr>${cells('th', head)}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

function cells(tag: 'th' | 'td', row: readonly string[]): string {
  return row.map((cell) => `<${tag}>${cell}</${tag}>`).join('');
}
