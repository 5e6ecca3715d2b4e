import { createHash } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { NotFound } from '../../platform/errors.js';
import { ownBaseUrl } from '../../platform/http/own-base-url.js';
import type { AnyRoute } from '../route.js';
import { docsPage } from './docs-page.js';
import { DOCS_STYLE } from './docs-style.js';
import { createOpenApiDocument, type DocumentFacts } from './openapi-document.js';
import type { OpenApiDocument } from './openapi-types.js';
import { type ReaderFile, readReaderFile } from './reader-file.js';
import { readerPage } from './reader-page.js';
import { standaloneSchema } from './standalone-schema.js';

const DOCUMENT_PATH = '/api/openapi.json';
const PAGE_PATH = '/api/docs';
const PLAIN_PATH = '/api/docs/plain';
const READER_PATH = '/api/docs/:reader';
const STORY_SCHEMA_PATH = '/api/story.schema.json';
/** The name of the story format among the schemas of the document. */
const STORY = 'StoryExport';
/** Document and page change only with the program. */
const CACHING = 'public, max-age=300';

/** Allows only the page's own style: no scripts, no other hosts. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(DOCS_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the document at `GET /api/openapi.json`, the story format as JSON Schema at `GET /api/story.schema.json`, the
 * reader of the document at `GET /api/docs`, a page without scripts at `GET /api/docs/plain`, and links to them at
 * `GET /`. None needs a key. All are created once, at the first request. Without `PUBLIC_URL` the server of the document is the one that the request came to.
 */
export function createDocsRouter(routes: readonly AnyRoute<never>[], facts: DocumentFacts): Router {
  const document = once(() => createOpenApiDocument(routes, { ...facts, publicUrl: undefined }));
  const documentJson = once(() => withoutServers(document()));
  const storySchema = once(() => JSON.stringify(standaloneSchema(STORY, document().components.schemas)));
  const page = once(() => docsPage(document()));
  const reader = once(readReaderFile);
  const baseUrlOf = (req: Request) => facts.publicUrl ?? ownBaseUrl(req);

  const router = Router();
  const serve = (path: string, send: (req: Request, res: Response) => void) => {
    router.get(path, (req: Request, res: Response) => {
      res.locals['route'] = path;
      res.setHeader('Cache-Control', CACHING);
      send(req, res);
    });
  };
  serve(DOCUMENT_PATH, (req, res) => {
    const servers = JSON.stringify([{ url: baseUrlOf(req) }]);
    res.type('application/json').send(`{"servers":${servers},${documentJson().slice(1)}`);
  });
  serve(STORY_SCHEMA_PATH, (_req, res) => {
    res.type('application/schema+json').send(storySchema());
  });
  serve(PAGE_PATH, (_req, res) => {
    const { html, policy } = readerPage(reader().path);
    res.setHeader('Content-Security-Policy', policy);
    res.type('text/html').send(html);
  });
  serve(PLAIN_PATH, (_req, res) => {
    res.setHeader('Content-Security-Policy', POLICY);
    res.type('text/html').send(page());
  });
  serve(READER_PATH, (req, res) => {
    if (req.path !== reader().path) throw new NotFound(`${req.method} ${req.path}`);
    sendReader(req, res, reader());
  });
  router.get('/', (_req: Request, res: Response) => {
    res.locals['route'] = '/';
    res.json({
      name: 'Fabula',
      version: facts.version,
      documentation: PAGE_PATH,
      openapi: DOCUMENT_PATH,
      story_schema: STORY_SCHEMA_PATH,
    });
  });
  return router;
}

/** The address changes with the content, so a browser may keep it for good. */
function sendReader(req: Request, res: Response, { gzip, plain }: ReaderFile): void {
  res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  res.vary('Accept-Encoding').type('text/javascript');
  if (req.acceptsEncodings('gzip') === false) return void res.send(plain());
  res.setHeader('Content-Encoding', 'gzip');
  res.send(gzip);
}

/** Returns the JSON of a document without its servers, which each request adds. */
function withoutServers({ servers: _servers, ...document }: OpenApiDocument): string {
  return JSON.stringify(document);
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
