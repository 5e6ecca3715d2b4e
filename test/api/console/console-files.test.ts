import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import { createConsoleFiles } from '../../../src/web/admin/console/console-files.js';
import { createConsoleRouter } from '../../../src/web/admin/console/console-router.js';
import { errorHandler } from '../../../src/api/response/error-handler.js';
import { responseHeaders } from '../../../src/platform/http/server/response-headers.js';
import { createSilentLogger } from '../../../src/platform/logger.js';
import { serve, type TestApp } from '../../support/app.js';
import { sendRaw } from '../../support/raw-http.js';

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(500))})`;
const INDEX = '<base href="__BASE__"><meta name="csp-nonce" content="__CSP_NONCE__">';
const NAME = 'assets/index-Ab12_x9Z.js';
let folder: string;
let app: TestApp;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'console-'));
  mkdirSync(path.join(folder, 'console/assets'), { recursive: true });
  const write = (name: string, content: string | Buffer) =>
    writeFileSync(path.join(folder, 'console', name), content);
  write('index.html', INDEX);
  write('theme.js', SCRIPT);
  write(NAME, SCRIPT);
  write(`${NAME}.br`, brotliCompressSync(SCRIPT));
  write(`${NAME}.gz`, gzipSync(SCRIPT));
  writeFileSync(path.join(folder, 'secret.txt'), 'secret');
  const built = path.join(folder, 'console');
  const server = express().disable('etag');
  server.use(responseHeaders, createConsoleRouter({ folder: built, files: createConsoleFiles(built) }));
  server.use(errorHandler(createSilentLogger()));
  app = await serve(server);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (where: string, headers: Record<string, string> = {}) =>
  fetch(app.url + where, { headers, redirect: 'manual' });

describe('the files of the console', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
    ['br;q=0, gzip;q=0', null],
  ])('come as the browser reads them: %s', async (accepted, coding) => {
    const response = await get(`/console/${NAME}`, { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toBe(SCRIPT);
  });

  it('without a hash in their name are asked for again', async () => {
    const response = await get('/console/theme.js');
    expect([response.headers.get('cache-control'), await response.text()]).toEqual(['no-cache', SCRIPT]);
  });

  it('of another build are not the page', async () => {
    expect((await get('/console/assets/index-00000000.js')).status).toBe(404);
  });

  it.each([
    ['/console/', './'],
    ['/console/stories', './'],
    ['/console/stories/12', '../'],
    ['/console/stories/12/runs/', '../../../'],
    ['/console/index.html', './'],
  ])('begin with the page at %s, with its base', async (where, base) => {
    const response = await get(where);
    const html = await response.text();
    const [, nonce = ''] = /csp-nonce" content="([^"]+)"/.exec(html) ?? [];
    expect(html).toContain(`<base href="${base}">`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(await (await get(where)).text()).not.toContain(nonce);
  });

  it('are nothing outside of the folder', async () => {
    for (const target of [
      '/console/..%2fsecret.txt',
      '/console/%2e%2e/secret.txt',
      '/console/../secret.txt',
      '/console/assets/..%2f..%2f..%2fsecret.txt',
      '/console//../secret.txt',
      '/console/..\\secret.txt',
      `/console/${path.join(folder, 'secret.txt')}`,
    ]) {
      const response = await sendRaw(
        app.url,
        `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(response).not.toContain('secret\r\n');
      expect(response.endsWith('secret')).toBe(false);
    }
  });

  it('say how they are built, if they were not', async () => {
    const none = path.join(folder, 'none');
    const server = express();
    server.use(createConsoleRouter({ folder: none, files: createConsoleFiles(none) }));
    const unbuilt = await serve(server);
    const response = await fetch(`${unbuilt.url}/console/stories`);
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('npm run build')]);
    await unbuilt.close();
  });

  it('are at an address that ends with a slash', async () => {
    const response = await get('/console');
    expect([
      response.status,
      new URL(response.headers.get('location') ?? '', `${app.url}/console`).pathname,
    ]).toEqual([303, '/console/']);
  });
});
