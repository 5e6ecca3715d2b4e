import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { NotFound } from '../../../platform/errors.js';
import { htmlPage, PAGE_HEADERS } from '../../../platform/http/page-style.js';
import { CONSOLE_PATH } from '../admin-paths.js';
import type { ConsoleBuild } from './console-files.js';

/** Names that have a hash of their content. */
const HASHED = /^assets\/.*[-.][\w-]{8,}\.\w+$/;
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
const HEADERS = { ...PAGE_HEADERS, 'Referrer-Policy': 'no-referrer' };

export interface ConsoleRouterDeps {
  /** The folder of the built files. */
  folder: string;
  files: () => Promise<ConsoleBuild | undefined>;
}

/** Creates the router of the console's files. Every path that is no file gets the page, which shows what is there. */
export function createConsoleRouter({ folder, files }: ConsoleRouterDeps): Router {
  const router = Router();
  router.get('/console', (req: Request, res: Response, next) => {
    if (req.path !== '/console') return next();
    res.redirect(303, `.${CONSOLE_PATH}`);
  });
  router.get('/console/*below', (req: Request, res: Response) => show(req, res, { folder, files }));
  router.get('/console/', (req: Request, res: Response) => show(req, res, { folder, files }));
  return router;
}

async function show(req: Request, res: Response, { folder, files }: ConsoleRouterDeps): Promise<void> {
  res.locals['route'] = '/console';
  const built = await files();
  if (built === undefined) return void res.status(503).set(HEADERS).type('html').send(unbuiltPage());
  const below = req.path.slice(CONSOLE_PATH.length);
  if (built.names.has(below) && below !== 'index.html')
    return sendFile(req, res, { folder, built, name: below });
  // A file of an earlier build must not become a page that a browser reads as a script.
  if (below.startsWith('assets/')) throw new NotFound('File');
  const { html, policy } = consolePage(built.index, below);
  res
    .set({ ...HEADERS, 'Content-Security-Policy': policy })
    .type('html')
    .send(html);
}

interface WantedFile {
  folder: string;
  built: ConsoleBuild;
  name: string;
}

/** Sends a file, compressed as it was built if the browser reads that. Only names of the build get here. */
function sendFile(req: Request, res: Response, { folder, built, name }: WantedFile): Promise<void> {
  const there = Object.entries(ENCODINGS).filter(([, ending]) => built.names.has(name + ending));
  const coding = there.length === 0 ? undefined : there.find(([each]) => req.acceptsEncodings(each) === each);
  if (there.length > 0) res.vary('Accept-Encoding');
  if (coding !== undefined) res.set('Content-Encoding', coding[0]);
  res.set(HEADERS).type(path.extname(name));
  res.set('Cache-Control', HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache');
  return new Promise((resolve, reject) => {
    const options = { root: folder, cacheControl: false, dotfiles: 'ignore' as const };
    res.sendFile(name + (coding?.[1] ?? ''), options, (error) => {
      if (error === undefined || res.headersSent) resolve();
      else reject(error);
    });
  });
}

/** Returns the policy of the console: its own files, styles with the nonce, requests to this origin alone. */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page of the console, for one request. */
interface ConsolePage {
  html: string;
  policy: string;
}

/**
 * Returns the page with a new nonce. `pathBelow`: what follows `/console/`; the base leads back from there, so that the page
 * works behind any prefix that a proxy takes off.
 */
function consolePage(index: string, pathBelow: string): ConsolePage {
  const nonce = randomBytes(16).toString('base64');
  const up = '../'.repeat(pathBelow.split('/').length - 1);
  const html = index
    .replaceAll('__CSP_NONCE__', () => nonce)
    .replaceAll('__BASE__', () => (up === '' ? './' : up));
  return { html, policy: policyOf(nonce) };
}

/** Returns the page that is shown before the console was built. */
function unbuiltPage(): string {
  return htmlPage(
    'Fabula',
    '<p>The console is not built. Build it with <code>npm run build</code>; the API works without it.</p>',
  );
}
