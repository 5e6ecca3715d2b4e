import { createLanguages } from '../../src/language/languages.js';
import type { TemplateChecker } from '../../src/stories/import/plan/warnings.js';
import type { JsonObject } from '../../src/platform/json.js';
import { createStoryService } from '../../src/stories/story/story-service.js';
import { useStores } from '../support/stores.js';
import { agent, guidOf, makeTeam, smallExport } from '../support/stories.js';
import { useStoryApi } from '../support/story-api.js';

const stores = useStores({ ownDatabase: true });
const api = useStoryApi(stores);
const IMPORT = '/api/v1/stories/import';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

interface Imported extends JsonObject {
  id: number;
  guid: string;
}

const rows = <Row>(sql: string, values: (string | number)[] = []) =>
  stores.db.read((session) => session.rows<Row>(sql, values));

const countAll = async () => {
  const [row] = await rows<Record<string, number>>(
    'SELECT (SELECT COUNT(*) FROM stories) AS stories, (SELECT COUNT(*) FROM agents) AS agents,' +
      ' (SELECT COUNT(*) FROM links) AS links',
  );
  return { ...row };
};

const withAgents = (agents: JsonObject[]) => smallExport({ agents, links: [] });

const withLinks = (...links: JsonObject[]) => smallExport({ links });

const withWebhook = (options: JsonObject) =>
  smallExport({ agents: [agent('Agents::WebhookAgent', '1', options)], links: [] });

const storedWebhook = async (id: number) => {
  const [row] = await rows<{ path: string; guid: string; options: string }>(
    'SELECT webhook_path AS path, guid, options FROM agents WHERE story_id = ?',
    [id],
  );
  return { path: row?.path, guid: row?.guid, options: JSON.parse(row?.options ?? '') as JsonObject };
};

const movedWebhook = (digit: string) => agent('Agents::WebhookAgent', digit, { path: 'moved' });

const webhookPaths = () =>
  rows<{ story: string; guid: string; path: string }>(
    'SELECT s.name AS story, a.guid, a.webhook_path AS path FROM agents a JOIN stories s ON s.id = a.story_id' +
      ' WHERE a.webhook_path IS NOT NULL ORDER BY s.name',
  );

const replaceEmbedding = async (agents: JsonObject[], ofSub: JsonObject) => {
  const actor = await makeTeam(stores.db);
  await api.stories.import(actor, { new_name: 'Main', data: withAgents([movedWebhook('1')]) });
  const sub = { ...withAgents([ofSub]), name: 'Sub' };
  const data = { ...withAgents(agents), send_to_stories: [sub] };
  return (await api.stories.import(actor, { new_name: 'Main', data, mode: 'versionReplace' })).warnings;
};

const warningsFor = async (overrides: JsonObject) => {
  const actor = await makeTeam(stores.db);
  return (await api.stories.import(actor, { new_name: 'N', data: smallExport(overrides) })).warnings;
};

const embedding = (...names: string[]) =>
  smallExport({ send_to_stories: names.map((name) => smallExport({ name, agents: [], links: [] })) });

const storyNames = async () =>
  (await rows<{ name: string }>('SELECT name FROM stories ORDER BY id')).map(({ name }) => name);

const checkNope = (text: string, language: string) =>
  language === 'liquid' && text.includes('| nope')
    ? [{ message: 'unknown filter "nope"', line: 1, column: 7 }]
    : [];

const faulty = (count: number) => ({
  agents: [
    agent('Agents::TriggerAgent', '1', {
      rules: Array.from({ length: count }, () => ({ path: '{{ a | nope }}' })),
    }),
  ],
  links: [],
});

const importChecked = async (overrides: JsonObject, checkTemplates: TemplateChecker = checkNope) => {
  const actor = await makeTeam(stores.db);
  const types = { checkOptions: () => [], runnable: () => undefined };
  const service = createStoryService({ database: stores.db, agentTypes: types, checkTemplates });
  return (await service.import(actor, { new_name: 'Main', data: smallExport(overrides) })).warnings;
};

describe('the response to an import', () => {
  it('is the story, key by key', async () => {
    const actor = await makeTeam(stores.db);
    const { status, body } = await api.call(actor, IMPORT, { new_name: 'Mine', data: smallExport() });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Mine',
      user_id: actor.userId,
      description: '',
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
      keep_events_for: 604800,
      disabled: false,
      priority: false,
      guid: expect.stringMatching(/^[0-9a-f]{32}$/),
      team_id: actor.teamId,
      folder_id: null,
      slug: 'mine',
      edited_at: expect.stringMatching(TIME),
      mode: 'LIVE',
      published: true,
      locked: false,
      change_control_enabled: false,
      owner: null,
      owners: [],
      tags: [],
      send_to_story_enabled: false,
      send_to_story_access_source: 'OFF',
      send_to_story_access: null,
      shared_team_slugs: [],
      send_to_story_skill_use_requires_confirmation: true,
      entry_agent_id: expect.any(Number),
      exit_agents: [expect.any(Number), expect.any(Number)],
      synchronous_webhooks_enabled: false,
      webhook_api_enabled: false,
      api_entry_action_id: null,
      api_entry_action_ids: [],
      api_exit_action_ids: [],
      recipients: [],
      monitor_failures: false,
      runbook: '',
      run_subject: null,
      tests_on_publish: null,
      gallery_slug: null,
    });
  });

  it('holds what the export says, with ids and flags given as text', async () => {
    const actor = await makeTeam(stores.db);
    const folder = await stores.sql("INSERT INTO folders (team_id, name) VALUES (?, 'F')", [actor.teamId]);
    const data = smallExport({
      description: '*D*',
      keep_events_for: '3600',
      disabled: 'true',
      priority: true,
    });
    const request = {
      new_name: 'Mine',
      data,
      team_id: String(actor.teamId),
      folder_id: String(folder.insertId),
    };
    const { status, body } = await api.call(actor, IMPORT, request);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      description: '*D*',
      keep_events_for: 3600,
      disabled: true,
      priority: true,
      team_id: actor.teamId,
      folder_id: folder.insertId,
    });
  });

  it('goes into the team of the folder, where no team is named', async () => {
    const first = await makeTeam(stores.db);
    const second = await makeTeam(stores.db, { tenantId: first.tenantId });
    const actor = { ...first, roles: new Map([...first.roles, ...second.roles]) };
    const folder = await stores.sql("INSERT INTO folders (team_id, name) VALUES (?, 'F')", [second.teamId]);
    const request = { new_name: 'Mine', data: smallExport(), folder_id: folder.insertId };
    expect((await api.call(actor, IMPORT, request)).body).toMatchObject({ team_id: second.teamId });
    const wrong = await api.call(actor, IMPORT, { ...request, team_id: first.teamId });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toMatchObject({ errors: [{ details: 'folder_id' }] });
  });
});

describe('who may import', () => {
  it('is refused to a viewer', async () => {
    const actor = await makeTeam(stores.db, { role: 'VIEWER' });
    const { status, body } = await api.call(actor, IMPORT, { new_name: 'Mine', data: smallExport() });
    expect(status).toBe(403);
    expect(body).toEqual({ errors: [{ message: 'Your role does not allow this' }] });
    expect(await countAll()).toEqual({ stories: 0, agents: 0, links: 0 });
  });

  it.each([
    ['another team', true],
    ['another tenant', false],
  ])('cannot see the team or the folders of %s', async (_name, sameTenant) => {
    const actor = await makeTeam(stores.db);
    const other = await makeTeam(stores.db, sameTenant ? { tenantId: actor.tenantId } : {});
    const folder = await stores.sql("INSERT INTO folders (team_id, name) VALUES (?, 'F')", [other.teamId]);
    const request = { new_name: 'Mine', data: smallExport() };
    const intoTeam = await api.call(actor, IMPORT, { ...request, team_id: other.teamId });
    expect([intoTeam.status, intoTeam.body]).toEqual([404, { errors: [{ message: 'Team not found' }] }]);
    const intoFolder = await api.call(actor, IMPORT, { ...request, folder_id: folder.insertId });
    expect([intoFolder.status, intoFolder.body]).toEqual([
      404,
      { errors: [{ message: 'Folder not found' }] },
    ]);
    const nowhere = await api.call(actor, IMPORT, { ...request, folder_id: 999_999_999 });
    expect([nowhere.status, nowhere.body]).toEqual([404, { errors: [{ message: 'Folder not found' }] }]);
  });

  it('needs a team', async () => {
    const actor = { ...(await makeTeam(stores.db)), roles: new Map() };
    const { status, body } = await api.call(actor, IMPORT, { new_name: 'Mine', data: smallExport() });
    expect([status, body]).toMatchObject([422, { errors: [{ details: 'team_id' }] }]);
  });

  it('uses the team of a team key', async () => {
    const actor = await makeTeam(stores.db);
    const { body } = await api.call({ ...actor, kind: 'team', keyTeamId: actor.teamId }, IMPORT, {
      new_name: 'Mine',
      data: smallExport(),
    });
    expect(body).toMatchObject({ team_id: actor.teamId });
  });
});

describe('an import that breaks a rule', () => {
  const trigger = agent('Agents::TriggerAgent', '5', { rules: [] });
  const withOptions = (options: JsonObject) => withAgents([agent('Agents::WebhookAgent', '1', options)]);
  const cases: [string, JsonObject, string[]][] = [
    ['no name and no data', {}, ['new_name', 'data']],
    ['unknown fields', { new_name: 'N', data: smallExport(), nme: 1 }, ['nme']],
    ['an unknown mode', { new_name: 'N', data: smallExport(), mode: 'merge' }, ['mode']],
    ['a name that is too long', { new_name: 'N'.repeat(256), data: smallExport() }, ['new_name']],
    ['a name of two lines', { new_name: 'two\nlines', data: smallExport() }, ['new_name']],
    ['a name with half a character', { new_name: 'N\ud800', data: smallExport() }, ['new_name']],
    ['a name of blanks', { new_name: '  ', data: smallExport() }, ['new_name']],
    [
      'names of embedded stories and of agents that no database keeps',
      {
        new_name: 'N',
        data: smallExport({
          agents: [{ ...trigger, name: '\udc00' }],
          links: [],
          send_to_stories: [smallExport({ name: 'a\u0007b' })],
        }),
      },
      ['data.agents[0].name', 'data.send_to_stories[0].name'],
    ],
    [
      'data without its parts',
      { new_name: 'N', data: {} },
      ['data.schema_version', 'data.agents', 'data.links'],
    ],
    [
      'schema_version 0',
      { new_name: 'N', data: smallExport({ schema_version: 0 }) },
      ['data.schema_version'],
    ],
    [
      'links to positions that are not there',
      { new_name: 'N', data: withLinks({ source: 0, receiver: 1 }, { source: 3, receiver: 7 }) },
      ['data.links[1].source', 'data.links[1].receiver'],
    ],
    [
      'a negative position',
      { new_name: 'N', data: withLinks({ source: -1, receiver: 1 }) },
      ['data.links[0].source'],
    ],
    [
      'a link into a webhook',
      { new_name: 'N', data: withLinks({ source: 1, receiver: 0 }) },
      ['data.links[0].receiver'],
    ],
    [
      'a foreign agent type',
      { new_name: 'N', data: withAgents([{ ...trigger, type: 'Trigger' }]) },
      ['data.agents[0].type'],
    ],
    [
      'two agents with one guid',
      { new_name: 'N', data: withAgents([trigger, { ...trigger }]) },
      ['data.agents[1].guid'],
    ],
    [
      'options of the wrong kind',
      { new_name: 'N', data: withAgents([{ ...trigger, options: { rules: 5 } }]) },
      ['data.agents[0].options.rules'],
    ],
    [
      'options that are not an object',
      { new_name: 'N', data: withAgents([{ ...trigger, options: [] }]) },
      ['data.agents[0].options'],
    ],
    [
      'a path with a slash',
      { new_name: 'N', data: withOptions({ path: 'a/b' }) },
      ['data.agents[0].options.path'],
    ],
    [
      'a path that addresses lose',
      { new_name: 'N', data: withOptions({ path: '..' }) },
      ['data.agents[0].options.path'],
    ],
    [
      'a layout that is not JSON',
      { new_name: 'N', data: smallExport({ diagram_layout: '{' }) },
      ['data.diagram_layout'],
    ],
    [
      'a description that is too long',
      { new_name: 'N', data: smallExport({ description: 'é'.repeat(40_000) }) },
      ['data.description'],
    ],
    [
      'faults in an embedded story and in the story itself',
      {
        new_name: 'N',
        data: smallExport({
          links: [{ source: 9, receiver: 1 }],
          send_to_stories: [withLinks({ source: 0, receiver: 8 })],
        }),
      },
      ['data.links[0].source', 'data.send_to_stories[0].links[0].receiver'],
    ],
    [
      'faults of structure and of meaning, in an embedded story as well',
      {
        new_name: 5,
        data: smallExport({
          links: [
            { source: 9, receiver: 1 },
            { source: 'x', receiver: 0 },
          ],
          diagram_layout: '[',
          send_to_stories: [withLinks({ source: 0, receiver: 8 }), { ...smallExport(), name: 5 }],
        }),
      },
      [
        'new_name',
        'data.links[1].source',
        'data.send_to_stories[1].name',
        'data.links[0].source',
        'data.links[1].receiver',
        'data.diagram_layout',
        'data.send_to_stories[0].links[0].receiver',
      ],
    ],
  ];

  it.each(cases)('is refused, naming the place: %s', async (_name, request, places) => {
    const actor = await makeTeam(stores.db);
    const { status, body } = await api.call(actor, IMPORT, request);
    const { errors } = body as { errors: { message: string; details: string }[] };
    expect(errors.map(({ details }) => details)).toEqual(places);
    for (const { message, details } of errors) expect(message).toContain(details);
    expect(status).toBe(422);
    expect(await countAll()).toEqual({ stories: 0, agents: 0, links: 0 });
  });

  it('is refused when it is nested too deeply', async () => {
    const actor = await makeTeam(stores.db);
    let deep: JsonObject = {};
    for (let level = 0; level < 150; level++) deep = { deep };
    const { status, body } = await api.call(actor, IMPORT, { new_name: 'N', data: smallExport({ deep }) });
    expect([status, body]).toMatchObject([422, { errors: [{ details: 'data' }] }]);
  });
});

describe('webhook addresses', () => {
  it('are taken as they are given, numbers as text', async () => {
    const actor = await makeTeam(stores.db);
    const { story, warnings } = await api.stories.import(actor, {
      new_name: 'N',
      data: withWebhook({ path: 'soar-edr_1.~', secret: 8765676565656 }),
    });
    const { path, options } = await storedWebhook(story.id);
    expect([path, options['path'], options['secret']]).toEqual([
      'soar-edr_1.~',
      'soar-edr_1.~',
      '8765676565656',
    ]);
    expect(warnings).toEqual([]);
  });

  it('are made where they are missing', async () => {
    const actor = await makeTeam(stores.db);
    const { story } = await api.stories.import(actor, {
      new_name: 'N',
      data: withWebhook({ path: '', verbs: 'post' }),
    });
    const { path, guid, options } = await storedWebhook(story.id);
    expect([path, options['path']]).toEqual([guid, guid]);
    expect(options['secret']).toMatch(/^[0-9a-f]{32}$/);
    expect(options['secret']).not.toBe(guid);
  });

  it('are never taken over: a path in use becomes a new one, with a warning', async () => {
    const first = await makeTeam(stores.db);
    const second = await makeTeam(stores.db);
    const one = await api.stories.import(first, { new_name: 'N', data: withWebhook({ path: 'mine' }) });
    const { status, body } = await api.call(second, IMPORT, {
      new_name: 'N',
      data: withWebhook({ path: 'mine' }),
    });
    const { id, warnings } = body as Imported;
    const { path, guid } = await storedWebhook(id);
    expect(status).toBe(200);
    expect(path).toBe(guid);
    expect(warnings).toEqual([
      `The webhook path "mine" of "Webhook 1" is already in use; the new path is "${guid}"`,
    ]);
    expect((await storedWebhook(one.story.id)).path).toBe('mine');
  });

  it('differ within one import too', async () => {
    const actor = await makeTeam(stores.db);
    const agents = ['1', '2'].map((digit) => agent('Agents::WebhookAgent', digit, { path: 'same' }));
    const { warnings } = await api.stories.import(actor, {
      new_name: 'N',
      data: smallExport({ agents, links: [] }),
    });
    expect(warnings).toHaveLength(1);
    const paths = await rows<{ path: string }>('SELECT DISTINCT webhook_path AS path FROM agents');
    expect(paths).toHaveLength(2);
  });

  it('are given to one of several imports that race for them', async () => {
    const teams = await Promise.all([1, 2, 3, 4].map(() => makeTeam(stores.db)));
    const results = await Promise.all(
      teams.map((actor) => api.stories.import(actor, { new_name: 'N', data: withWebhook({ path: 'race' }) })),
    );
    expect(results.filter(({ warnings }) => warnings.length === 0)).toHaveLength(1);
    const paths = await rows<{ path: string }>('SELECT webhook_path AS path FROM agents');
    expect(paths.filter(({ path }) => path === 'race')).toHaveLength(1);
    expect(paths).toHaveLength(4);
  });
});

describe('guids', () => {
  it('are new, and every reference to them follows', async () => {
    const actor = await makeTeam(stores.db);
    const data = smallExport({ integrations: [{ action_guid: guidOf('3'), note: guidOf('3') }] });
    const { story } = await api.stories.import(actor, { new_name: 'N', data });
    const exported = await api.stories.export(actor, story.id);
    const [one, two, three] = (exported['agents'] as { guid: string }[]).map(({ guid }) => guid);
    expect(new Set([one, two, three, guidOf('1'), guidOf('2'), guidOf('3')]).size).toBe(6);
    expect(exported).toMatchObject({
      entry_agent_guid: one,
      exit_agent_guids: [two, three],
      exit_agent_guid: null,
      form: { agent_guid: one },
      integrations: [{ action_guid: three, note: guidOf('3') }],
      diagram_layout: JSON.stringify({ [one!]: [0, 0], [two!]: [0, 75], gone: [1, 2] }),
    });
  });
});

describe('warnings', () => {
  it.each([
    [3600, 3600, 0],
    [604_800, 604_800, 0],
    [0, 3600, 1],
    [3601, 21_600, 1],
    [40_000_000, 31_536_000, 1],
  ])('keep_events_for %i becomes %i', async (given, kept, warnings) => {
    expect(await warningsFor({ keep_events_for: given })).toHaveLength(warnings);
    const [row] = await rows<{ kept: number }>('SELECT keep_events_for AS kept FROM stories');
    expect(row?.kept).toBe(kept);
  });

  it('name actions that are stored but do not run', async () => {
    const agents = [
      agent('Agents::IMAPAgent', '1', {}),
      agent('Agents::SomethingNewAgent', '2', { any: ['thing'] }),
      agent('Agents::EventTransformationAgent', '3', { mode: 'automatic' }),
    ];
    const warnings = await warningsFor({ agents, links: [] });
    expect(warnings).toHaveLength(3);
    expect(warnings[0]).toMatch(/^Agents::IMAPAgent .*: "IMAP 1"$/);
    expect(warnings[1]).toMatch(/^Agents::SomethingNewAgent .*: "SomethingNew 2"$/);
    expect(warnings[2]).toMatch(/automatic.*: "EventTransformation 3"$/);
  });

  it.each([
    [{ schema_version: 5 }, 'liquid', 0],
    [{ schema_version: 4, standard_lib_version: 6 }, 'formula', 0],
    [{ schema_version: 6 }, 'formula', 0],
    [{ schema_version: 31 }, 'formula', 1],
  ])('tell of the language: %j is %s', async (overrides, language, warnings) => {
    expect(await warningsFor(overrides)).toHaveLength(warnings);
    expect(await rows('SELECT language FROM stories')).toEqual([{ language }]);
  });
});

describe('embedded stories', () => {
  it('are imported first, once for each name the team does not have', async () => {
    const actor = await makeTeam(stores.db);
    await api.stories.import(actor, { new_name: 'Main', data: embedding('A', 'B', 'A') });
    expect(await storyNames()).toEqual(['A', 'B', 'Main']);
    await api.stories.import(actor, { new_name: 'Main', data: embedding('A', 'C', 'a') });
    expect(await storyNames()).toEqual(['A', 'B', 'Main', 'C', 'a', 'Main']);
  });

  it('are exported as they are now, where they came along', async () => {
    const actor = await makeTeam(stores.db);
    const { story } = await api.stories.import(actor, { new_name: 'Main', data: embedding('A') });
    await api.stories.import(actor, {
      new_name: 'A',
      data: smallExport({ description: 'newer' }),
      mode: 'versionReplace',
    });
    const exported = await api.stories.export(actor, story.id);
    expect(exported['send_to_stories']).toMatchObject([{ name: 'A', description: 'newer' }]);
  });

  it('do not stay behind when the import fails', async () => {
    const actor = await makeTeam(stores.db);
    const data = smallExport({ send_to_stories: [smallExport({ name: 'A' })], name: 'x' });
    const trigger = 'CREATE TRIGGER refuse_main BEFORE INSERT ON stories FOR EACH ROW';
    await stores.db.knex.raw(
      `${trigger} IF NEW.name = 'Main' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END IF`,
    );
    try {
      await expect(api.stories.import(actor, { new_name: 'Main', data })).rejects.toThrow('no');
    } finally {
      await stores.db.knex.raw('DROP TRIGGER refuse_main');
    }
    expect(await countAll()).toEqual({ stories: 0, agents: 0, links: 0 });
  });
});

describe('an import in the mode versionReplace', () => {
  interface AgentRow {
    id: number;
    guid: string;
    name: string;
    path: string | null;
    secret: string | undefined;
  }
  const agentsOf = async (storyId: number): Promise<AgentRow[]> => {
    const found = await rows<AgentRow & { options: string }>(
      'SELECT id, guid, name, webhook_path AS path, options FROM agents WHERE story_id = ? ORDER BY position',
      [storyId],
    );
    return found.map(({ options, ...row }) => ({
      ...row,
      secret: (JSON.parse(options) as { secret?: string }).secret,
    }));
  };

  it('makes a new story where there is none of that name', async () => {
    const actor = await makeTeam(stores.db);
    const other = await makeTeam(stores.db, { tenantId: actor.tenantId });
    await api.stories.import(other, { new_name: 'Main', data: smallExport({ agents: [], links: [] }) });
    await api.stories.import(actor, { new_name: 'main', data: smallExport({ agents: [], links: [] }) });
    await api.stories.import(actor, { new_name: 'Main', data: smallExport(), mode: 'versionReplace' });
    expect(await countAll()).toMatchObject({ stories: 3 });
  });

  it('keeps ids, guids, addresses and events of the actions that are still there', async () => {
    const actor = await makeTeam(stores.db);
    const older = await api.stories.import(actor, { new_name: 'Main', data: smallExport() });
    const { story } = await api.stories.import(actor, { new_name: 'Main', data: smallExport() });
    const before = await agentsOf(story.id);
    const [webhook, transformation, trigger] = smallExport().agents as [JsonObject, JsonObject, JsonObject];
    const added = agent('Agents::EmailAgent', '4', { recipients: [] });
    const data = smallExport({
      description: 'second version',
      agents: [
        added,
        { ...trigger, name: 'Renamed' },
        { ...webhook, options: { path: 'other', secret: 'other', verbs: 'put' } },
      ],
      links: [{ source: 2, receiver: 1 }],
    });
    const request = { new_name: 'Main', data, mode: 'versionReplace' };
    const { status, body } = await api.call(actor, IMPORT, request);
    expect([status, body]).toMatchObject([
      200,
      { id: story.id, guid: story.guid, description: 'second version' },
    ]);

    const after = await agentsOf(story.id);
    const [keptWebhook, , keptTrigger] = before;
    expect(after[1]).toMatchObject({ id: keptTrigger!.id, guid: keptTrigger!.guid, name: 'Renamed' });
    expect(after[2]).toEqual(keptWebhook);
    expect(after.map(({ id }) => id)).not.toContain(before[1]!.id);
    expect(transformation['name']).toBe(before[1]!.name);
    expect(
      await rows('SELECT source_agent_id AS s, receiver_agent_id AS r FROM links WHERE story_id = ?', [
        story.id,
      ]),
    ).toEqual([{ s: after[2]!.id, r: after[1]!.id }]);
    expect(await rows('SELECT id, version FROM stories ORDER BY id')).toEqual([
      { id: older.story.id, version: 1 },
      { id: story.id, version: 2 },
    ]);
  });

  it('knows its own exports and, after that, still the first one', async () => {
    const actor = await makeTeam(stores.db);
    const { story } = await api.stories.import(actor, { new_name: 'Main', data: smallExport() });
    const before = await agentsOf(story.id);
    const own = await api.stories.export(actor, story.id);
    for (const data of [own, smallExport(), own]) {
      const again = await api.stories.import(actor, { new_name: 'Main', data, mode: 'versionReplace' });
      expect(again).toMatchObject({ story: { id: story.id }, warnings: [] });
      expect(await agentsOf(story.id)).toEqual(before);
    }
  });

  it('leaves folder and state as they are, unless the import says otherwise', async () => {
    const actor = await makeTeam(stores.db);
    const { story } = await api.stories.import(actor, {
      new_name: 'Main',
      data: smallExport({ disabled: true }),
    });
    await stores.sql('UPDATE stories SET folder_id = 77 WHERE id = ?', [story.id]);
    const replace = { new_name: 'Main', data: smallExport(), mode: 'versionReplace' };
    expect((await api.stories.import(actor, replace)).story).toMatchObject({ disabled: true, folderId: 77 });
    const enabled = { ...replace, data: smallExport({ disabled: false }) };
    expect((await api.stories.import(actor, enabled)).story).toMatchObject({ disabled: false, folderId: 77 });
  });

  describe('whose embedded story asks for a path that the replaced story has', () => {
    it.each<[string, JsonObject[]]>([
      ['without the webhook', []],
      [
        'without the webhook, its guid being another action’s',
        [agent('Agents::TriggerAgent', '1', { rules: [] })],
      ],
    ])('lets it have the path where the new version goes on %s', async (_how, agents) => {
      expect(await replaceEmbedding(agents, movedWebhook('1'))).toEqual([]);
      expect(await webhookPaths()).toMatchObject([{ story: 'Sub', path: 'moved' }]);
    });

    it('gives it a new one, with a warning, where the new version keeps the path', async () => {
      const warnings = await replaceEmbedding([movedWebhook('1')], movedWebhook('2'));
      const [main, sub] = await webhookPaths();
      expect(main).toMatchObject({ story: 'Main', path: 'moved' });
      expect(sub).toMatchObject({ story: 'Sub', path: sub!.guid });
      expect(warnings).toEqual([
        `The webhook path "moved" of "Webhook 2" is already in use; the new path is "${sub!.guid}"`,
      ]);
    });
  });

  it('gives one story when several replace it at once', async () => {
    const actor = await makeTeam(stores.db);
    const replace = { new_name: 'Main', data: smallExport(), mode: 'versionReplace' };
    const results = await Promise.all([1, 2, 3].map(() => api.stories.import(actor, replace)));
    expect(new Set(results.map(({ story }) => story.id)).size).toBe(1);
    expect(await countAll()).toEqual({ stories: 1, agents: 3, links: 2 });
  });
});

describe('faults in templates', () => {
  it('become warnings that name the place, in the language of the story', async () => {
    expect(await importChecked(faulty(1))).toEqual([
      '"Trigger 1" of "Main", options.rules[0].path: unknown filter "nope" (line 1, column 7)',
    ]);
    expect(await importChecked({ ...faulty(1), schema_version: 6 })).toEqual([]);
  });

  it('are also wrong numbers of arguments, and constant patterns that cannot be used', async () => {
    const { agents } = faulty(1);
    const path = '{{ a | upcase: 1 }}{{ a | regex_replace: "(", "" }}';
    const story = { agents: [{ ...agents[0], options: { rules: [{ path }] } }], links: [] };
    expect(await importChecked(story, (text, language) => createLanguages()[language].check(text))).toEqual([
      expect.stringMatching(/rules\[0\]\.path: upcase: wrong number of arguments .* \(line 1, column 1\)$/),
      expect.stringMatching(
        /rules\[0\]\.path: regex_replace: the pattern "\(" cannot be used: .*column 20\)$/,
      ),
    ]);
  });

  it('are named twenty at most', async () => {
    const warnings = await importChecked(faulty(25));
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('and 5 more faults in templates');
  });
});
