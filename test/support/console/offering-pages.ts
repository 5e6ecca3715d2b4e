import type { Page } from 'playwright-core';
import type { JsonObject } from '../../../src/platform/json.js';
import { insertDeliveries } from '../../../src/engine/state/deliveries/delivery-store.js';
import type { TestFabula } from '../fabula.js';
import { eventually } from '../eventually.js';
import { agentIds, type EventResponse, eventsIn } from '../run-api.js';
import { type ShortAgent, storyOf } from '../stories.js';
import type { TestStores } from '../stores.js';
import { buildCaseWorld } from './case-world.js';
import { buildPeopleWorld } from './people-world.js';
import { keyOfFailures } from './inbox-key.js';
import { buildRecordWorld } from './record-world.js';
import { send } from './send.js';

/** A button, and the request that it leads to. A body that is wrong is refused only after the rights are checked. */
type Offer = [button: string | RegExp, request: string, body?: JsonObject];

/** A page of the console with what it offers to those who may do it. */
export interface OfferedPage {
  name: string;
  path: string;
  /** A text that everybody sees once the page is there. */
  ready: string;
  /** Prepares the page before it is looked at. */
  prepare?: (page: Page) => Promise<unknown>;
  offers: Offer[];
  /** Whether stories of the page let nobody change their actions: the server answers with a conflict. */
  isGuarded?: true;
}

/** A story that lets nobody change its actions. */
interface GuardedStory {
  storyId: number;
  /** Its only action, which has a schedule. */
  action: string;
  actionId: number;
}

/** The ids of what the pages show. */
interface World {
  teamId: number;
  /** A team in which everybody only reads. */
  otherTeamId: number;
  storyId: number;
  agents: Record<string, number>;
  scheduleId: number;
  guarded: GuardedStory[];
  run: string;
  eventId: number;
  letterId: number;
  /** The entry of the inbox about the letter. */
  inboxKey: string;
  caseId: number;
  recordTypeId: number;
  resourceId: number;
  credentialId: number;
  personId: number;
}

const WRONG = { nobody_knows_this: 1 };
const AGENTS: Record<string, ShortAgent> = {
  Hook: ['Webhook', {}],
  Ask: ['HTTPRequest', { url: 'http://127.0.0.1:9/', method: 'get', retry_on_status: [] }],
  Wait: ['EventTransformation', { mode: 'delay', seconds: 3_600 }],
  'Each night': [
    'EventTransformation',
    { mode: 'message_only', payload: {} },
    { schedule: { cron: '0 2 * * *' } },
  ],
};

/** Fills a running Fabula with one of each thing. Returns its pages. `otherTeamId`: a team in which everybody only reads. */
export async function offeringPages(
  stores: TestStores,
  fabula: TestFabula,
  otherTeamId: number,
): Promise<OfferedPage[]> {
  const world = await buildWorld(stores, fabula, otherTeamId);
  return [
    ...storyPages(world),
    ...runPages(world),
    ...letterPages(world),
    inboxPage(world),
    ...casePages(world),
    ...valuePages(world),
    ...teamPages(world),
    ...readPages(world),
  ];
}

async function buildWorld(stores: TestStores, fabula: TestFabula, otherTeamId: number): Promise<World> {
  const story = await fabula.importStory(storyOf(AGENTS, ['Hook > Wait'], { name: 'Duty' }));
  const { status } = await fabula.fire(story.webhooks['Hook'] ?? '', { n: 1 });
  if (status >= 300) throw new Error(`the run did not begin: ${status}`);
  const agents = await agentIds(fabula, story.id);
  const event = await eventually(async () => (await eventsIn(fabula, `?action_id=${agents['Hook']}`))[0]);
  const letterId = await failedDelivery(stores, story.id, { agentId: agents['Ask'] ?? 0, event });
  const guarded = [
    await guardedStory(fabula, 'Locked', { locked: true }),
    await guardedStory(fabula, 'Controlled', { change_control_enabled: true }),
  ];
  const listed = await fabula.api('GET', `/api/v1/schedules?story_id=${story.id}`);
  const { schedules } = (await listed.json()) as { schedules: { id: number }[] };
  const records = await buildRecordWorld(stores, fabula);
  const { fullId } = await buildCaseWorld(stores, fabula, records.recordIds.slice(0, 1));
  return {
    ...(await buildPeopleWorld(fabula)),
    otherTeamId,
    storyId: story.id,
    agents,
    scheduleId: schedules[0]?.id ?? 0,
    guarded,
    run: event.story_run_guid,
    eventId: event.id,
    letterId,
    inboxKey: await keyOfFailures(fabula),
    caseId: fullId,
    recordTypeId: records.typeId,
  };
}

async function guardedStory(fabula: TestFabula, action: string, settings: JsonObject): Promise<GuardedStory> {
  const schedule = { schedule: { cron: '0 3 * * *' } };
  const night: ShortAgent = ['EventTransformation', { mode: 'message_only', payload: {} }, schedule];
  const { id: storyId } = await fabula.importStory(
    storyOf({ [action]: night }, [], { name: `${action} story` }),
  );
  await send(fabula, `PUT /api/v1/stories/${storyId}`, settings);
  return { storyId, action, actionId: (await agentIds(fabula, storyId))[action] ?? 0 };
}

/** A delivery of the event to an action that has used up its attempts. */
function failedDelivery(
  stores: TestStores,
  storyId: number,
  { agentId, event }: { agentId: number; event: EventResponse },
): Promise<number> {
  const { id: eventId, story_run_guid: storyRunGuid } = event;
  const delivery = { storyRunGuid, storyId, agentId, eventId, queue: 'http-request' as const };
  return stores.db.read(async (session) => {
    const [id = 0] = await insertDeliveries(session, [
      { ...delivery, awaited: false, called: false, depth: 1 },
    ]);
    await session.run(
      "UPDATE deliveries SET state = 'failed', error = 'HTTP 500', failed_at = NOW(3) WHERE id = ?",
      [id],
    );
    return id;
  });
}

/** A body that is right: the rights are checked before it, the story's guards only after it. */
const disabling = ({ action, actionId }: GuardedStory): Offer => [
  `Disable ${action}`,
  `PUT /api/v1/actions/${actionId}`,
  { disabled: true },
];

function guardedPage(guarded: GuardedStory): OfferedPage {
  const { storyId, action, actionId } = guarded;
  return {
    name: `action of a story: ${action}`,
    path: `/stories/${storyId}?action=${actionId}`,
    ready: `${action} story`,
    prepare: (page) => page.getByRole('complementary', { name: `Action ${action}` }).waitFor(),
    offers: [
      disabling(guarded),
      ['Edit', `POST /api/v1/stories/${storyId}/drafts`, WRONG],
      ['Start', `POST /api/v1/stories/${storyId}/runs`, WRONG],
    ],
    isGuarded: true,
  };
}

function storyPages({
  storyId,
  agents,
  scheduleId,
  guarded,
  teamId,
  letterId,
  eventId,
}: World): OfferedPage[] {
  const story = `/stories/${storyId}`;
  const change = `PUT /api/v1${story}`;
  const draft = `POST /api/v1${story}/drafts`;
  const start = `POST /api/v1${story}/runs`;
  const action = `PUT /api/v1/actions/${agents['Ask']}`;
  return [
    {
      name: 'stories',
      path: '/stories',
      ready: 'Duty',
      prepare: (page) => page.getByLabel('Select all on this page').check(),
      offers: [
        ['Import', 'POST /api/v1/stories/import', { team_id: teamId, ...WRONG }],
        ['New story', 'POST /api/v1/stories', { team_id: teamId, ...WRONG }],
        ['Enable', change, WRONG],
        ['Disable', change, WRONG],
        ['Move', change, WRONG],
      ],
    },
    {
      name: 'story',
      path: story,
      ready: 'Hook',
      offers: [
        ['Edit', draft, WRONG],
        ['Start', start, WRONG],
      ],
    },
    {
      name: 'action',
      path: `${story}?action=${agents['Ask']}&tab=letters`,
      ready: `event ${eventId}`,
      offers: [
        ['Disable Ask', action, WRONG],
        ['Edit', draft, WRONG],
        ['Start', start, WRONG],
        ['Retry', `POST /api/v1/dead_letters/${letterId}/retry`],
      ],
    },
    ...guarded.map(guardedPage),
    {
      name: 'sample',
      path: `${story}?sample=alert-triage`,
      ready: 'The team is missing',
      offers: [
        [
          /^Create (resources )?with sample values$/,
          'POST /api/v1/global_resources',
          { team_id: teamId, ...WRONG },
        ],
        ['Create with sample values', 'POST /api/v1/user_credentials', { team_id: teamId, ...WRONG }],
        ['Start', start, WRONG],
        ['Start the run', start, WRONG],
        ['Run trial', 'POST /api/v1/trials', { story_id: storyId, ...WRONG }],
        ['Edit', draft, WRONG],
      ],
    },
    {
      name: 'gallery',
      path: '/gallery',
      ready: 'Alert triage',
      offers: [['Use this story', 'POST /api/v1/stories/import', { team_id: teamId, ...WRONG }]],
    },
    {
      name: 'schedules',
      path: '/schedules?view=list',
      ready: 'Each night',
      offers: [[/^Pause /, `PUT /api/v1/schedules/${scheduleId}`, WRONG]],
    },
  ];
}

function runPages({ storyId, teamId, run, eventId, letterId, agents }: World): OfferedPage[] {
  const ofRun: Offer[] = [
    ['Retry', 'POST /api/v1/dead_letters/retry', { story_run_guid: run, ...WRONG }],
    ['Open case', 'POST /api/v2/cases', { team_id: teamId, ...WRONG }],
    ['Run as trial', 'POST /api/v1/trials', { story_id: storyId, ...WRONG }],
    ['Cancel', `POST /api/v1/stories/${storyId}/runs/${run}/cancel`],
  ];
  const runFrom = (agent = 0): Offer => ['Run from here…', `POST /api/v1/actions/${agent}/run`, WRONG];
  const page = `/runs/${storyId}/${run}`;
  return [
    {
      name: 'step of an event',
      path: `${page}?step=event-${eventId}`,
      ready: 'Duty',
      prepare: (opened) => opened.getByRole('complementary', { name: 'Step Hook' }).waitFor(),
      offers: [['Emit again', `POST /api/v1/events/${eventId}/reemit`], runFrom(agents['Hook']), ...ofRun],
    },
    {
      name: 'step that failed',
      path: `${page}?step=dead-${letterId}&tab=options`,
      ready: 'Duty',
      prepare: (opened) =>
        opened
          .getByText(/Rendered options|view rendered options/)
          .first()
          .waitFor(),
      offers: [
        ['Retry this step', `POST /api/v1/dead_letters/${letterId}/retry`],
        runFrom(agents['Ask']),
        ...ofRun,
      ],
    },
  ];
}

async function openGroup(page: Page): Promise<void> {
  await page.locator('.group-place a').first().click();
  await page.getByRole('button', { name: /^View dead letter/ }).waitFor();
}

function letterPages({ letterId, storyId, teamId }: World): OfferedPage[] {
  const retry = `POST /api/v1/dead_letters/${letterId}/retry`;
  const drop = `DELETE /api/v1/dead_letters/${letterId}`;
  const group: Offer[] = [
    [/^Retry all \d+$/, 'POST /api/v1/dead_letters/retry', { team_id: teamId, ...WRONG }],
    ['Drop all', 'POST /api/v1/dead_letters/drop', { team_id: teamId, ...WRONG }],
    [/^Retry dead letter \d+$/, retry],
    ['Retry', retry],
    ['Drop…', drop, WRONG],
  ];
  return [
    { name: 'dead letters', path: '/dead-letters', ready: 'in Duty', offers: [] },
    {
      name: 'group',
      path: '/dead-letters',
      ready: 'in Duty',
      prepare: openGroup,
      offers: group,
    },
    {
      name: 'dead letter',
      path: '/dead-letters',
      ready: 'in Duty',
      prepare: async (page) => {
        await openGroup(page);
        await page.getByRole('tab', { name: 'Trial' }).click();
      },
      offers: [['Run trial', 'POST /api/v1/trials', { story_id: storyId, ...WRONG }], ...group],
    },
  ];
}

const inboxPage = ({ inboxKey }: World): OfferedPage => ({
  name: 'inbox',
  path: '/inbox?kind=failures',
  ready: 'Ask in Duty',
  offers: [[/^(Assign|Snooze): /, `PUT /api/v1/inbox/${encodeURIComponent(inboxKey)}`, WRONG]],
});

function casePages({ teamId, caseId }: World): OfferedPage[] {
  const one = `/api/v2/cases/${caseId}`;
  const create: Offer = ['New case', 'POST /api/v2/cases', { team_id: teamId, ...WRONG }];
  return [
    { name: 'cases', path: '/cases', ready: '10 cases', offers: [create] },
    {
      name: 'board',
      path: '/cases?view=board',
      ready: 'Old DNS entries',
      offers: [create, [/^Move case \d+$/, `PUT ${one}`, WRONG]],
    },
    {
      name: 'case',
      path: `/cases/${caseId}`,
      ready: 'Has a verdict',
      prepare: (page) => page.getByText('I have reset the password').waitFor(),
      offers: [
        [/^Close (the case|\(\d+ conditions? open\))$/, `PUT ${one}`, WRONG],
        ...['Edit', 'Add', 'Add tag', 'Assign to'].map((button): Offer => [button, `PUT ${one}`, WRONG]),
        [/^(Unassign|Remove the tag|Remove the condition) /, `PUT ${one}`, WRONG],
        [/^(New comment|Comment|Preview|Mention)$/, `POST ${one}/comments`, WRONG],
        ['Set', `PUT ${one}/metadata`, WRONG],
        [/^Edit the field /, `PUT ${one}/metadata`, WRONG],
        [/^Remove the field /, `DELETE ${one}/metadata`, WRONG],
        ['Add record', `POST ${one}/records`, WRONG],
        ['Link case', `POST ${one}/linked_cases`, WRONG],
        ['Add link', `POST ${one}/actions`, WRONG],
        [/^(Edit|Delete) the comment$/, `PUT ${one}/comments/1`, WRONG],
        [/^Remove record /, `DELETE ${one}/records/1`],
        [/^Remove the link to case /, `DELETE ${one}/linked_cases/1`],
        [/^Remove the link Runbook/, `DELETE ${one}/actions/1`],
        ['More', `DELETE ${one}`],
      ],
    },
  ];
}

function valuePages({ teamId, resourceId, credentialId }: World): OfferedPage[] {
  const resource = `/api/v1/global_resources/${resourceId}`;
  const credential = `/api/v1/user_credentials/${credentialId}`;
  return [
    {
      name: 'resources',
      path: '/resources',
      ready: 'Blocked domains',
      offers: [['New resource', 'POST /api/v1/global_resources', { team_id: teamId, ...WRONG }]],
    },
    {
      name: 'resource',
      path: `/resources/${resourceId}`,
      ready: 'Not used by any action.',
      offers: [
        [/^(Settings|Edit|Add)$/, `PUT ${resource}`, WRONG],
        ['Delete', `DELETE ${resource}`],
      ],
    },
    {
      name: 'credentials',
      path: '/credentials',
      ready: 'Jira',
      offers: [['New credential', 'POST /api/v1/user_credentials', { team_id: teamId, ...WRONG }]],
    },
    {
      name: 'credential',
      path: `/credentials/${credentialId}`,
      ready: 'Not used by any action.',
      offers: [
        [/^(Settings|Replace|Add)$/, `PUT ${credential}`, WRONG],
        ['Test', `POST ${credential}/test`],
        ['Delete', `DELETE ${credential}`],
      ],
    },
  ];
}

function teamPages({ teamId, otherTeamId, personId }: World): OfferedPage[] {
  const members = `/api/v1/teams/${teamId}/members`;
  const person = `PUT /api/v1/users/${personId}`;
  const change: Offer = [/^(Remove |Role: )/, `PUT ${members}/${personId}`, WRONG];
  return [
    {
      name: 'people',
      path: '/team',
      ready: 'Grace Hopper',
      offers: [['Invite a user', 'POST /api/v1/users', WRONG]],
    },
    {
      name: 'teams',
      path: '/team?tab=teams',
      ready: 'Your role',
      offers: [['New team', 'POST /api/v1/teams', WRONG]],
    },
    {
      name: 'team',
      path: `/team/teams/${teamId}`,
      ready: 'Annie Easley',
      offers: [
        ['Rename', `PUT /api/v1/teams/${teamId}`, WRONG],
        ['Add a member', `POST ${members}`, WRONG],
        change,
        ['Delete', `DELETE /api/v1/teams/${teamId}`],
      ],
    },
    {
      name: 'person',
      path: `/team/people/${personId}`,
      ready: 'Roles in teams',
      offers: [
        ['Send invitation', 'POST /session/invitations', { user_id: personId }],
        [/^(Edit|Deactivate)$/, person, WRONG],
        change,
        ['Add to a team', `POST /api/v1/teams/${otherTeamId}/members`, WRONG],
        ['End all', `DELETE /session/all?user_id=${personId}`],
      ],
    },
    {
      name: 'keys',
      path: '/team?tab=keys',
      ready: 'New key',
      offers: [['New key', 'POST /api/v1/api_keys', { kind: 'personal', ...WRONG }]],
    },
  ];
}

const reading = (name: string, path: string, ready: string): OfferedPage => ({
  name,
  path,
  ready,
  offers: [],
});

/** Pages that change nothing of others. */
function readPages({ recordTypeId, eventId }: World): OfferedPage[] {
  return [
    reading('home', '/', 'Runs per minute'),
    reading('runs', '/runs', 'Duty'),
    reading('events', '/events', 'Hook'),
    reading('event', `/events/${eventId}`, 'Hook'),
    reading('records', `/records?type=${recordTypeId}`, 'Verdict'),
    reading('webhooks', '/webhooks', 'Hook'),
    reading('queues', '/queues', 'All queues'),
    reading('quotas', '/quotas', 'Processor time'),
    reading('audit log', '/audit', 'Audit log'),
    reading('sessions', '/sessions', 'Your sessions'),
  ];
}
