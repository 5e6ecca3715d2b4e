import { AxeBuilder } from '@axe-core/playwright';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { CHROMIUM } from '../support/browser.js';
import { startChromium } from '../support/chromium.js';
import { type ConsoleOrigin, openConsole } from '../support/console/console-origin.js';
import { buildRecordWorld } from '../support/console/record-world.js';
import { startFabula, type TestFabula } from '../support/fabula.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const PATIENCE_MS = 120_000;
const HOSTILE = `=HYPERLINK("https://evil.example")<img src=x onerror="document.title='run'">\u202E${'w'.repeat(180)}`;

const inBrowser = CHROMIUM === undefined ? describe.skip : describe;

inBrowser('records in the console', () => {
  let browser: Browser;
  let context: BrowserContext;
  let fabula: TestFabula;
  let origin: ConsoleOrigin;
  let page: Page;

  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    fabula = await startFabula(stores, { env: { ADMIN_PORT: '0' } });
    origin = openConsole(stores, fabula);
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
    context.setDefaultTimeout(PATIENCE_MS);
    page = await context.newPage();
    await page.goto(await origin.newLink());
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });
  afterEach(async () => {
    await context?.close();
    await fabula?.close();
  });

  const rows = () => page.locator('.record-table tbody tr');

  test('are filtered, ordered, drawn and saved as CSV, and the address keeps all of it', async () => {
    const { fields } = await buildRecordWorld(stores, fabula);
    await page.getByRole('link', { name: 'Records' }).click();
    await page.getByText('64 records').waitFor();

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Field').selectOption({ label: 'Verdict' });
    await page.getByLabel('Value').selectOption('malicious');
    await page.getByText('25 records').waitFor();
    await page.getByRole('button', { name: 'Score' }).click();
    await page.waitForURL(`**order=${fields.get('Score')}**`);
    await page.getByRole('columnheader', { name: 'Score' }).locator('svg').waitFor();
    await page.locator('.record-table tbody tr:first-child td.number', { hasText: '98' }).waitFor();

    await page.getByRole('button', { name: 'Chart' }).click();
    await page.locator('.bar-chart canvas').waitFor();
    await page.getByLabel('Bars for each').selectOption({ label: 'by Verdict' });
    await page.locator('.value-bars li', { hasText: 'malicious' }).getByText('25').waitFor();

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const file = await saving;
    const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
    expect(file.suggestedFilename()).toBe('phishing-report.csv');
    expect(lines[0]).toBe('\uFEFFid,Story name,Timestamp,Subject,Verdict,Score,Reported');
    expect(lines).toHaveLength(27);
    expect(lines[1]).toMatch(/,malicious,98,/);

    await page.reload();
    await page.getByText('25 records').waitFor();
    await page.locator('.value-bars li').first().waitFor();
  });

  test('a record opens with hostile values as text, and the file runs no formula', async () => {
    const { typeId, fields } = await buildRecordWorld(stores, fabula);
    await fabula.api('POST', '/api/v1/records', {
      record_type_id: typeId,
      field_values: [{ field_id: fields.get('Subject'), value: HOSTILE }],
    });
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(`${origin.url}/console/records?type=${typeId}`);
    await page.getByText('=HYPERLINK').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    expect(readFileSync(await (await saving).path(), 'utf8')).toContain(`"'=HYPERLINK(""https`);
    await rows().first().getByRole('button').click();
    await page.getByRole('dialog').getByText('=HYPERLINK').waitFor();
    expect(await page.title()).not.toBe('run');
  });

  test('no page of them has a fault of accessibility', async () => {
    const { typeId, fields } = await buildRecordWorld(stores, fabula);
    const filter = `f=${fields.get('Verdict')}.EQUAL.malicious&f=${fields.get('Score')}.GREATER_THAN.10`;
    await page.goto(`${origin.url}/console/records?type=${typeId}&chart=time&${filter}`);
    await page.locator('.bar-chart canvas').waitFor();
    await rows().first().waitFor();
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await faultsAt(`list, ${colorScheme}`)));
      await rows().first().getByRole('button').click();
      await page.getByRole('dialog').getByText('Subject').waitFor();
      found.push(...(await faultsAt(`record, ${colorScheme}`)));
      await page.keyboard.press('Escape');
    }
    expect(found).toEqual([]);
  });

  async function faultsAt(place: string): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page }).analyze();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${place}: ${id}: ${html.slice(0, 200)}`),
    );
  }
});
