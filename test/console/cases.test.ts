import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import { buildCaseWorld } from '../support/console/case-world.js';
import { faultsOf } from '../support/console/page-faults.js';
import { buildRecordWorld } from '../support/console/record-world.js';
import { send } from '../support/console/send.js';
import { useConsole } from '../support/console/use-console.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** Each opens many pages, which take seconds on a busy machine. */
const LOOKED_AT_MS = 15 * 60_000;

describeInBrowser('cases in the console', () => {
  const { fabula, open: openIn, signIn } = useConsole(stores);
  let page: Page;

  beforeEach(async () => {
    page = await signIn();
  });

  const open = (path: string) => openIn(page, path);
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  const make = async (body: object) =>
    (
      await send<{ case_id: number }>(fabula, 'POST /api/v2/cases', {
        team_id: fabula.account.team.id,
        ...body,
      })
    ).case_id;

  test('a case is not closed while a condition is unmet, and is closed once it is met', async () => {
    await page.getByRole('link', { name: 'Cases', exact: true }).click();
    await page.getByText('No cases yet.').waitFor();
    await page.getByRole('button', { name: 'New case' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Phishing mail');
    await dialog.getByLabel('Priority').selectOption('High');
    await dialog.getByLabel('Tags').fill('phishing, tier 1');
    await dialog.getByRole('button', { name: 'Create case' }).click();
    await page.getByRole('heading', { name: 'Phishing mail' }).waitFor();
    await part('Conditions for closing')
      .getByText('No conditions: the case can be closed at any time.')
      .waitFor();

    await part('Conditions for closing').getByRole('button', { name: 'Add' }).click();
    await dialog.getByLabel('Name').fill('Has a verdict');
    await dialog.getByLabel('Formula').fill('team_case.metadata.verdict +');
    await dialog.getByRole('button', { name: 'Add condition' }).click();
    await dialog.getByText('closure_conditions[0].formula').waitFor();
    await dialog.getByLabel('Formula').fill('team_case.metadata.verdict');
    await dialog.getByRole('button', { name: 'Add condition' }).click();
    await part('Conditions for closing').getByText('not met').waitFor();

    await page.getByRole('button', { name: 'Close (1 condition open)' }).click();
    const said = part('Conditions for closing').getByRole('alert');
    await said.getByText('The condition "Has a verdict" is not met').waitFor();
    await page.getByText('The case cannot be closed').waitFor();

    await part('Fields').getByLabel('Field', { exact: true }).fill('verdict');
    await part('Fields').getByLabel('Value', { exact: true }).fill('malicious');
    await part('Fields').getByRole('button', { name: 'Set' }).click();
    await part('Conditions for closing').getByText('met', { exact: true }).waitFor();
    await said.waitFor({ state: 'detached' });
    await part('Fields').getByRole('button', { name: 'Edit the field verdict' }).click();
    const field = part('Fields').getByRole('textbox', { name: 'Value of verdict' });
    await field.press('Escape');
    await part('Fields').getByText('malicious').waitFor();
    await part('Fields').getByRole('button', { name: 'Edit the field verdict' }).click();
    await field.fill('benign');
    await part('Fields').getByRole('button', { name: 'Save' }).click();
    await part('Fields').getByText('benign').waitFor();
    await page.getByRole('button', { name: 'Close the case' }).click();
    await page.getByRole('button', { name: 'Reopen the case' }).waitFor();
    await part('Activity').getByText('closed the case').waitFor();

    await page.getByRole('button', { name: 'Reopen the case' }).click();
    await part('Activity').getByText('reopened the case').waitFor();
  });

  test('cases are found by filters that the address keeps, and moved on the board', async () => {
    const { colleague } = await buildCaseWorld(stores, fabula);
    const refused = await make({
      name: 'Not done',
      closure_conditions: [{ name: 'Done', formula: 'FALSE' }],
    });
    await open('/cases');
    await page.getByText('11 cases').waitFor();
    await page.getByLabel('Status').selectOption('Closed');
    await page.getByText('3 cases').waitFor();
    await page.getByLabel('Assignee').selectOption(colleague.name);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('11 cases').waitFor();
    await page.getByLabel('Tag').selectOption('tier 1');
    await page.getByLabel('Priority').selectOption('Medium');
    await page.getByText('1 case', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('1 case', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('searchbox', { name: 'Search cases' }).fill('web-14');
    await page.getByRole('link', { name: 'Malware on web-14' }).waitFor();
    await page.getByText('1 case', { exact: true }).waitFor();

    await open('/cases?view=board');
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    const card = (name: string) => page.locator('.board-card', { hasText: name });
    await column('High').getByText('Malware on web-14').waitFor();
    await card('Malware on web-14').dragTo(column('Critical'));
    await column('Critical').getByText('Malware on web-14').waitFor();
    await card('Malware on web-14').dragTo(column('Closed'));
    await column('Closed').getByText('Malware on web-14').waitFor();
    await card('Malware on web-14').dragTo(column('Low'));
    await column('Low').getByText('Malware on web-14').waitFor();
    await page.getByRole('button', { name: `Move case ${refused}` }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await card('Not done').getByRole('alert').getByText('The condition "Done" is not met').waitFor();
    await column('Low').getByText('Not done').waitFor();
  });

  test(
    'what others do is seen at once, and a record and its case lead to each other',
    async () => {
      const { typeId, fields } = await buildRecordWorld(stores, fabula);
      const made = await fabula.api('POST', '/api/v1/records', {
        record_type_id: typeId,
        field_values: [{ field_id: fields.get('Subject'), value: 'Invoice 4711' }],
      });
      const { id: record } = (await made.json()) as { id: number };
      const { fullId, colleague } = await buildCaseWorld(stores, fabula, [record]);
      await open(`/cases/${fullId}`);
      await part('Records').getByText('Invoice 4711').waitFor();
      await page.getByText(`@${colleague.name}`).waitFor();

      await page.getByLabel('New comment').fill('I **take** it, see https://example.com/a_b.');
      await page.keyboard.press('Control+Enter');
      const link = page.getByRole('link', { name: 'https://example.com/a_b' });
      await link.waitFor();
      expect([await link.getAttribute('rel'), await link.getAttribute('target')]).toEqual([
        'noopener noreferrer',
        '_blank',
      ]);
      await send(fabula, `POST /api/v2/cases/${fullId}/comments`, { value: 'From elsewhere' });
      await page.getByText('From elsewhere').waitFor();
      await send(fabula, `PUT /api/v2/cases/${fullId}`, { metadata: { verdict: 'clean' } });
      await part('Conditions for closing').getByText('not met').waitFor({ state: 'detached' });

      await part('Records')
        .getByRole('button', { name: /Invoice 4711/ })
        .click();
      await page
        .getByRole('dialog')
        .getByRole('link', { name: `case ${fullId}` })
        .waitFor();
      await page.keyboard.press('Escape');
      await part('Linked cases').getByRole('link').click();
      await page.getByRole('heading', { name: 'Impossible travel: j.doe' }).waitFor();
    },
    LOOKED_AT_MS,
  );

  test(
    'no page of them has a fault of accessibility',
    async () => {
      const { fullId } = await buildCaseWorld(stores, fabula);
      const found: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: 800 });
          await open('/cases');
          await page.getByText('10 cases').waitFor();
          found.push(...(await faultsOf(page, `list, ${colorScheme}, ${width}`)));
          await page.getByRole('button', { name: 'New case' }).click();
          await page.getByRole('dialog').getByRole('combobox', { name: 'Team' }).waitFor();
          found.push(...(await faultsOf(page, `new, ${colorScheme}, ${width}`)));
          await open('/cases?view=board');
          await page.getByText('Old DNS entries').waitFor();
          found.push(...(await faultsOf(page, `board, ${colorScheme}, ${width}`)));
          await open(`/cases/${fullId}`);
          await part('Conditions for closing').getByText('not met').waitFor();
          await page.getByRole('button', { name: /^Close (the case|\()/ }).click();
          await part('Conditions for closing').getByRole('alert').waitFor();
          found.push(...(await faultsOf(page, `case, ${colorScheme}, ${width}`)));
        }
      }
      expect(found).toEqual([]);
    },
    LOOKED_AT_MS,
  );
});
