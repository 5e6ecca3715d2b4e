import type { AnyRoute } from '../route.js';
import { docsPage } from './pages/docs-page.js';
import { createOpenApiDocument } from './openapi-document.js';
import type { OpenApiDocument } from './openapi-types.js';
import { standaloneSchema } from './standalone-schema.js';

/** The name of the story format among the schemas of the document. */
const STORY = 'StoryExport';

/** The documents about the API, as they are sent. */
export interface ApiDescription {
  /** The OpenAPI document without its servers, which each request adds. */
  document: string;
  /** The story format as JSON Schema. */
  storySchema: string;
  /** The page without scripts. */
  page: string;
}

/** Describes these routes, in a second of processor time: in a process that serves requests, a thread does it. */
export function describeApi(routes: readonly AnyRoute<never>[], version: string): ApiDescription {
  const document = createOpenApiDocument(routes, { version, publicUrl: undefined });
  return {
    document: withoutServers(document),
    storySchema: JSON.stringify(standaloneSchema(STORY, document.components.schemas)),
    page: docsPage(document),
  };
}

function withoutServers({ servers: _servers, ...document }: OpenApiDocument): string {
  return JSON.stringify(document);
}
