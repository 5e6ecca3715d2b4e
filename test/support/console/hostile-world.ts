import type { JsonObject } from '../../../src/platform/json.js';
import type { TestFabula } from '../fabula.js';
import { agentIds, eventsIn, runsOf, says } from '../run-api.js';
import { type ShortAgent, storyOf } from '../stories.js';
import type { TestStores } from '../stores.js';
import { HOSTILE_MARKDOWN, HOSTILE_NAME, HOSTILE_NAMES, HOSTILE_TEXT } from './hostile-text.js';
import { keyOfFailures } from './inbox-key.js';
import { send } from './send.js';

/** Ids of what the pages show, all of it with hostile names and values. */
export interface HostileWorld {
  storyId: number;
  hookId: number;
  /** The action whose deliveries fail. */
  askId: number;
  runGuid: string;
  /** Events of the run, the oldest first. */
  eventIds: number[];
  letterId: number;
  caseId: number;
  typeId: number;
  enumFieldId: number;
  resourceId: number;
  credentialId: number;
  teamId: number;
  personId: number;
}

const SAY = `${HOSTILE_NAME.slice(0, 250)} say`;
const ASK = `${HOSTILE_NAME.slice(0, 250)} ask`;
const LINES = `lines\nof\r\na name ${HOSTILE_NAME.slice(0, 200)}`;
const VALUES = { [HOSTILE_TEXT]: HOSTILE_TEXT, list: [HOSTILE_TEXT, { [HOSTILE_NAME]: [HOSTILE_NAME] }] };

const AGENTS: Record<string, ShortAgent> = {
  [HOSTILE_NAME]: ['Webhook', { note: HOSTILE_TEXT, [HOSTILE_NAME]: HOSTILE_TEXT }],
  [SAY]: says(VALUES),
  [ASK]: [
    'HTTPRequest',
    { url: `nowhere ${HOSTILE_TEXT}`, method: 'get', headers: { 'x-a': HOSTILE_TEXT } },
    { description: HOSTILE_TEXT },
  ],
  [LINES]: [...says({ at: 'night' }), { schedule: { cron: '0 9 * * *' }, description: HOSTILE_TEXT }],
};

/** Gives a running Fabula stories, runs, records, cases and people whose every name and text is hostile. */
export async function buildHostileWorld(stores: TestStores, fabula: TestFabula): Promise<HostileWorld> {
  const story = await buildStories(stores, fabula);
  const records = await buildRecords(fabula);
  const caseId = await buildCases(fabula, records.recordId);
  const settings = await buildSettings(fabula);
  const key = await keyOfFailures(fabula);
  await send(fabula, `PUT /api/v1/inbox/${encodeURIComponent(key)}`, { assignee_id: settings.personId });
  return { ...story, ...records, caseId, ...settings };
}

async function buildStories(stores: TestStores, fabula: TestFabula) {
  const team = fabula.account.team.id;
  const folder = await send(fabula, 'POST /api/v1/folders', {
    name: HOSTILE_NAME,
    team_id: team,
    content_type: 'STORY',
  });
  const data = storyOf(AGENTS, [`${HOSTILE_NAME} > ${SAY}`, `${HOSTILE_NAME} > ${ASK}`], {
    description: HOSTILE_TEXT,
    diagram_notes: [{ content: HOSTILE_MARKDOWN, position: [300, 0] }],
  });
  const { id: storyId, webhooks } = await fabula.importStory(data, {
    new_name: HOSTILE_NAME,
    folder_id: folder.id,
  });
  await send(fabula, `PUT /api/v1/stories/${storyId}`, { add_tag_names: HOSTILE_NAMES });
  for (const name of HOSTILE_NAMES.slice(1))
    await fabula.importStory(storyOf({ [name]: ['Webhook', {}] }, []), { new_name: name });
  for (let call = 0; call < 2; call += 1) {
    const { status } = await fabula.fire(webhooks[HOSTILE_NAME] ?? '', VALUES);
    if (status !== 201) throw new Error(`the webhook answers ${status}`);
  }
  await fabula.settled(60_000);
  // Errors and log lines quote what they are given; which ones do is not what pages depend on.
  await stores.sql('UPDATE deliveries SET error = ?', [HOSTILE_TEXT]);
  await stores.sql('UPDATE agent_logs SET message = ?', [HOSTILE_TEXT]);
  return { storyId, ...(await idsOf(fabula, storyId)) };
}

async function idsOf(fabula: TestFabula, storyId: number) {
  const actions = await agentIds(fabula, storyId);
  const runs = await runsOf(fabula, storyId);
  const runGuid = runs[0]?.guid ?? '';
  const events = await eventsIn(fabula, `?story_run_guid=${runGuid}`);
  const letters = await fabula.deadLetters();
  return {
    hookId: actions[HOSTILE_NAME] ?? 0,
    askId: actions[ASK] ?? 0,
    runGuid,
    eventIds: events.map(({ id }) => id).toSorted((a, b) => a - b),
    letterId: letters.at(-1)?.id ?? 0,
  };
}

interface MadeType {
  id: number;
  record_fields: { id: number; result_type: string }[];
}

async function buildRecords(fabula: TestFabula) {
  const type = await send<MadeType>(fabula, 'POST /api/v1/record_types', {
    name: HOSTILE_NAME,
    team_id: fabula.account.team.id,
    fields: [
      ...HOSTILE_NAMES.map((name) => ({ name, result_type: 'TEXT' })),
      { name: `${HOSTILE_NAME.slice(0, 250)} enum`, result_type: 'TEXT_ENUM', fixed_values: HOSTILE_NAMES },
    ],
  });
  const values = type.record_fields
    .filter(({ result_type: kind }) => kind === 'TEXT' || kind === 'TEXT_ENUM')
    .map(({ id, result_type: kind }) => ({
      field_id: id,
      value: kind === 'TEXT' ? HOSTILE_TEXT : HOSTILE_NAME,
    }));
  const body = { record_type_id: type.id, field_values: values };
  const { id: recordId } = await send(fabula, 'POST /api/v1/records', body);
  const enumFieldId = type.record_fields.find(({ result_type: kind }) => kind === 'TEXT_ENUM')?.id ?? 0;
  return { typeId: type.id, enumFieldId, recordId };
}

async function buildCases(fabula: TestFabula, recordId: number): Promise<number> {
  const make = async (name: string, more: JsonObject = {}) => {
    const body = { team_id: fabula.account.team.id, name, tag_names: HOSTILE_NAMES, ...more };
    return (await send<{ case_id: number }>(fabula, 'POST /api/v2/cases', body)).case_id;
  };
  const others: number[] = [];
  for (const name of HOSTILE_NAMES.slice(1)) others.push(await make(name));
  const id = await make(HOSTILE_NAME, {
    description: HOSTILE_MARKDOWN,
    metadata: { [HOSTILE_NAME]: HOSTILE_TEXT, list: [HOSTILE_TEXT] },
    closure_conditions: [{ name: HOSTILE_NAME, formula: `"${'w'.repeat(9_000)}" = ""` }],
    assignee_emails: [fabula.account.user.email],
  });
  const path = `/api/v2/cases/${id}`;
  await send(fabula, `POST ${path}/comments`, { value: HOSTILE_MARKDOWN });
  await send(fabula, `POST ${path}/actions`, {
    url: `https://example.com/${'w'.repeat(1_900)}`,
    label: HOSTILE_NAME,
    action_type: 'page',
  });
  await send(fabula, `POST ${path}/records`, { record_id: recordId });
  for (const other of others) await send(fabula, `POST ${path}/linked_cases`, { id: other });
  return id;
}

/** Makes what the pages of the group 'Set up' show. */
async function buildSettings(fabula: TestFabula) {
  const { team, user } = fabula.account;
  const told = { name: HOSTILE_NAME, description: HOSTILE_TEXT.slice(0, 10_000), team_id: team.id };
  const resource = await send(fabula, 'POST /api/v1/global_resources', { ...told, value: VALUES });
  await send(fabula, 'POST /api/v1/global_resources', {
    name: HOSTILE_NAMES[1] ?? '',
    team_id: team.id,
    value: HOSTILE_TEXT,
  });
  const credential = await send(fabula, 'POST /api/v1/user_credentials', {
    ...told,
    mode: 'TEXT',
    value: 's3cret',
    allowed_hosts: [`${`${'w'.repeat(60)}.`.repeat(3)}example.com`],
  });
  await send(fabula, `PUT /api/v1/teams/${team.id}`, { name: HOSTILE_NAME });
  const otherTeam = await send(fabula, 'POST /api/v1/teams', { name: `${HOSTILE_NAME.slice(0, 250)} two` });
  await send(fabula, `POST /api/v1/teams/${otherTeam.id}/members`, { user_id: user.id, role: 'EDITOR' });
  await send(fabula, 'POST /api/v1/api_keys', { kind: 'personal', name: HOSTILE_NAME });
  await send(fabula, 'POST /api/v1/api_keys', {
    kind: 'team',
    name: HOSTILE_NAME,
    team_id: otherTeam.id,
    role: 'EDITOR',
  });
  const names = { first_name: HOSTILE_NAME, last_name: HOSTILE_NAME };
  await send(fabula, `PUT /api/v1/users/${user.id}`, names);
  return {
    resourceId: resource.id,
    credentialId: credential.id,
    teamId: otherTeam.id,
    personId: user.id,
  };
}
