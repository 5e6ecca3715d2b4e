import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describeInBrowser, NARROW } from '../support/browser.js';
import { faultsOf, overflowOf } from '../support/console/page-faults.js';
import { buildRecordWorld } from '../support/console/record-world.js';
import { useConsole } from '../support/console/use-console.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const HOSTILE = `=HYPERLINK("https://evil.example")<img src=x onerror="document.title='run'">\u202E${'w'.repeat(180)}`;

describeInBrowser('records in the console', () => {
  const { fabula, open, signIn } = useConsole(stores);
  let page: Page;

  beforeEach(async () => {
    page = await signIn({ acceptDownloads: true, timezoneId: 'America/New_York' });
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
    await page.getByLabel('Group by').selectOption({ label: 'by Verdict' });
    await page.locator('.value-bars li', { hasText: 'malicious' }).getByText('25').waitFor();

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const file = await saving;
    const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
    expect(file.suggestedFilename()).toBe('phishing-report.csv');
    expect(lines[0]).toBe('\uFEFFid,Story name,Timestamp,Subject,Verdict,Score,Reported');
    expect(lines).toHaveLength(27);
    expect(lines[1]).toMatch(/,malicious,98,/);
    // Times stand in the viewer's zone, as in the list, with their offset.
    expect(lines[1]).toMatch(/^\d+,[^,]*,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]:00,/);

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
    await page.setViewportSize(NARROW);
    await open(page, `/records?type=${typeId}`);
    await page.getByText('=HYPERLINK').waitFor();
    expect(await overflowOf(page)).toBe(0);
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
    await open(page, `/records?type=${typeId}&chart=time&${filter}`);
    await page.locator('.bar-chart canvas').waitFor();
    await rows().first().waitFor();
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await faultsOf(page, `list, ${colorScheme}`)));
      await rows().first().getByRole('button').click();
      await page.getByRole('dialog').getByText('Subject').waitFor();
      found.push(...(await faultsOf(page, `record, ${colorScheme}`)));
      await page.keyboard.press('Escape');
    }
    expect(found).toEqual([]);
  });
});
