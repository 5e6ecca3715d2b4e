import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROUTES } from '../../src/app/routes.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { describeInBrowser, useBrowser } from '../support/browser.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const FOLDER = path.resolve(__dirname, '../../assets/api-reader');
const program = gunzipSync(readFileSync(path.join(FOLDER, 'reader.js.gz')));
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(stores, { routes: [...ROUTES], services: {} as never });
});

const programPath = async () =>
  /\/api\/docs\/reader-[0-9a-f]{16}\.js/.exec(await (await fetch(`${app.url}/api/docs`)).text())![0];

describe('the program of the reader', () => {
  it('is the file of the package that its page names', () => {
    const page = readFileSync(path.join(FOLDER, 'README.md'), 'utf8');
    expect(page).toContain(createHash('sha256').update(program).digest('hex'));
    const version = /\| Version \| (\S+) \|/.exec(page)![1]!;
    expect(program.includes(version)).toBe(true);
  });

  it('is served compressed, to be kept for good', async () => {
    const response = await fetch(app.url + (await programPath()));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(program)).toBe(true);
  });

  it('is served plain to who takes no gzip', async () => {
    const headers = { 'Accept-Encoding': 'identity' };
    const response = await fetch(app.url + (await programPath()), { headers });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(Buffer.from(await response.arrayBuffer()).equals(program)).toBe(true);
  });

  it.each(['reader-0000000000000000.js', 'nothing', '..%2f..%2fpackage.json'])(
    'has no other file beside it: %s',
    async (name) => {
      expect((await fetch(`${app.url}/api/docs/${name}`)).status).toBe(404);
    },
  );
});

describe('the page of the reader', () => {
  it('runs its own script and what that loads, and connects to this server only', async () => {
    const response = await fetch(`${app.url}/api/docs`);
    const html = await response.text();
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
    const digest = createHash('sha256').update(script).digest('base64');
    expect(response.headers.get('content-security-policy')).toBe(
      [
        "default-src 'none'",
        `script-src 'sha256-${digest}' 'strict-dynamic'`,
        "style-src 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    );
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/https?:\/\//);
    expect(html).toContain('<noscript>');
  });
});

describeInBrowser('in a browser', () => {
  const { newPage } = useBrowser();

  it('the reader shows the operations, asks no other host and keeps no key', async () => {
    const page = await newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${app.url}/api/docs`);
    await page.getByText('List API keys').first().waitFor();
    expect(asked.filter((address) => !address.startsWith(`${app.url}/`))).toEqual([]);
    expect(asked).toContain(`${app.url}/api/openapi.json`);

    const field = page.getByPlaceholder(/token/i).first();
    await field.fill('fab_typed_by_hand');
    await page.waitForFunction(
      "[...document.querySelectorAll('input')].some(({ value }) => value === 'fab_typed_by_hand')",
    );
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toContain('fab_typed_by_hand');
  });

  it('nothing that is put into the page runs', async () => {
    const page = await newPage();
    await page.goto(`${app.url}/api/docs`);
    await page.evaluate(`(() => {
      const put = document.createElement('div');
      put.innerHTML = '<img src=x onerror="window.ran = true">';
      document.body.append(put);
    })()`);
    await page.evaluate(
      "new Promise((resolve) => { const one = new Image(); one.onerror = resolve; one.src = '/nothing'; })",
    );
    expect(await page.evaluate('window.ran ?? null')).toBeNull();
  });

  it('the plain page works without scripts', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(`${app.url}/api/docs/plain`);
    expect(await page.locator('section').count()).toBe(ROUTES.length);
  });
});
