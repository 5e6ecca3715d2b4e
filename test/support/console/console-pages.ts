import type { Page } from 'playwright-core';
import type { TestFabula } from '../fabula.js';
import { agentIds, call, eventsIn } from '../run-api.js';
import type { ConsoleWorld } from './console-world.js';
import type { PeopleWorld } from './people-world.js';

/** A page of the console, and how it is opened with all that it loads. */
export interface NamedPage {
  name: string;
  /** Its address under the console. */
  path: string;
  open(page: Page, origin: string): Promise<void>;
}

/** Returns a page of the console that is there once `ready` has ended. */
export const pageAt = (name: string, path: string, ready: (page: Page) => Promise<unknown>): NamedPage => ({
  name,
  path,
  async open(page, origin) {
    await page.goto(`${origin}/console${path}`);
    await ready(page);
    await page.locator('.loading').first().waitFor({ state: 'hidden' });
  },
});

const at = pageAt;

/** Every page that stands for itself, with the world's data. */
export async function consolePages(fabula: TestFabula, world: ConsoleWorld): Promise<NamedPage[]> {
  const triageId = world.stories.get('Alert triage')?.id ?? 0;
  const actions = await agentIds(fabula, triageId);
  const lookUp = actions['Look up the host'] ?? 0;
  return [
    ...(await runPages(fabula, lookUp)),
    at('home', '/', (page) => page.locator('.runs-chart canvas').waitFor()),
    at('stories', '/stories', (page) => page.locator('td.number.bad').waitFor()),
    at('story', `/stories/${triageId}`, (page) => page.getByText('Is it high?').waitFor()),
    at('story-options', `/stories/${triageId}?action=${lookUp}`, (page) =>
      page.getByText('retry_on_status').waitFor(),
    ),
    at('story-letters', `/stories/${triageId}?action=${lookUp}&tab=letters`, (page) =>
      page.getByRole('tab', { name: 'Dead letters' }).waitFor(),
    ),
    ...storyTabs(triageId),
    at('editor', `/stories/${triageId}/edit`, (page) => page.getByText('Is it high?').waitFor()),
    at('new-story', '/stories', async (page) => {
      await page.getByRole('button', { name: 'New story' }).click();
      await page.getByRole('dialog', { name: 'New story' }).waitFor();
    }),
    at('records', `/records?type=${world.records.typeId}&chart=time`, async (page) => {
      await page.locator('.bar-chart canvas').waitFor();
      await page.locator('.record-table').waitFor();
    }),
    at('cases', '/cases', (page) => page.getByText('10 cases').waitFor()),
    at('cases-board', '/cases?view=board', (page) => page.getByText('Old DNS entries').waitFor()),
    at('case', `/cases/${world.cases.fullId}`, async (page) => {
      await page.getByRole('button', { name: /^Close (the case|\()/ }).click();
      await page.getByText('The case cannot be closed').waitFor();
    }),
    at('dead-letters', '/dead-letters', (page) => page.locator('.group-place').first().waitFor()),
    at('dead-letter', '/dead-letters', async (page) => {
      await page.locator('.group-place a').first().click();
      await page
        .getByRole('button', { name: /^View dead letter/ })
        .first()
        .waitFor();
      await page.getByRole('tab', { name: 'Trial' }).click();
      await page.getByRole('button', { name: 'Run trial' }).click();
      await page.getByText('would fail').waitFor();
    }),
    ...(await publicationPages(fabula, triageId)),
    at('webhooks', '/webhooks', (page) => page.locator('.webhook-name').first().waitFor()),
    at('webhook', `/webhooks/${actions['Receive alert']}`, (page) =>
      page.getByText('openssl dgst').waitFor(),
    ),
    ...galleryPages(triageId),
    ...setUpPages(world.people),
    at('queues', '/queues', (page) =>
      page
        .getByRole('img', { name: /^Last hour/ })
        .first()
        .waitFor(),
    ),
    at('inbox', '/inbox', (page) => page.getByRole('list', { name: 'Needs attention' }).waitFor()),
    at('quotas', '/quotas', (page) => page.getByRole('table').waitFor()),
    at('schedules', '/schedules', (page) => page.locator('.start').first().waitFor()),
    at('schedule-list', '/schedules?view=list', (page) => page.getByRole('table').waitFor()),
    at('sessions', '/sessions', (page) => page.getByRole('heading', { name: 'Your sessions' }).waitFor()),
    at('not-found', '/nothing', (page) => page.getByText('This page does not exist.').waitFor()),
  ];
}

/** The other tabs of a story. */
const storyTabs = (storyId: number): NamedPage[] => [
  at('story-runs', `/stories/${storyId}?view=runs`, (page) => page.getByRole('row').nth(1).waitFor()),
  at('story-failures', `/stories/${storyId}?view=failures`, (page) =>
    page.getByRole('searchbox', { name: 'Search dead letters' }).waitFor(),
  ),
  at('story-tests', `/stories/${storyId}?view=tests`, (page) =>
    page.getByText('This story has no tests yet.').waitFor(),
  ),
  at('story-test', `/stories/${storyId}?view=tests&new=test`, (page) =>
    page.locator('.cm-content').first().waitFor(),
  ),
  at('story-versions', `/stories/${storyId}?view=versions`, (page) =>
    page.getByRole('heading', { name: 'Versions', exact: true }).waitFor(),
  ),
  at('story-webhook', `/stories/${storyId}?view=webhook`, (page) => page.getByText('openssl dgst').waitFor()),
  at('story-settings', `/stories/${storyId}?view=settings`, (page) =>
    page.getByLabel('Description').waitFor(),
  ),
  at('story-start', `/stories/${storyId}`, async (page) => {
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('textbox', { name: /^Payload/ }).waitFor();
  }),
];

/** A draft of the story beside it, and the versions of the story. */
async function publicationPages(fabula: TestFabula, storyId: number): Promise<NamedPage[]> {
  const { body } = await call(fabula, `POST /api/v1/stories/${storyId}/drafts`, { body: { name: 'Try' } });
  const { id } = body as { id: number };
  return [
    at('publish', `/stories/${storyId}/edit/publish?draft=${id}`, (page) =>
      page.getByRole('heading', { name: 'This draft changes' }).waitFor(),
    ),
    at('versions', `/stories/${storyId}/edit/versions`, (page) =>
      page.getByRole('heading', { name: 'Versions', exact: true }).waitFor(),
    ),
  ];
}

const galleryPages = (storyId: number): NamedPage[] => [
  at('gallery', '/gallery', (page) => page.getByRole('heading', { name: 'Alert triage' }).waitFor()),
  at('gallery-import', '/gallery?search=phishing', async (page) => {
    await page.getByRole('button', { name: 'Use this story' }).click();
    await page.getByText('can be imported, with missing values').waitFor();
  }),
  at('gallery-sample', `/stories/${storyId}?sample=alert-triage`, (page) =>
    page.getByText('The team is missing').waitFor(),
  ),
];

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).waitFor();

/** Pages of the group 'Set up'. */
function setUpPages({ resourceId, credentialId, personId, teamId }: PeopleWorld): NamedPage[] {
  return [
    at('resources', '/resources', (page) => page.getByRole('link', { name: 'Blocked domains' }).waitFor()),
    at('resource', `/resources/${resourceId}`, (page) => page.getByRole('tree', { name: 'Value' }).waitFor()),
    at('credentials', '/credentials', (page) => page.getByRole('link', { name: 'Jira' }).waitFor()),
    at('credential', `/credentials/${credentialId}`, (page) =>
      page.getByText('Not used by any action.').waitFor(),
    ),
    at('credential-kinds', '/credentials/new', (page) =>
      page.getByRole('link', { name: /^OAuth/ }).waitFor(),
    ),
    at('credential-new', '/credentials/new?kind=OAUTH', heading('OAuth 2.0')),
    at('team', '/team', (page) => page.getByRole('link', { name: 'Grace Hopper' }).waitFor()),
    at('team-teams', '/team?tab=teams', (page) => page.getByRole('link', { name: 'Platform' }).waitFor()),
    at('team-keys', '/team?tab=keys', (page) => page.getByText('Ticket bridge').waitFor()),
    at('team-person', `/team/people/${personId}`, heading('Grace Hopper')),
    at('team-one', `/team/teams/${teamId}`, (page) =>
      page.getByRole('link', { name: 'Annie Easley' }).waitFor(),
    ),
    at('audit', '/audit', (page) =>
      page
        .getByRole('button', { name: /^[A-Z]\w+ credential/ })
        .first()
        .waitFor(),
    ),
    at('audit-entry', '/audit', async (page) => {
      await page
        .getByRole('button', { name: /^[A-Z]\w+ credential/ })
        .first()
        .click();
      await page.getByText('Request id in the logs').waitFor();
    }),
  ];
}

const lines = (page: Page) => page.locator('.json-row').first().waitFor();

/** A list, and beside it the page that it opens. */
const beside = (name: string, list: string, path: string) =>
  at(name, `${list}?open=${encodeURIComponent(path)}`, (page) =>
    page.getByRole('link', { name: 'Full page' }).waitFor(),
  );

/** Pages of runs and events, of the newest run that asked another server. */
async function runPages(fabula: TestFabula, actionId: number): Promise<NamedPage[]> {
  const [event] = await eventsIn(fabula, `?action_id=${actionId}&per_page=1`);
  if (event === undefined) throw new Error('the world has no such run');
  const { id, previous_events_ids: previous } = event;
  const run = `/runs/${event.story_id}/${event.story_run_guid}`;
  return [
    at('runs', '/runs', (page) => page.getByRole('link', { name: 'Alert triage' }).first().waitFor()),
    beside('runs-split', '/runs', run),
    beside('events-split', '/events', `/events/${id}`),
    at('run', `${run}?step=event-${id}`, lines),
    at('run-request', `${run}?step=event-${id}&tab=options`, (page) =>
      page.getByRole('heading', { name: 'Request', exact: true }).waitFor(),
    ),
    at('run-canvas', `${run}?view=canvas`, (page) => page.locator('.action-box').first().waitFor()),
    at('run-path', `${run}?view=canvas&step=none`, (page) => page.locator('.action-box').first().waitFor()),
    at('events', '/events', (page) => page.getByRole('table').waitFor()),
    at('events-path', '/events?path=body.name&value=Host%203', (page) =>
      page.getByRole('columnheader', { name: 'body.name' }).waitFor(),
    ),
    at('event', `/events/${id}?tab=whole`, lines),
    at('compare', `/events/${previous[0] ?? id}/compare/${id}`, (page) => page.getByRole('table').waitFor()),
  ];
}

/** The pages of a tenant that has nothing yet: each has a heading, and says what to do. */
const EMPTY: readonly (readonly [name: string, path: string])[] = [
  ['home', '/'],
  ['stories', '/stories'],
  ['runs', '/runs'],
  ['events', '/events'],
  ['records', '/records'],
  ['cases', '/cases'],
  ['cases-board', '/cases?view=board'],
  ['dead-letters', '/dead-letters'],
  ['webhooks', '/webhooks'],
  ['resources', '/resources'],
  ['credentials', '/credentials'],
  ['team', '/team'],
  ['team-teams', '/team?tab=teams'],
  ['team-keys', '/team?tab=keys'],
  ['audit', '/audit?action=nothing.done'],
  ['schedules', '/schedules'],
  ['queues', '/queues'],
  ['inbox', '/inbox'],
  ['quotas', '/quotas'],
];

/** Returns the pages of a tenant that has nothing yet. */
export const emptyPages = (): NamedPage[] =>
  EMPTY.map(([name, path]) =>
    at(`empty-${name}`, path, (page) => page.getByRole('heading', { level: 1 }).waitFor()),
  );
