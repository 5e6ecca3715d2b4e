import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../src/platform/json.js';
import { describeInBrowser } from '../support/browser.js';
import { buildAccount } from '../support/builders.js';
import { openConsole } from '../support/console/console-origin.js';
import { shootSizes, SIZES } from '../support/console/shots.js';
import { useConsole } from '../support/console/use-console.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { leaveOneTenant } from '../support/one-tenant.js';
import { agentIds, call } from '../support/run-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const SHOTS_LIMIT_MS = 20 * 60_000;
const MANY = 30;
const TRIAGE = path.resolve(__dirname, '../../assets/gallery/alert-triage/story.json');
const ALERT = {
  id: 'A-20431',
  severity: 'low',
  title: 'Screensaver off',
  rule: 'Policy',
  host: 'kiosk-12',
};

describeInBrowser('pictures of tests of stories', () => {
  const { fabula, newPage, open, origin, signIn } = useConsole(stores);

  let target: HttpTarget;
  beforeEach(async () => {
    const host = { name: 'kiosk-12', owner: 'lobby@example.com', criticality: 'low' };
    target = await startHttpTarget({ rules: { '/hosts/kiosk-12': { body: host } } });
  });
  afterEach(() => target.close());

  test(
    'the list, a test, what it reaches, and the publication',
    async () => {
      await leaveOneTenant(stores, fabula);
      const ask = async (request: string, body: JsonObject) => {
        const response = await call(fabula, request, { body });
        if (response.status >= 300) throw new Error(`${request}: ${JSON.stringify(response.body)}`);
        return response.body as JsonObject;
      };
      const team = { team_id: fabula.account.team.id };
      const values = {
        inventory_url: target.url,
        tickets_url: target.url,
        on_call_mail: 'on-call@example.com',
      };
      for (const [name, value] of Object.entries(values))
        await ask('POST /api/v1/global_resources', { ...team, name, value });
      for (const name of ['inventory', 'tickets'])
        await ask('POST /api/v1/user_credentials', { ...team, name, mode: 'TEXT', value: 'sample-token' });
      const data = JSON.parse(readFileSync(TRIAGE, 'utf8')) as JsonObject;
      const { id, webhooks } = await fabula.importStory(data);
      await fabula.fire(webhooks['Receive alert']!, ALERT);
      await fabula.settled();

      const page = await signIn({ viewport: SIZES.wide });
      const tests = `/stories/${id}?view=tests`;
      await open(page, tests);
      await page.getByRole('button', { name: 'Keep a run as a test' }).click();
      await page.getByRole('option').first().waitFor();
      await shootSizes(page, 'tests-keep');
      await page.getByRole('option').first().click();
      await page.waitForURL(/test=/);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('All is as expected.').waitFor();
      await shootSizes(page, 'tests-form', 'test-form');

      const { id: draft } = (await ask(`POST /api/v1/stories/${id}/drafts`, { name: 'Fewer tickets' })) as {
        id: number;
      };
      const actions = await agentIds(fabula, draft);
      const rules = [{ type: 'field>=value', path: '<<score_the_alert.score>>', value: '90' }];
      await ask(`PUT /api/v1/actions/${actions['Is it urgent?']}`, { options: { rules } });
      await open(page, `${tests}&draft=${draft}`);
      await shootSizes(page, 'tests-not-run');
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('1 of 3 tests fails.').waitFor();
      await shootSizes(page, 'tests-list', 'test-list');
      await page.getByRole('link', { name: /^A high alert/ }).click();
      await page
        .getByText(/^Because "Is it urgent/)
        .first()
        .waitFor();
      await shootSizes(page, 'tests-failed', 'test-failed');
      await page.getByRole('link', { name: 'Tests', exact: true }).click();
      await page.getByRole('link', { name: 'Show on the canvas' }).click();
      await page.locator('.action-box.untested').first().waitFor();
      await shootSizes(page, 'tests-coverage', 'test-coverage-dark');

      await open(page, `/stories/${id}/edit/publish?draft=${draft}`);
      await page.getByRole('list', { name: 'Tests that fail' }).waitFor();
      await page.getByRole('button', { name: 'Last 1,000 runs' }).click();
      await page
        .getByText(/gave the same|differs/)
        .first()
        .waitFor();
      await shootSizes(page, 'tests-publish', 'test-publish');
      await ask('PUT /api/v1/tenants/current/test_settings', { on_publish: 'block' });
      await page.reload();
      await page.getByText(/^Failing tests refuse/).waitFor();
      await page.getByRole('button', { name: 'Publish despite failing tests…' }).click();
      await page.getByRole('dialog').waitFor();
      await shootSizes(page, 'tests-publish-despite');

      await open(page, '/team?tab=settings');
      await page.getByRole('combobox', { name: /^When tests fail/ }).waitFor();
      await shootSizes(page, 'tests-setting');

      const [one] = (data['fabula_tests'] as JsonObject[]) ?? [];
      for (let n = 1; n <= MANY; n += 1)
        await ask(`PUT /api/v1/stories/${id}/tests`, {
          test: { ...one, name: `A high alert opens a ticket (${n})` },
        });
      await open(page, tests);
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('The tests run.').waitFor();
      await shootSizes(page, 'tests-many-running');
      await page.getByText(/tests pass\./).waitFor();
      await shootSizes(page, 'tests-many');

      const reader = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
      const theirs = await newPage({ viewport: SIZES.wide });
      await theirs.goto(await openConsole(stores, { adminUrl: origin().url, account: reader }).newLink());
      await theirs.getByRole('navigation', { name: 'Pages' }).waitFor();
      await open(theirs, tests);
      await theirs.getByRole('table').waitFor();
      await shootSizes(theirs, 'tests-reader');
      await open(theirs, '/team?tab=settings');
      await theirs.getByText('An owner changes this.').waitFor();
      await shootSizes(theirs, 'tests-setting-reader');

      const bare = await fabula.importStory({ ...data, fabula_tests: [] }, { new_name: 'Without tests' });
      await open(page, `/stories/${bare.id}?view=tests`);
      await page.getByText('This story has no tests yet.').waitFor();
      await shootSizes(page, 'tests-none');
    },
    SHOTS_LIMIT_MS,
  );
});
