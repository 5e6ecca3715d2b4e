import type { Page } from 'playwright-core';
import { describeInBrowser, NARROW } from '../support/browser.js';
import { buildAccount, buildMembership, buildTeam } from '../support/builders.js';
import { faultsInThemes, overflowOf } from '../support/console/page-faults.js';
import { useConsole } from '../support/console/use-console.js';
import { eventually } from '../support/eventually.js';
import { startHttpTarget } from '../support/http-target.js';
import { makeLink, PASSWORD } from '../support/people.js';
import { says } from '../support/run-api.js';
import { type SmtpTestServer, startSmtpServer } from '../support/smtp-server.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
/** More digits than a number of JavaScript has. */
const LARGE = '12345678901234567890';
const SECRET = 'never-to-be-seen-again';

describeInBrowser('setting up in the console', () => {
  let smtp: SmtpTestServer;
  let page: Page;

  beforeAll(async () => {
    smtp = await startSmtpServer();
  });
  afterAll(() => smtp?.close());

  const {
    fabula,
    newPage,
    open: openIn,
    origin,
    signIn,
  } = useConsole(stores, () => ({ env: { SMTP_URL: smtp.url } }));

  beforeEach(async () => {
    page = await signIn();
  });

  const pages = () => page.getByRole('navigation', { name: 'Pages' });
  /** Opens a link of another person, and agrees that the present session ends. */
  const become = async (userId: number) => {
    await page.goto(`${origin().url}/console/?link=${await makeLink(stores, userId, 'sign_in')}`);
    await page.getByRole('button', { name: 'Sign out and continue' }).click();
    await pages().waitFor();
  };
  const dialog = () => page.getByRole('dialog');
  const open = (path: string) => openIn(page, path);
  const toasted = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
  const readJson = async (path: string) => (await fabula.api('GET', path)).text();

  test('a phone has all pages in a menu, by keyboard', async () => {
    expect(await pages().getByRole('group', { name: 'Set up' }).getByRole('link').count()).toBe(4);
    await page.setViewportSize(NARROW);
    expect(await pages().getByRole('link').count()).toBe(4);
    await page.getByRole('button', { name: 'More pages' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Audit log' }).waitFor();
    expect(await page.getByRole('menuitem').count()).toBeGreaterThanOrEqual(11);
    await page.keyboard.type('audit');
    await page.locator('[role=menuitem]:focus', { hasText: 'Audit log' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/audit');
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    expect(await overflowOf(page)).toBe(0);
  });

  test('no two pages have the same key', async () => {
    await page.keyboard.press('?');
    await dialog().getByText('Go to Audit log').waitFor();
    const keys = await dialog().locator('kbd').allTextContents();
    expect(keys).toEqual([...new Set(keys)]);
  });

  test('a resource is made, changed with all its digits, found where it is used, and deleted', async () => {
    await open('/resources');
    await page.getByText('No resources yet.').waitFor();
    await page.getByRole('button', { name: 'New resource' }).click();
    await dialog().getByLabel('Name').fill('Limits');
    await dialog().getByLabel('Type').selectOption('json');
    await dialog().getByLabel('Value').fill('{"most": ');
    await dialog().getByText('Invalid JSON.').waitFor();
    expect(await dialog().getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    await dialog().getByLabel('Value').fill(`{"most": ${LARGE}}`);
    expect(await faultsInThemes(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Create' }).click();
    await page.getByRole('tree', { name: 'Value' }).waitFor();
    await page.getByRole('tree', { name: 'Value' }).getByText(LARGE).waitFor();
    const id = Number(page.url().split('/').at(-1));
    expect(await readJson(`/api/v1/global_resources/${id}`)).toContain(LARGE);

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'Value' }).inputValue()).toContain(LARGE);
    await page.getByRole('textbox', { name: 'Value' }).fill(`[${LARGE}, 2]`);
    await page.getByRole('button', { name: 'Save value' }).click();
    await page.getByText('array', { exact: true }).first().waitFor();
    expect(await readJson(`/api/v1/global_resources/${id}`)).toContain(`[${LARGE},2]`);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('textbox', { name: 'Value' }).fill('for drafts');
    await page.getByRole('button', { name: 'Save value' }).click();
    await page.getByRole('region', { name: 'Text' }).getByText('for drafts').waitFor();

    await page.getByText('Not used by any action.').waitFor();
    const data = storyOf({ Say: says({ limits: '<<RESOURCE.limits>>' }) }, []);
    await fabula.importStory(data, { new_name: 'User of limits' });
    await page.reload();
    await page.getByRole('link', { name: 'Say' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog().getByText('1 action').waitFor();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No resources yet.').waitFor();
  });

  test('a resource and a credential are shared with some teams, also with one that the person cannot see', async () => {
    const { team, tenantId } = fabula.account;
    const admin = await buildAccount(stores.db, { team, role: 'TEAM_ADMIN' });
    const [blue] = [
      await buildTeam(stores.db, { tenantId, name: 'Blue team' }),
      await buildTeam(stores.db, { tenantId, name: 'Hidden team' }),
    ];
    await buildMembership(stores.db, { teamId: blue.id, userId: admin.user.id, role: 'VIEWER' });
    await become(admin.user.id);
    const sharing = { read_access: 'SPECIFIC_TEAMS', shared_team_slugs: ['hidden_team'] };
    const given = { name: 'Shared', value: 'x', team_id: team.id, ...sharing };
    for (const [things, path] of [
      ['global_resources', 'resources'],
      ['user_credentials', 'credentials'],
    ] as const) {
      const body = { ...given, ...(path === 'credentials' && { mode: 'TEXT' }) };
      const { id } = (await (await fabula.api('POST', `/api/v1/${things}`, body)).json()) as { id: number };
      const isShared = (...slugs: string[]) =>
        eventually(async () => {
          const found = JSON.parse(await readJson(`/api/v1/${things}/${id}`)) as typeof sharing;
          return found.read_access === 'SPECIFIC_TEAMS' && found.shared_team_slugs.join() === slugs.join();
        });
      const settings = async () => {
        await open(`/${path}/${id}`);
        await page.getByRole('button', { name: 'Settings' }).click();
      };
      const save = dialog().getByRole('button', { name: 'Save' });

      await settings();
      await dialog().getByRole('checkbox', { name: 'Blue team' }).check();
      expect(await dialog().getByRole('checkbox', { name: 'hidden_team' }).isChecked()).toBe(true);
      expect(await dialog().getByRole('checkbox', { name: team.name }).count()).toBe(0);
      expect(await faultsInThemes(page)).toEqual([]);
      await save.click();
      await isShared('blue_team', 'hidden_team');

      await settings();
      await dialog().getByRole('checkbox', { name: 'hidden_team' }).uncheck();
      await dialog().getByRole('checkbox', { name: 'Blue team' }).uncheck();
      await dialog().getByText('Choose a team.').waitFor();
      expect(await save.isDisabled()).toBe(true);
      await dialog().getByRole('checkbox', { name: 'Blue team' }).check();
      await save.click();
      await isShared('blue_team');

      await settings();
      await dialog().getByLabel('Shared with').selectOption('TEAM');
      await save.click();
      await eventually(async () =>
        (await readJson(`/api/v1/${things}/${id}`)).includes('"read_access":"TEAM"'),
      );
    }
  });

  test('a role that was changed takes its buttons away with the first refusal', async () => {
    const { team } = fabula.account;
    const editor = await buildAccount(stores.db, { team, role: 'EDITOR' });
    const { id } = await fabula.importStory(storyOf({ Say: says({ ok: true }) }, []), { new_name: 'Duty' });
    await become(editor.user.id);
    await open(`/stories/${id}`);
    const button = page.getByRole('button', { name: 'Edit', exact: true });
    await button.waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Disable the story…' }).click();
    const member = `/api/v1/teams/${team.id}/members/${editor.user.id}`;
    expect((await fabula.api('PUT', member, { role: 'VIEWER' })).status).toBe(200);
    await dialog().getByRole('button', { name: 'Disable', exact: true }).click();
    await button.waitFor({ state: 'detached' });
    expect(await readJson(`/api/v1/stories/${id}`)).toContain('"disabled":false');
  });

  test('a secret goes in and never comes out', async () => {
    const responses: string[] = [];
    page.on('response', (response) => {
      if (!response.url().includes('credentials')) return;
      // The body of a response that another page replaced is gone.
      void response.text().then(
        (text) => responses.push(text),
        () => undefined,
      );
    });
    await open('/credentials');
    await page.getByRole('button', { name: 'New credential' }).click();
    await page.getByRole('link', { name: /^Text/ }).click();
    await page.getByLabel('Name').fill('Sandbox');
    await page.getByLabel('Secret').fill(SECRET);
    await page.getByLabel('Allowed hosts').fill('api.example.com\n*.example.org');
    expect(await faultsInThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create credential' }).click();
    await page.getByRole('heading', { name: 'Sandbox', level: 1 }).waitFor();
    await page.getByText('*.example.org').waitFor();
    const id = Number(page.url().split('/').at(-1));

    await page.getByRole('button', { name: 'Replace' }).click();
    expect(await dialog().getByLabel('Secret').inputValue()).toBe('');
    await dialog().getByLabel('Secret').fill(`${SECRET} 2`);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await toasted('Saved. Stories use the new value within five seconds.');
    await page.getByRole('button', { name: 'Add' }).click();
    await dialog().getByLabel('Secret').fill('of drafts');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('region', { name: 'Test secret, for drafts' })
      .getByText('on', { exact: true })
      .waitFor();
    const values = await fabula.inner.credentialValues(fabula.account.team.id);
    expect(values.map(({ value }) => value)).toContain(`${SECRET} 2`);

    const uses = storyOf({ Say: says({ token: '<<CREDENTIAL.sandbox>>' }) }, []);
    await fabula.importStory(uses, { new_name: 'User of a secret' });
    await page.reload();
    await page.getByRole('link', { name: 'Say' }).waitFor();
    await eventually(() => responses.some((text) => text.includes('"referencing_action_ids":[')));
    expect(responses.filter((text) => text.includes(SECRET))).toEqual([]);
    expect(await page.content()).not.toContain(SECRET);
    await fabula.api('DELETE', `/api/v1/user_credentials/${id}`);
  });

  test('a credential is tested, and says why it does not work', async () => {
    const target = await startHttpTarget({
      rules: { '/token': { body: { access_token: SECRET, expires_in: 3600 } } },
    });
    const made = await fabula.api('POST', '/api/v1/user_credentials', {
      name: 'Tested',
      mode: 'OAUTH',
      oauth_grant_type: 'client_credentials',
      oauth_token_url: `${target.url}/token`,
      oauth_client_id: 'me',
      oauth_client_secret: SECRET,
    });
    const { id } = (await made.json()) as { id: number };
    await open(`/credentials/${id}`);
    const card = page.getByRole('region', { name: 'Secret', exact: true });
    const test = card.getByRole('button', { name: 'Test', exact: true });
    await test.click();
    await card.getByText('Works', { exact: true }).waitFor();
    await card.getByText(/^A token came from 127\.0\.0\.1/).waitFor();
    expect(await faultsInThemes(page)).toEqual([]);
    target.on('/token', { status: 401, body: { error: 'invalid_client' } });
    await test.click();
    await card.getByText('Failed', { exact: true }).waitFor();
    await card.getByText(/answered 401 \(invalid_client\)$/).waitFor();
    expect(await faultsInThemes(page)).toEqual([]);
    target.on('/token', { hang: true });
    await test.click();
    await card.getByText(/^Testing…/).waitFor();
    expect(await test.isDisabled()).toBe(true);
    await target.close();
    await card.getByText(/did not respond/).waitFor();
    expect(await page.content()).not.toContain(SECRET);
    await fabula.api('DELETE', `/api/v1/user_credentials/${id}`);
  });

  test('I25: a credential that must be connected says so, and leads to where that is done', async () => {
    const made = await fabula.api('POST', '/api/v1/user_credentials', {
      name: 'Ended',
      mode: 'OAUTH',
      oauth_grant_type: 'authorization_code',
      oauth_url: 'https://login.example/authorize',
      oauth_token_url: 'https://login.example/token',
      oauth_client_id: 'me',
      oauth_client_secret: SECRET,
    });
    const { id } = (await made.json()) as { id: number };
    await stores.sql(
      "UPDATE credentials SET reconnect_since = NOW(3), reconnect_reason = 'login.example answered 400 (invalid_grant)' WHERE id = ?",
      [id],
    );
    await open('/credentials');
    await page.getByRole('row', { name: /Ended/ }).getByText('reconnect needed').waitFor();
    await open(`/credentials/${id}`);
    const card = page.getByRole('region', { name: 'This credential needs to be connected' });
    await card.getByText('login.example answered 400 (invalid_grant)').waitFor();
    expect(await faultsInThemes(page)).toEqual([]);
    await card.getByRole('button', { name: 'Connect' }).click();
    const address = page.getByRole('dialog').getByRole('link', { name: 'login.example' });
    expect(await address.getAttribute('href')).toContain('https://login.example/authorize?');
    await fabula.api('DELETE', `/api/v1/user_credentials/${id}`);
  });

  test('stories are connected with this server by a key that nobody sees', async () => {
    await open('/credentials/new');
    await page
      .getByRole('navigation', { name: 'Types' })
      .getByRole('link', { name: /^Fabula/ })
      .click();
    await page.getByLabel('Name').fill('This server');
    await page.getByLabel('Role').selectOption('VIEWER');
    await page.getByRole('button', { name: 'Create key and save it' }).click();
    await page.getByRole('heading', { name: 'This server', level: 1 }).waitFor();
    await page.getByRole('link', { name: /^API key \d+$/ }).click();
    await page.getByRole('table').getByText('This server').waitFor();
    const [kept] = await fabula.inner.credentialValues(fabula.account.team.id);
    const headers = { 'x-user-token': kept?.value ?? '' };
    expect((await fetch(`${fabula.url}/api/v1/stories`, { headers })).status).toBe(200);
  });

  test('a person is invited, signs in, and is out when the owner ends the session', async () => {
    await open('/team');
    await page.getByRole('button', { name: 'Invite a user' }).click();
    await dialog().getByLabel('Email address').fill('grace@example.com');
    await dialog().getByLabel('First name').fill('Grace');
    await dialog().getByLabel('Last name').fill('Hopper');
    await dialog().getByRole('combobox', { name: /^Team/ }).selectOption(String(fabula.account.team.id));
    await dialog().getByLabel('Role').selectOption('EDITOR');
    expect(await faultsInThemes(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    await page.getByText('No active sessions.').waitFor();
    expect(await page.getByRole('button', { name: 'End all' }).isDisabled()).toBe(true);

    const mail = await eventually(() => smtp.mails[0]);
    expect(mail.to).toEqual(['grace@example.com']);
    const [, token = ''] = /\?reset=3?D?([\w-]{43})/.exec(mail.raw.replaceAll('=\r\n', '')) ?? [];
    const grace = await newPage();
    await grace.goto(`${origin().url}/console/?reset=${token}`);
    await grace.getByLabel('New password').fill(PASSWORD);
    await grace.getByRole('button', { name: 'Set password' }).click();
    await grace.getByLabel('Email address').fill('grace@example.com');
    await grace.getByLabel('Password').fill(PASSWORD);
    await grace.getByRole('button', { name: 'Sign in' }).click();
    const offered = grace.getByRole('navigation', { name: 'Pages' });
    await offered.getByRole('link', { name: 'Team' }).waitFor();
    expect(await offered.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await grace.goto(`${origin().url}/console/audit`);
    await grace.getByText('Only owners can view the audit log.').waitFor();

    await page.reload();
    await page.getByLabel(/^Role: Grace Hopper/).selectOption('TEAM_ADMIN');
    await toasted('Role changed.');
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('No active sessions.').waitFor();
    // Her open page may ask for something before she does, and show the sign-in by itself.
    await grace.goto(`${origin().url}/console/stories`);
    await grace.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('link', { name: 'Changes by this user' }).click();
    await page.getByRole('row', { name: /Set a password with a link/ }).waitFor();
    expect(await page.getByRole('row', { name: /Invited user/ }).count()).toBe(0);
  });

  test('a team gets a name and a member, and a member leaves', async () => {
    const { team, user } = fabula.account;
    await open('/team?tab=teams');
    await page.getByRole('button', { name: 'New team' }).click();
    await dialog().getByLabel('Name').fill('Platform');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Platform' }).click();
    await page.getByText('This team has no members.').waitFor();
    await page.getByRole('button', { name: 'Add a member' }).click();
    await dialog().getByLabel('Email address').fill(user.email);
    await dialog().getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: /^Remove / }).click();
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('This team has no members.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog().getByRole('button', { name: 'Delete team' }).click();
    await page.getByRole('link', { name: 'Platform' }).waitFor({ state: 'detached' });
    expect(await readJson('/api/v1/teams')).toContain(`"id":${team.id}`);
  });

  test('a key is shown once, works, and is refused when it is revoked', async () => {
    await open('/team?tab=keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog().getByLabel('Name').fill('Laptop');
    await dialog().getByRole('button', { name: 'Create key' }).click();
    await dialog().getByText('It will not be shown again').waitFor();
    expect(await faultsInThemes(page)).toEqual([]);
    const key = (await dialog().locator('.made-key').textContent()) ?? '';
    await dialog().getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.content()).not.toContain(key);
    const status = async () =>
      (await fetch(`${fabula.url}/api/v1/users/me`, { headers: { 'x-user-token': key } })).status;
    expect(await status()).toBe(200);
    await page.getByRole('button', { name: 'Revoke Laptop' }).click();
    await dialog().getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    expect(await status()).toBe(401);
  });

  test('the audit log follows what happens, and its filters are an address', async () => {
    await open('/audit?type=team');
    await page.getByText('No changes match these filters.').waitFor();
    await fabula.api('POST', '/api/v1/teams', { name: 'Platform' });
    await page.getByRole('button', { name: /^Created team/ }).click();
    await dialog().getByText('POST /api/v1/teams').waitFor();
    expect(await faultsInThemes(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'All changes of this type' }).click();
    await page.waitForURL('**/audit?type=team&action=team.create');
    await page.getByLabel('Object', { exact: true }).selectOption('resource');
    await page.waitForURL('**/audit?type=resource');
    await page.getByText('No changes match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: /^Created team/ }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    const entries = page.getByRole('button', { name: /^Created team/ });
    const before = await entries.count();
    await fabula.api('POST', '/api/v1/teams', { name: 'Second' });
    await entries.nth(before).waitFor();
  });
});
