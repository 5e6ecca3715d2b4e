import type { Page } from 'playwright-core';
import { createStatisticsCounter } from '../../src/observe/statistics/count/statistics-counter.js';
import { describeInBrowser } from '../support/browser.js';
import { faultsInThemes } from '../support/console/page-faults.js';
import { buildPeopleWorld } from '../support/console/people-world.js';
import { type PrefixProxy, startPrefixProxy } from '../support/console/prefix-proxy.js';
import { send } from '../support/console/send.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { PASSWORD } from '../support/people.js';
import { says } from '../support/run-api.js';
import { type ShortAgent, storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const LOOKED_AT_MS = 15 * 60_000;
/** The focus goes back a moment after a dialog has left. */
const FOCUS_MS = 5_000;
const CALLS = 3;

describeInBrowser('buttons that stop something', () => {
  const { fabula, open: openIn, signIn } = useConsole(stores);
  let page: Page;
  let story: { id: number; webhooks: Record<string, string> };

  beforeEach(async () => {
    page = await signIn();
    const [type, options] = says({ ok: true });
    const data = storyOf(
      {
        Hook: ['Webhook', {}],
        Say: [type, options],
        Timed: [type, options, { schedule: [{ cron: '0 9 * * *' }, { cron: '30 17 * * *' }] }],
      },
      ['Hook > Say'],
      { name: 'Duty' },
    );
    story = await fabula.importStory(data, { new_name: 'Duty' });
  });

  const open = (path: string) => openIn(page, path);
  const dialog = () => page.getByRole('dialog');
  const call = async () => (await fabula.fire(story.webhooks['Hook']!, { n: 1 })).status;
  const isDisabled = async () =>
    (await (await fabula.api('GET', `/api/v1/stories/${story.id}`)).json()) as { disabled: boolean };

  test('a story is disabled from its menu, after a question that says what stops, and that can be undone', async () => {
    for (let n = 0; n < CALLS; n += 1) expect(await call()).toBeLessThan(300);
    await fabula.settled(60_000);
    const counter = { database: stores.db, keptDays: 90, holdBackSeconds: 0, logger: stores.logger };
    await createStatisticsCounter(counter).tick();
    await open(`/stories/${story.id}`);
    await page.getByText('Say', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: /^Disable/ }).count()).toBe(0);
    const ask = async () => {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Disable the story…' }).click();
      await dialog().getByText(`Its webhook was called ${CALLS} times in the last hour.`).waitFor();
    };
    await ask();
    await dialog().getByText('2 schedules would start next').waitFor();
    expect(await faultsInThemes(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(await isDisabled()).toMatchObject({ disabled: false });
    await ask();
    await dialog().getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('Duty is disabled.').first().waitFor();
    await eventually(async () => (await call()) === 404);
    await page.getByRole('button', { name: 'Enable', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Duty is enabled.').first().waitFor();
    await eventually(async () => (await call()) < 300);
    await page.getByRole('button', { name: 'Enable', exact: true }).waitFor({ state: 'detached' });
  });

  test('an action is disabled after the same question', async () => {
    const { agents } = (await (await fabula.api('GET', `/api/v1/stories/${story.id}/agents`)).json()) as {
      agents: { id: number; name: string }[];
    };
    const timed = agents.find(({ name }) => name === 'Timed')!.id;
    await open(`/stories/${story.id}?action=${timed}`);
    await page.getByRole('button', { name: 'Disable Timed' }).click();
    await dialog().getByText('2 schedules would start next').waitFor();
    await dialog().getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByRole('button', { name: 'Enable Timed' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Disable Timed' }).waitFor();
  });

  test('several stories are disabled after a question that names them, and enabled again', async () => {
    await open('/stories');
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await dialog().getByText('Duty').waitFor();
    await dialog().getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('1 story disabled.').first().waitFor();
    expect(await isDisabled()).toMatchObject({ disabled: true });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 story enabled.').first().waitFor();
    expect(await isDisabled()).toMatchObject({ disabled: false });
  });

  test('a schedule is paused by itself, after a question, and resumed', async () => {
    await open('/schedules?view=list');
    const row = (times: string) => page.getByRole('row').filter({ hasText: times });
    await page.getByRole('button', { name: 'Pause Timed, daily at 09:00' }).click();
    await dialog().getByText('Other schedules of the action continue.').waitFor();
    await dialog().getByRole('button', { name: 'Pause', exact: true }).click();
    await row('daily at 09:00').getByText('paused', { exact: true }).waitFor();
    await row('daily at 09:00').getByText('never', { exact: true }).waitFor();
    expect(await row('daily at 17:30').getByText('paused', { exact: true }).count()).toBe(0);
    expect(await faultsInThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Week', exact: true }).click();
    await page.locator('.start.off', { hasText: 'Timed' }).first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.start.off', { hasText: 'Timed' }).first().waitFor({ state: 'detached' });
  });

  test('a key that is shown once is not lost by Escape', async () => {
    await open('/team?tab=keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.keyboard.type('Ticket bridge');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Your new API key' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog().getByText('Have you copied the key?').waitFor();
    expect(await faultsInThemes(page)).toEqual([]);
    expect(await page.locator('.made-key').textContent()).toMatch(/^\S{20,}$/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await dialog().waitFor({ state: 'detached' });
  });
});

describeInBrowser('dialogs with a form', () => {
  const { fabula, open: openIn, signIn } = useConsole(stores);

  test(
    'have their first field in focus at once, and give the focus back',
    async () => {
      const page = await signIn();
      const { resourceId, credentialId, personId, teamId } = await buildPeopleWorld(fabula);
      const body = { team_id: teamId, name: 'Phishing' };
      const { case_id: caseId } = await send<{ case_id: number }>(fabula, 'POST /api/v2/cases', body);
      const opened: [path: string, button: string | RegExp][] = [
        ['/', /^Search/],
        ['/stories', 'New story'],
        ['/cases', 'New case'],
        [`/cases/${caseId}`, 'Edit'],
        ['/resources', 'New resource'],
        [`/resources/${resourceId}`, 'Settings'],
        [`/credentials/${credentialId}`, 'Settings'],
        ['/team', 'Invite a user'],
        ['/team?tab=teams', 'New team'],
        ['/team?tab=keys', 'New key'],
        [`/team/teams/${teamId}`, 'Add a member'],
        [`/team/teams/${teamId}`, 'Rename'],
        [`/team/people/${personId}`, 'Edit'],
      ];
      const wrong: string[] = [];
      for (const [path, name] of opened) {
        await openIn(page, path);
        const button = page.getByRole('button', { name, exact: true }).first();
        await button.click();
        await page.keyboard.type('zq');
        const typed = await page.evaluate<string>("document.activeElement.value ?? ''");
        if (!typed.includes('zq')) wrong.push(`${path}, ${String(name)}: “${typed}”`);
        const close = page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true });
        await close.click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await button
          .and(page.locator(':focus'))
          .waitFor({ timeout: FOCUS_MS })
          .catch(() => wrong.push(`${path}, ${String(name)}: the focus is lost`));
      }
      await openIn(page, '/runs');
      await page.getByRole('heading', { name: 'Runs' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('gall');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/gallery');
      expect(wrong).toEqual([]);
    },
    LOOKED_AT_MS,
  );
});

describeInBrowser('a new colleague', () => {
  let api: PrefixProxy;
  const publicUrl = () => api.url.replace('localhost', '127.0.0.1');

  beforeAll(async () => {
    api = await startPrefixProxy('', () => fabula.url);
  });
  afterAll(() => api.close());

  const {
    fabula,
    newPage,
    open: openIn,
    origin,
    signIn,
  } = useConsole(stores, () => ({
    env: { PUBLIC_URL: publicUrl() },
  }));

  test('is in the only team as a viewer, and gets a link where no mail can leave', async () => {
    const page = await signIn();
    await openIn(page, '/team');
    await page.getByRole('button', { name: 'Invite a user' }).click();
    const dialog = page.getByRole('dialog');
    const [team, role] = [dialog.locator('select').first(), dialog.locator('select[name=role]')];
    expect(await team.inputValue()).toBe(String(fabula.account.team.id));
    expect(await role.inputValue()).toBe('VIEWER');
    await dialog.getByLabel('Email address').fill('ada@example.com');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog', { name: 'Pass this link on' }).waitFor();
    expect(await faultsInThemes(page)).toEqual([]);
    const link = (await page.locator('.made-key').textContent()) ?? '';
    expect(link).toMatch(new RegExp(`^${origin().url}/console/\\?reset=[\\w-]{43}$`));

    const other = await newPage();
    await other.goto(link);
    await other.locator('input[name=password]:focus').waitFor();
    await other.keyboard.type(PASSWORD);
    await other.keyboard.press('Enter');
    await other.locator('input[name=email]:focus').waitFor();
    await other.keyboard.type('ada@example.com');
    await other.keyboard.press('Tab');
    await other.keyboard.type(PASSWORD);
    await other.keyboard.press('Enter');
    await other.getByRole('region', { name: 'Status' }).waitFor();
  });

  test('without a team sees that, and whom to ask', async () => {
    const owner = fabula.account.user;
    const page = await signIn();
    await openIn(page, '/team');
    await page.getByRole('button', { name: 'Invite a user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('ada@example.com');
    await dialog.locator('select').first().selectOption({ label: 'No team: the user sees nothing yet' });
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = (await page.locator('.made-key').textContent()) ?? '';
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.waitForURL('**/team/people/*');

    const other = await newPage();
    await other.goto(link);
    await other.getByLabel('New password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Set password' }).click();
    await other.getByLabel('Email address').fill('ada@example.com');
    await other.getByLabel('Password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByText('You are not in a team yet.').waitFor();
    await other.getByRole('link', { name: owner.email }).waitFor();
    expect(await other.getByText('All systems normal').count()).toBe(0);
    expect(await faultsInThemes(other)).toEqual([]);
    const [personId] = /\d+$/.exec(new URL(page.url()).pathname) ?? [];
    const member = { user_id: Number(personId), role: 'VIEWER' };
    await send(fabula, `POST /api/v1/teams/${fabula.account.team.id}/members`, member);
    await other.getByRole('button', { name: 'Check again' }).click();
    await other.getByRole('region', { name: 'Status' }).waitFor();
  });

  test('of stories is this server: the key that they get calls its API as it is offered', async () => {
    const page = await signIn();
    await openIn(page, '/credentials/new?kind=FABULA');
    expect(await page.getByLabel('Allowed hosts').inputValue()).toBe(new URL(publicUrl()).host);
    await page.locator('input[name=name]:focus').waitFor();
    await page.keyboard.type('Fabula self');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Fabula self' }).waitFor();
    const options = {
      url: `${publicUrl()}/api/v1/stories`,
      method: 'get',
      headers: { Authorization: 'Bearer <<CREDENTIAL.fabula_self>>' },
    };
    const asks = { Hook: ['Webhook', {}], Ask: ['HTTPRequest', options] } satisfies Record<
      string,
      ShortAgent
    >;
    const { webhooks } = await fabula.importStory(storyOf(asks, ['Hook > Ask'], { name: 'Own stories' }));
    await fabula.fire(webhooks['Hook']!);
    const answer = await eventually(async () => (await fabula.events()).find(({ agent }) => agent === 'Ask'));
    expect(answer.payload).toMatchObject({ status: 200, body: [{ name: 'Own stories' }] });
  });
});
