import type { Page } from 'playwright-core';
import type { TestFabula } from '../fabula.js';
import { call } from '../run-api.js';
import { type NamedPage, pageAt as at } from './console-pages.js';
import type { ConsoleWorld } from './console-world.js';
import { dropFile } from './drop-file.js';
import { send } from './send.js';

const HOUR_MS = 60 * 60_000;
const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

/** States of pages that a person comes to by pressing something: dialogs, menus, chosen rows, ranges, answers that are late. */
export async function momentPages(fabula: TestFabula, world: ConsoleWorld): Promise<NamedPage[]> {
  return [...framePages(), ...(await storyPages(fabula, world)), ...(await runPages(fabula)), ...workPages()];
}

/** The palette, menus, and what is said when something is late, absent or refused. */
const framePages = (): NamedPage[] => [
  at('palette', '/stories', async (page) => {
    await page.getByRole('link', { name: 'Alert triage' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').last().fill('triage');
    await page
      .getByRole('option', { name: /^Alert triage/ })
      .first()
      .waitFor();
  }),
  at('keys', '/stories', async (page) => {
    await page.getByRole('link', { name: 'Alert triage' }).waitFor();
    await page.keyboard.press('?');
    await dialog(page).waitFor();
  }),
  at('person-menu', '/stories', async (page) => {
    await page.getByRole('link', { name: 'Alert triage' }).waitFor();
    await press(page, /: menu$/);
    await page.getByRole('menu').waitFor();
  }),
  at('no-match', '/runs?status=cancelled', (page) =>
    page.getByText('No runs match these filters.').waitFor(),
  ),
  failing('late', (page) => page.getByText('The server is not responding. Trying again.').waitFor()),
  failing('refused', (page) => page.getByRole('button', { name: 'Retry' }).waitFor()),
];

/** A page whose list is answered with an error: of the server, which is asked again, or of the request. */
const failing = (name: 'late' | 'refused', ready: (page: Page) => Promise<unknown>): NamedPage => ({
  name,
  path: '/webhooks',
  async open(page, origin) {
    const [status, message] = name === 'late' ? [503, 'away'] : [422, 'The filter names no story.'];
    await page.goto(`${origin}/console/stories`);
    await page.route('**/api/v1/webhooks*', (route) =>
      route.fulfill({ status, json: { errors: [{ message, type: 'error' }] } }),
    );
    await page.goto(`${origin}/console/webhooks`);
    await ready(page);
    await page.unroute('**/api/v1/webhooks*');
  },
});

async function storyPages(fabula: TestFabula, { stories }: ConsoleWorld): Promise<NamedPage[]> {
  const idOf = (name: string) => stories.get(name)?.id ?? 0;
  const triage = idOf('Alert triage');
  const { body } = await call(fabula, 'GET /api/v1/schedules');
  const { schedules } = body as { schedules: { story: { id: number } }[] };
  await send(fabula, `PUT /api/v1/stories/${idOf('Phishing report')}`, {
    description: 'Reads a reported mail, and asks the sandbox about its links',
    runbook:
      '## The sandbox is away\n\n1. Look at its status page\n2. Retry the dead letters once it is back',
  });
  return [
    at('stories-selected', '/stories', async (page) => {
      await page.getByLabel('Select all on this page').check();
      await page.getByRole('button', { name: 'Disable' }).waitFor();
    }),
    at('import', '/stories', async (page) => {
      await page.getByRole('link', { name: 'Alert triage' }).waitFor();
      await dropFile(page, IMPORTED);
      await dialog(page).getByText('Actions that cannot run here').waitFor();
    }),
    at('story-disable', `/stories/${triage}`, async (page) => {
      await page.getByText('Is it high?').waitFor();
      await press(page, 'More');
      await page.getByRole('menuitem', { name: 'Disable the story…' }).click();
      await dialog(page).getByText('times in the last hour').waitFor();
    }),
    at('story-schedules', `/stories/${schedules[0]?.story.id}?view=schedules`, (page) =>
      page
        .getByRole('button', { name: /^Pause / })
        .first()
        .waitFor(),
    ),
    at('story-versions-diff', `/stories/${idOf('Phishing report')}?view=versions`, async (page) => {
      await press(page, /changed: /);
      await page.getByRole('heading', { name: /^Changes since/ }).waitFor();
    }),
    at('story-runbook', `/stories/${idOf('Phishing report')}?view=settings`, (page) =>
      page.getByRole('region', { name: 'Runbook' }).getByText('Look at its status page').waitFor(),
    ),
  ];
}

/** A story of which one action cannot run here. */
const IMPORTED = JSON.stringify({
  schema_version: 3,
  standard_lib_version: 33,
  name: 'Phishing triage of another team',
  description: 'Reads a reported mail, and asks a model about it',
  guid: '7d1f0e6b8f4c4c0f9a5c1d2e3f405162',
  slug: 'phishing_triage',
  agents: [
    {
      type: 'Agents::WebhookAgent',
      name: 'Receive mail',
      guid: 'a1',
      options: { path: 'mail', secret: 'x' },
    },
    { type: 'Agents::LLMAgent', name: 'Ask a model', guid: 'a2', options: { prompt: 'Is it phishing?' } },
  ],
  links: [{ source: 0, receiver: 1 }],
  diagram_notes: [],
});

async function runPages(fabula: TestFabula): Promise<NamedPage[]> {
  const { body } = await call(fabula, 'GET /api/v1/dead_letters?per_page=1');
  const [letter] = (body as { dead_letters: { story_id: number; story_run_guid: string }[] }).dead_letters;
  const now = Date.now();
  const range = new URLSearchParams({
    since: new Date(now - 18 * HOUR_MS).toISOString(),
    until: new Date(now - 4 * HOUR_MS).toISOString(),
  });
  return [
    at('run-failed', `/runs/${letter?.story_id}/${letter?.story_run_guid}`, (page) =>
      page.getByRole('region', { name: 'Why it failed' }).waitFor(),
    ),
    at('runs-range', `/runs?${range.toString()}`, (page) =>
      page.getByRole('slider', { name: 'Runs over time' }).waitFor(),
    ),
    at('runs-search', '/runs?path=body.name&value=Host%203', (page) =>
      page.getByRole('row').nth(1).waitFor(),
    ),
    ...(['Retry all', 'Drop all', 'Retry 1 first'] as const).map((button) =>
      at(`group-${button.replaceAll(' ', '-').toLowerCase()}`, '/dead-letters', async (page) => {
        await page.locator('.group-place a').first().click();
        await press(page, new RegExp(`^${button}`));
        await dialog(page).waitFor();
      }),
    ),
  ];
}

/** Dialogs of records, cases, people and keys. */
const workPages = (): NamedPage[] => [
  at('record', '/records', async (page) => {
    await page.locator('.record-table tbody button').first().click();
    await dialog(page).waitFor();
  }),
  at('new-case', '/cases', async (page) => {
    await press(page, 'New case');
    await dialog(page).waitFor();
  }),
  at('invite', '/team', async (page) => {
    await press(page, 'Invite a user');
    await dialog(page).waitFor();
  }),
  at('new-resource', '/resources', async (page) => {
    await press(page, 'New resource');
    await dialog(page).waitFor();
  }),
  at('new-key', '/team?tab=keys', async (page) => {
    await page.getByText('Ticket bridge').waitFor();
    await press(page, /^(New|Create) .*key$/);
    await dialog(page).waitFor();
  }),
  at('emit-again', '/events', async (page) => {
    await page.getByRole('table').waitFor();
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Full page' }).click();
    await page.locator('.json-row').first().waitFor();
  }),
];
