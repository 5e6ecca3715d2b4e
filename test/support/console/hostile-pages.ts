import type { Page } from 'playwright-core';
import { storyOf } from '../stories.js';
import { dropFile } from './drop-file.js';
import { HOSTILE_NAME, SEEN } from './hostile-text.js';
import type { HostileWorld } from './hostile-world.js';

/** An address of the console, and when it shows what there is. */
export interface HostilePage {
  path: string;
  ready: (page: Page) => Promise<unknown>;
}

const seen = (page: Page) => page.locator('main').getByText(SEEN).first().waitFor({ state: 'attached' });

/** Shows hostile content as soon as it is there. */
const shows = (path: string): HostilePage => ({ path, ready: seen });
/** Shows hostile content after this has been done. */
const after = (path: string, act: (page: Page) => Promise<unknown>): HostilePage => ({
  path,
  ready: async (page) => {
    await act(page);
    await page.getByRole('dialog').getByText(SEEN).first().waitFor({ state: 'attached' });
  },
});
/** A page on which nobody else can write: it is ready with its heading. */
const plain = (path: string, name: string | RegExp): HostilePage => ({
  path,
  ready: (page) => page.getByRole('heading', { name }).first().waitFor(),
});

/** A file whose check has findings about an action of this name. */
const DROPPED = JSON.stringify(storyOf({ [HOSTILE_NAME]: ['LLM', {}] }, [], { name: HOSTILE_NAME }));

/** Returns every page of the console, and the tabs and dialogs that show what others wrote. */
export function hostilePages(world: HostileWorld): HostilePage[] {
  return [...watchPages(world), ...workPages(world), ...setUpPages(world)];
}

function watchPages({ storyId, hookId, askId, runGuid, eventIds, letterId }: HostileWorld): HostilePage[] {
  const [first = 0, second = 0] = eventIds;
  const story = `/stories/${storyId}`;
  const run = `/runs/${storyId}/${runGuid}`;
  return [
    shows('/'),
    shows('/inbox'),
    shows('/stories'),
    after('/stories', async (page) => {
      await seen(page);
      await dropFile(page, DROPPED);
    }),
    shows(story),
    ...['options', 'sees', 'events', 'log', 'letters'].map((tab) =>
      shows(`${story}?action=${askId}&tab=${tab}`),
    ),
    shows(`${story}?action=${hookId}`),
    shows(`${story}/edit?action=${askId}&view=canvas`),
    shows(`${story}/edit?action=${askId}&view=outline`),
    plain(`${story}/edit/versions`, /./),
    plain(`${story}/edit/publish`, /./),
    shows('/runs'),
    ...['output', 'input', 'options', 'log'].map((tab) => shows(`${run}?step=event-${second}&tab=${tab}`)),
    shows(`${run}?step=dead-${letterId}`),
    shows(`${run}?step=dead-${letterId}&tab=log`),
    shows(`${run}?view=canvas`),
    shows('/events'),
    shows('/events?path=list'),
    ...['own', 'whole', 'lineage'].map((tab) => shows(`/events/${second}?tab=${tab}`)),
    shows(`/events/${first}/compare/${second}`),
    shows('/dead-letters'),
    {
      path: '/dead-letters',
      ready: async (page) => {
        await page.locator('.group-place a').first().click();
        await page.getByRole('region', { name: /^Dead letter/ }).waitFor();
        await page.getByText(SEEN).first().waitFor({ state: 'attached' });
      },
    },
    shows('/webhooks'),
    shows(`/webhooks/${hookId}`),
    plain('/gallery', 'Alert triage'),
    plain('/steps', 'Steps'),
    shows('/schedules'),
    shows('/schedules?view=list'),
    plain('/queues', 'Queues'),
    plain('/quotas', 'Quotas'),
    after('/', async (page) => {
      await seen(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('img');
    }),
  ];
}

function workPages({ typeId, enumFieldId, caseId }: HostileWorld): HostilePage[] {
  const records = `/records?type=${typeId}`;
  return [
    shows(records),
    shows(`${records}&chart=${enumFieldId}`),
    after(records, (page) => page.locator('.record-table tbody button').first().click()),
    shows('/cases'),
    shows('/cases?view=board'),
    after('/cases', (page) => page.getByRole('button', { name: 'New case' }).first().click()),
    shows(`/cases/${caseId}`),
  ];
}

function setUpPages({ resourceId, credentialId, teamId, personId }: HostileWorld): HostilePage[] {
  return [
    shows('/resources'),
    shows(`/resources/${resourceId}`),
    after(`/resources/${resourceId}`, (page) => page.getByRole('button', { name: 'Delete' }).click()),
    shows('/credentials'),
    shows(`/credentials/${credentialId}`),
    plain('/credentials/new', 'New credential'),
    shows('/credentials/new?kind=TEXT'),
    shows('/team'),
    shows('/team?tab=teams'),
    shows('/team?tab=keys'),
    shows(`/team/people/${personId}`),
    shows(`/team/teams/${teamId}`),
    shows('/audit'),
    plain('/sessions', 'Your sessions'),
  ];
}
