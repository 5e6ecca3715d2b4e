import type { JsonObject } from '../../../src/platform/json.js';
import { HIDDEN, hideInText } from '../../../src/platform/secrets/hidden-secrets.js';
import { type Account, buildAccount, buildKey, buildMembership } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { startHttpTarget } from '../../support/http-target.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
const SECRET = 'whk-SECRET-4711-abcdef';
const INNER_SECRET = 'whk-INNER-0815-abcdef';
const PROMPT = '0123456789abcdef0123456789abcdef';
const TOKEN = 'caller-TOKEN-99';
const LEAKS = [SECRET, INNER_SECRET, PROMPT, TOKEN];

const hook = (path: string, secret: string) => ({
  type: 'Agents::WebhookAgent',
  name: `Hook ${path}`,
  options: {
    path,
    secret,
    verbs: 'get,post',
    keep_headers: 'authorization, cookie, x-user-token, x-service-signature',
  },
});
const echo = {
  type: 'Agents::EventTransformationAgent',
  name: 'Echo',
  options: {
    mode: 'message_only',
    payload: {
      own: `https://f.example/webhook/outer/${SECRET}`,
      escaped: `{"a":"https:\\/\\/f.example\\/webhook\\/outer\\/${SECRET}"}`,
      mail: `click https://f.example/prompts/${PROMPT} or <a href="https://f.example/prompts/${PROMPT}">`,
      headers: '{{ .hook_outer.headers | as_object }}',
      request: {
        headers: {
          Authorization: '{{ .hook_outer.headers.authorization }}',
          COOKIE: ['{{ .hook_outer.headers.cookie }}'],
          'Proxy-Authorization': '{{ .hook_outer.headers.x-user-token }}',
        },
      },
      plain: 'kept',
    },
  },
};
const caller = {
  type: 'Agents::HTTPRequestAgent',
  name: 'Call ourselves',
  options: {
    url: `https://f.example/webhook/outer/${SECRET}?x=1`,
    method: 'post',
    headers: { 'x-secret': SECRET },
  },
};
const story = (): JsonObject => ({
  name: 'Watched',
  description: `call https://f.example/webhook/outer/${SECRET}`,
  schema_version: 3,
  agents: [hook('outer', SECRET), echo, caller],
  links: [{ source: 0, receiver: 1 }],
  send_to_stories: [{ name: 'Inner', schema_version: 3, agents: [hook('inner', INNER_SECRET)], links: [] }],
});

const fabula = useFabula(stores, { env: { MAX_ATTEMPTS: '1' } });
let storyId: number;
let viewer: Account;
beforeEach(async () => {
  storyId = (await fabula.importStory(story())).id;
  viewer = await buildAccount(stores.db, { team: fabula.account.team, role: 'VIEWER' });
});

const ask = async (key: string, path: string) => {
  const response = await fetch(`${fabula.url}${path}`, { headers: { 'x-user-token': key } });
  expect(response.status).toBe(200);
  return response.text();
};
const viewerKeys = async () => {
  const { tenantId, team } = fabula.account;
  return [
    viewer.key,
    (await buildKey(stores.db, { tenantId, kind: 'team', teamId: team.id, role: 'VIEWER' })).key,
  ];
};
const called = async () => {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    cookie: `s=${TOKEN}`,
    'x-user-token': TOKEN,
    'content-type': 'application/json',
  };
  await fabula.fire(`outer/${SECRET}`, { n: 1 }, { headers });
  await fabula.settled();
};

/** Every read that a VIEWER may do in the team, lists first, and what the items of the lists are called. */
async function everyRead(): Promise<string[]> {
  const { agents } = JSON.parse(await ask(fabula.account.key, `/api/v1/stories/${storyId}/agents`)) as {
    agents: { id: number }[];
  };
  const { events } = JSON.parse(await ask(fabula.account.key, `/api/v1/events?story_id=${storyId}`)) as {
    events: { id: number; story_run_guid: string }[];
  };
  return [
    '/api/v1/stories',
    `/api/v1/stories/${storyId}`,
    `/api/v1/stories/${storyId}/export`,
    `/api/v1/stories/${storyId}/agents`,
    `/api/v1/stories/${storyId}/actions`,
    `/api/v1/stories/${storyId}/runs`,
    ...agents.flatMap(({ id }) => [
      `/api/v1/agents/${id}`,
      `/api/v1/actions/${id}`,
      `/api/v1/agents/${id}/logs`,
    ]),
    '/api/v1/events',
    '/api/v1/events?exclude_previous_event_payloads=false',
    ...events.flatMap(({ id, story_run_guid: guid }) => [
      `/api/v1/events/${id}`,
      `/api/v1/events/${id}?exclude_previous_event_payloads=true`,
      `/api/v1/stories/${storyId}/runs/${guid}`,
    ]),
    '/api/v1/dead_letters',
  ];
}

it('no read of a VIEWER shows a webhook’s secret, a prompt’s link or a caller’s credential', async () => {
  await called();
  for (const key of await viewerKeys()) {
    for (const path of await everyRead()) {
      const text = await ask(key, path);
      expect({ path, leaks: LEAKS.filter((leak) => text.includes(leak)) }).toEqual({ path, leaks: [] });
    }
  }
});

it('resources show a VIEWER no address of a webhook and no link of a prompt', async () => {
  const address = `https://f.example/webhook/outer/${SECRET}`;
  const made = await fabula.api('POST', '/api/v1/global_resources', {
    name: 'Addresses',
    value: { hook: address, list: [`https://f.example/prompts/${PROMPT}`], [address]: 'key', plain: 'kept' },
    description: `call ${address}`,
  });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: number };
  for (const key of await viewerKeys()) {
    for (const path of ['/api/v1/global_resources', `/api/v1/global_resources/${id}`]) {
      const text = await ask(key, path);
      expect(LEAKS.filter((leak) => text.includes(leak))).toEqual([]);
      expect(text).toContain('kept');
    }
  }
  expect(await ask(fabula.account.key, `/api/v1/global_resources/${id}`)).toContain(SECRET);
});

const LINK = `https://f.example/prompts/${PROMPT}`;
const ADDRESS = `https://f.example/webhook/outer/${SECRET}`;

/** Creates something with this body; returns its id. */
async function made(path: string, body: JsonObject): Promise<number> {
  const response = await fabula.api('POST', path, body);
  expect(response.status).toBe(201);
  const { id, case_id } = (await response.json()) as { id?: number; case_id?: number };
  return case_id ?? id ?? 0;
}

/** A record and a case with links and addresses wherever they can stand; gives their paths, lists first. */
async function linkedCase(): Promise<string[]> {
  const team_id = fabula.account.team.id;
  const type = await fabula.api('POST', '/api/v1/record_types', {
    name: 'Links',
    team_id,
    fields: [{ name: 'Link', result_type: 'TEXT' }],
  });
  expect(type.status).toBe(201);
  const { id: typeId, record_fields } = (await type.json()) as {
    id: number;
    record_fields: { id: number }[];
  };
  const fieldId = record_fields[0]?.id ?? 0;
  const recordId = await made('/api/v1/records', {
    record_type_id: typeId,
    field_values: [{ field_id: String(fieldId), value: LINK }],
  });
  const caseId = await made('/api/v2/cases', {
    team_id,
    name: `Case of ${LINK}`,
    description: `kept: approve at ${LINK}`,
    metadata: { hook: ADDRESS, list: [LINK], [LINK]: 1 },
  });
  const path = `/api/v2/cases/${caseId}`;
  await made(`${path}/comments`, { value: `start it at ${ADDRESS}` });
  await made(`${path}/actions`, { url: LINK, label: `Approve ${LINK}`, action_type: 'link' });
  const attached = await fabula.api('POST', `${path}/records`, { record_id: recordId });
  expect(attached.status).toBe(201);
  const parts = ['', '/activities', '/comments', '/metadata', '/actions', '/records', '/linked_cases'];
  return [
    '/api/v2/cases',
    ...parts.map((part) => `${path}${part}`),
    `/api/v1/records?record_type_id=${typeId}`,
    `/api/v1/records/${recordId}`,
  ];
}

it('cases and records show a VIEWER no address of a webhook and no link of a prompt', async () => {
  const paths = await linkedCase();
  for (const key of await viewerKeys()) {
    for (const path of paths) {
      const text = await ask(key, path);
      expect({ path, leaks: LEAKS.filter((leak) => text.includes(leak)) }).toEqual({ path, leaks: [] });
    }
    expect(await ask(key, paths[1] ?? '')).toContain('kept: approve at https://f.example/prompts/[hidden]');
  }
  const shown = await Promise.all(paths.map((path) => ask(fabula.account.key, path)));
  expect(shown.filter((text) => text.includes(PROMPT) || text.includes(SECRET))).toHaveLength(9);
});

it('a VIEWER finds no link out by searching for its letters', async () => {
  const paths = await linkedCase();
  const other = { team_id: fabula.account.team.id, name: 'Other 012345', description: 'plain abcdef' };
  await made('/api/v2/cases', other);
  const found = async (key: string, search: string) => {
    const { cases } = JSON.parse(await ask(key, `/api/v2/cases?search=${search}`)) as { cases: unknown[] };
    return cases.length;
  };
  expect([await found(fabula.account.key, '012345'), await found(viewer.key, '012345')]).toEqual([2, 1]);
  expect(await found(viewer.key, 'plain')).toBe(1);

  const list = paths.find((path) => path.includes('record_type_id')) ?? '';
  const { record_results } = JSON.parse(await ask(fabula.account.key, list)) as { record_results: unknown[] };
  expect(record_results).toHaveLength(1);
  const types = JSON.parse(await ask(viewer.key, '/api/v1/record_types')) as {
    record_types: { record_fields: { id: number }[] }[];
  };
  const field_id = String(types.record_types[0]?.record_fields[0]?.id);
  const compared = (key: string, value: string) => {
    const filter = { field_id, operator: 'LESS_THAN', value };
    const query = Object.entries(filter).map(
      ([name, part]) => `filters[0][${name}]=${encodeURIComponent(part)}`,
    );
    return fetch(`${fabula.url}${list}&${query.join('&')}`, { headers: { 'x-user-token': key } });
  };
  expect((await compared(viewer.key, 'https://f.example/prompts/1')).status).toBe(422);
  expect((await compared(viewer.key, 'https://g')).status).toBe(200);
  expect((await compared(fabula.account.key, 'https://f.example/prompts/1')).status).toBe(200);
});

/** How many dead letters the key finds with this in their error. */
async function deadLettersWith(key: string, error: string): Promise<number> {
  const text = await ask(key, `/api/v1/dead_letters?error=${error}`);
  return (JSON.parse(text) as { dead_letters: unknown[] }).dead_letters.length;
}

it('a VIEWER finds no link out by searching errors of dead letters for its letters', async () => {
  const target = await startHttpTarget({ rules: { '/ask': { status: 500 } } });
  const options = { url: `${target.url}/ask`, method: 'get', fail_on_status: ['500'] };
  const dead = { type: 'Agents::HTTPRequestAgent', name: 'Dead', options };
  const failing = await fabula.importStory({
    name: 'Failing',
    schema_version: 3,
    agents: [hook('failing', 'failing-secret'), dead],
    links: [{ source: 0, receiver: 1 }],
  });
  await fabula.fire('failing/failing-secret');
  await eventually(async () => (await fabula.deadLetters()).length === 1);
  await target.close();
  const errorOf = (error: string) =>
    stores.db.transaction((session) =>
      session.run("UPDATE deliveries SET error = ? WHERE story_id = ? AND state = 'failed'", [
        error,
        failing.id,
      ]),
    );
  for (const error of [`no answer from ${LINK}`, `no answer from ${ADDRESS.toUpperCase()}`]) {
    await errorOf(error);
    expect([
      await deadLettersWith(fabula.account.key, 'no%20ANSWER'),
      await deadLettersWith(viewer.key, 'no%20ANSWER'),
    ]).toEqual([1, 0]);
  }
  await errorOf('no answer from the mail server');
  expect([
    await deadLettersWith(fabula.account.key, 'ANSWER'),
    await deadLettersWith(viewer.key, 'ANSWER'),
  ]).toEqual([1, 1]);
});

it('an EDITOR of one team sees no link in linked cases of another team', async () => {
  const { tenantId, team } = fabula.account;
  const ours = await made('/api/v2/cases', { team_id: team.id, name: `Approve at ${LINK}` });
  const owner = await buildAccount(stores.db, { tenantId, owner: true });
  const call = (method: string, path: string, key: string, body: JsonObject) =>
    fetch(`${fabula.url}${path}`, {
      method,
      headers: { 'x-user-token': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const editor = await buildAccount(stores.db, { tenantId, role: 'EDITOR' });
  await buildMembership(stores.db, { teamId: team.id, userId: editor.user.id, role: 'VIEWER' });
  const response = await call('POST', '/api/v2/cases', editor.key, {
    team_id: editor.team.id,
    name: 'Theirs',
  });
  const { case_id: theirs } = (await response.json()) as { case_id: number };
  const linked = await call('POST', `/api/v2/cases/${theirs}/linked_cases`, owner.key, { id: ours });
  expect([response.status, linked.status]).toEqual([201, 201]);

  const paths = ['', '/linked_cases'].map((part) => `/api/v2/cases/${theirs}${part}`);
  const list = `/api/v2/cases?team_id=${editor.team.id}`;
  for (const path of [...paths, list]) {
    const text = await ask(editor.key, path);
    expect([path, text.includes('Approve at'), text.includes(PROMPT)]).toEqual([path, true, false]);
    expect(await ask(owner.key, path)).toContain(PROMPT);
  }
});

it.each([
  `https://h//webhook//outer//${SECRET}`,
  `webhook/outer/${SECRET}`,
  `https://h/%77ebhook/outer/${SECRET}`,
  `https:%252F%252Fh%252Fwebhook%252Fouter%252F${SECRET}`,
  `https:\\u002f\\u002fh\\u002fwebhook\\u002fouter\\u002f${SECRET}`,
  `https:&#x2F;&#x2F;h&#x2F;webhook&#x2F;outer&#x2F;${SECRET}`,
  `{\\"u\\":\\"https:\\\\\\/\\\\\\/h\\\\\\/webhook\\\\\\/outer\\\\\\/${SECRET}\\"}`,
  `{{ .base }}/webhook/{{ .path }}/${SECRET}`,
  `https://h/webhook/<<RESOURCE.path>>/${SECRET}`,
  `https://h/webhook/out%65r/${SECRET}`,
  `https:%2F%2Fh%2Fprompts%252F${PROMPT}`,
  `prompts\\u002F${PROMPT}`,
])('an address is hidden however its slashes are written: %s', (text) => {
  expect(LEAKS.filter((leak) => hideInText(text).includes(leak))).toEqual([]);
});

it('an EDITOR sees addresses and links, in the keys of the export format', async () => {
  await called();
  const editor = await buildAccount(stores.db, { team: fabula.account.team, role: 'EDITOR' });
  const exported = await ask(editor.key, `/api/v1/stories/${storyId}/export`);
  expect([exported.includes(SECRET), exported.includes(INNER_SECRET), exported.includes(HIDDEN)]).toEqual([
    true,
    true,
    false,
  ]);
  const events = await ask(editor.key, '/api/v1/events');
  expect([events.includes(PROMPT), events.includes(TOKEN), events.includes(HIDDEN)]).toEqual([
    true,
    true,
    false,
  ]);
});

it('a VIEWER still sees everything else', async () => {
  await called();
  const own = JSON.parse(await ask(viewer.key, `/api/v1/stories/${storyId}/agents`)) as {
    agents: { name: string; options: JsonObject }[];
  };
  expect(own.agents[0]?.options).toMatchObject({ path: 'outer', secret: HIDDEN, verbs: 'get,post' });
  expect(own.agents[2]?.options).toMatchObject({
    url: `https://f.example/webhook/outer/${HIDDEN}?x=1`,
    method: 'post',
  });
  const { events } = JSON.parse(await ask(viewer.key, '/api/v1/events')) as {
    events: { agent_name: string; payload: JsonObject }[];
  };
  expect(events.find(({ agent_name: name }) => name === 'Echo')?.payload).toMatchObject({
    plain: 'kept',
    own: `https://f.example/webhook/outer/${HIDDEN}`,
    request: { headers: { Authorization: HIDDEN, COOKIE: HIDDEN, 'Proxy-Authorization': HIDDEN } },
  });
});

it('an export with hidden secrets imports as a story with new ones', async () => {
  const exported = JSON.parse(await ask(viewer.key, `/api/v1/stories/${storyId}/export`)) as JsonObject;
  const other = await buildAccount(stores.db, { owner: true });
  const response = await fetch(`${fabula.url}/api/v1/stories/import`, {
    method: 'POST',
    headers: { 'x-user-token': other.key, 'content-type': 'application/json' },
    body: JSON.stringify({ new_name: 'Copy', team_id: other.team.id, data: exported }),
  });
  const imported = (await response.json()) as { id: number; warnings?: string[] };
  expect(response.status).toBe(200);
  const { agents } = JSON.parse(await ask(other.key, `/api/v1/stories/${imported.id}/agents`)) as {
    agents: { options: JsonObject }[];
  };
  expect(agents[0]?.options['secret']).toMatch(/^[0-9a-f]{32}$/);
});

it('an EDITOR who sends hidden options back changes no secret', async () => {
  const { agents } = JSON.parse(await ask(viewer.key, `/api/v1/stories/${storyId}/agents`)) as {
    agents: { id: number; options: JsonObject }[];
  };
  const [agent] = agents;
  const response = await fabula.api('PATCH', `/api/v1/agents/${agent?.id}`, { options: agent?.options });
  expect(response.status).toBe(200);
  expect((await fabula.fire(`outer/${SECRET}`)).status).toBe(201);
});

it.each([
  [`https://a/webhook/x/${SECRET}`, `https://a/webhook/x/${HIDDEN}`],
  [`https://a/webhook/x/${SECRET}/?a=1`, `https://a/webhook/x/${HIDDEN}/?a=1`],
  [`a%2Fwebhook%2Fx%2F${SECRET}`, `a%2Fwebhook%2Fx%2F${HIDDEN}`],
  ['https://a/webhook/x', 'https://a/webhook/x'],
  ['https://a/webhooks/x/y', 'https://a/webhooks/x/y'],
  [`/PROMPTS/${PROMPT.toUpperCase()}.`, `/PROMPTS/${HIDDEN}.`],
  ['the prompts/webhook of old', 'the prompts/webhook of old'],
])('of %s is shown %s', (text, shown) => {
  expect(hideInText(text)).toBe(shown);
});
