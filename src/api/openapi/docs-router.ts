import { createHash } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import type { AnyRoute } from '../route.js';
import { docsPage } from './docs-page.js';
import { DOCS_STYLE } from './docs-style.js';
import { createOpenApiDocument, type DocumentFacts } from './openapi-document.js';

const DOCUMENT_PATH = '/api/openapi.json';
const PAGE_PATH = '/api/docs';
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
 * Serves the document at `GET /api/openapi.json`, its page at `GET /api/docs`, and links to both at `GET /`. None
 * needs a key. Document and page are created once, at the first request.
 */
export function createDocsRouter(routes: readonly AnyRoute<never>[], facts: DocumentFacts): Router {
  let made: { json: string; page: string } | undefined;
  const make = () => {
    const document = createOpenApiDocument(routes, facts);
    return { json: JSON.stringify(document), page: docsPage(document) };
  };
  const contents = () => (made ??= make());

  const router = Router();
  router.get(DOCUMENT_PATH, (_req: Request, res: Response) => {
    res.locals['route'] = DOCUMENT_PATH;
    res.setHeader('Cache-Control', CACHING);
    res.type('application/json').send(contents().json);
  });
  router.get(PAGE_PATH, (_req: Request, res: Response) => {
    res.locals['route'] = PAGE_PATH;
    res.setHeader('Cache-Control', CACHING);
    res.setHeader('Content-Security-Policy', POLICY);
    res.type('text/html').send(contents().page);
  });
  router.get('/', (_req: Request, res: Response) => {
    res.locals['route'] = '/';
    res.json({ name: 'Fabula', version: facts.version, documentation: PAGE_PATH, openapi: DOCUMENT_PATH });
  });
  return router;
}
