import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { onlyReads } from '../../../platform/http/only-reads.js';
import { type Request, type Response, Router } from 'express';
import { NotFound } from '../../../platform/errors.js';
import { ownBaseUrl } from '../../../platform/http/address/own-base-url.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import type { AnyRoute } from '../../route.js';
import { type ApiDescription, describeApi } from '../api-description.js';
import { DOCS_STYLE } from './docs-style.js';
import type { DocumentFacts } from '../openapi-document.js';
import { productRoot } from '../../../platform/runtime/product-root.js';
import { readerPage } from './reader-page.js';

/** The program of the reader, compressed by gzip (`assets/api-reader/README.md`). */
const READER_FILE = 'assets/api-reader/reader.js.gz';

/** The program that shows the OpenAPI document in a browser. */
interface ReaderFile {
  gzip: Buffer;
  /** Its address, which changes with its content. */
  path: string;
  /** For clients that take no gzip. */
  plain: () => Buffer;
}

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'describe-api': (version: string) => ApiDescription;
  }
}

const DOCUMENT_PATH = '/api/openapi.json';
const PAGE_PATH = '/api/docs';
const PLAIN_PATH = '/api/docs/plain';
const READER_PATH = '/api/docs/:reader';
const STORY_SCHEMA_PATH = '/api/story.schema.json';
/** Time to describe the API in a thread. */
const DEADLINE_MS = 20_000;
/** Tenants begin at 1: nobody's. */
const NOBODY = 0;
/** Document and page change only with the program. */
const CACHING = 'public, max-age=300';
/** The headers by which a proxy names the address of a request. */
const FORWARDED = 'X-Forwarded-Host, X-Forwarded-Proto, X-Forwarded-Prefix';

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
 * `GET /`. None needs a key. All are created once, at the first request, in a thread if there are threads. Without `PUBLIC_URL` the server of the document is the one that the request came to.
 */
export function createDocsRouter(
  routes: readonly AnyRoute<never>[],
  facts: DocumentFacts,
  threads?: Pick<ThreadPool, 'run'>,
): Router {
  const description = createDescription(routes, facts, threads);
  const reader = once(readReaderFile);
  const baseUrlOf = (req: Request) => facts.publicUrl ?? ownBaseUrl(req);

  const router = Router();
  const serve = (path: string, send: (req: Request, res: Response) => void | Promise<void>) => {
    const sendOrForget = async (req: Request, res: Response): Promise<void> => {
      res.locals['route'] = path;
      res.setHeader('Cache-Control', CACHING);
      try {
        await send(req, res);
      } catch (error) {
        res.removeHeader('Cache-Control');
        throw error;
      }
    };
    router.get(path, (req: Request, res: Response) => sendOrForget(req, res));
    router.all(path, onlyReads);
  };
  serve(DOCUMENT_PATH, async (req, res) => {
    // A cache that several people share must not give one what another one's headers say.
    if (facts.publicUrl === undefined) res.vary(FORWARDED);
    const { document } = await description();
    const servers = JSON.stringify([{ url: baseUrlOf(req) }]);
    res.type('application/json').send(`{"servers":${servers},${document.slice(1)}`);
  });
  serve(STORY_SCHEMA_PATH, async (_req, res) => {
    const { storySchema } = await description();
    res.type('application/schema+json').send(storySchema);
  });
  serve(PAGE_PATH, (_req, res) => {
    const { html, policy } = readerPage(reader().path);
    res.setHeader('Content-Security-Policy', policy);
    res.type('text/html').send(html);
  });
  serve(PLAIN_PATH, async (_req, res) => {
    const { page } = await description();
    res.setHeader('Content-Security-Policy', POLICY);
    res.type('text/html').send(page);
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

/** Returns the description, made once; after a failure it is made again. */
function createDescription(
  routes: readonly AnyRoute<never>[],
  { version }: DocumentFacts,
  threads: Pick<ThreadPool, 'run'> | undefined,
): () => Promise<ApiDescription> {
  let made: Promise<ApiDescription> | undefined;
  const make = async () =>
    threads === undefined
      ? describeApi(routes, version)
      : threads.run('describe-api', version, { tenantId: NOBODY, deadlineMs: DEADLINE_MS });
  return async () => {
    try {
      return await (made ??= make());
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Reads the program: 1.2 MB. */
function readReaderFile(): ReaderFile {
  const gzip = readFileSync(path.join(productRoot().folder, READER_FILE));
  const hash = createHash('sha256').update(gzip).digest('hex').slice(0, 16);
  return { gzip, path: `/api/docs/reader-${hash}.js`, plain: () => gunzipSync(gzip) };
}
