import { checkOptions, runnable } from '../../src/agents/index.js';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { createStoryService } from '../../src/stories/story/story-service.js';
import { useStores } from '../support/stores.js';
import { agent, makeTeam, realExports, smallExport } from '../support/stories.js';

const stores = useStores();
const service = () => createStoryService({ database: stores.db, agentTypes: { checkOptions, runnable } });

/**
 * Fields that "stable" does not cover (spec §3.4): guids, exported_at, name, webhook path and secret. Guids become
 * the place where they first occur, so that references are still compared.
 */
function normalised(story: JsonObject): JsonValue {
  const places = new Map<string, string>();
  const number = (agents: { guid: string }[]) =>
    agents.forEach((agent, index) => places.set(agent.guid, `agent ${index}`));
  const walk = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return places.get(value) ?? value;
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [places.get(key) ?? key, walk(item)]),
    );
  };
  number(story['agents'] as (JsonObject & { guid: string })[]);
  const { guid: _guid, exported_at: _at, name: _name, send_to_stories: embedded, ...rest } = story;
  const agents = (story['agents'] as JsonObject[]).map((agent) => {
    if (agent['type'] !== 'Agents::WebhookAgent') return agent;
    const { path: _path, secret: _secret, ...options } = agent['options'] as JsonObject;
    return { ...agent, options };
  });
  const layout = story['diagram_layout'];
  return {
    ...(walk({
      ...rest,
      agents,
      ...(typeof layout === 'string' && { diagram_layout: JSON.parse(layout) as JsonValue }),
    }) as JsonObject),
    ...(embedded !== undefined && { send_to_stories: ((embedded ?? []) as JsonObject[]).map(normalised) }),
  };
}

const real = realExports();
// The exports are not part of the repository; a table of nothing would be an error.
const describeReal =
  real.length > 0 ? describe.each(real) : describe.skip.each([['(not on this machine)', '{}']]);

describeReal('the real export %s', (_file, text) => {
  it('comes back as it was, imported for the first time and beside its sub-stories', async () => {
    const actor = await makeTeam(stores.db);
    for (const name of ['First', 'Second']) {
      const original = JSON.parse(text) as JsonObject;
      const { story } = await service().import(actor, { new_name: name, data: original });
      const exported = await service().export(actor, story.id);
      expect(exported['name']).toBe(name);
      expect(exported['guid']).not.toBe(original['guid']);
      expect(normalised(exported)).toEqual(normalised(JSON.parse(text) as JsonObject));
      expect(Object.keys(exported)).toEqual(Object.keys(original));
    }
  });
});

const families: [string, JsonObject][] = [
  ['schema 1 without layout and sub-stories', minimal(1)],
  ['schema 3', smallExport()],
  [
    'schema 4 with formulas',
    smallExport({ schema_version: 4, standard_lib_version: 6, keep_events_for: 86400, forms: [] }),
  ],
  [
    'schema 18 with tags, pages and response-enabled webhooks',
    smallExport({
      schema_version: 18,
      standard_lib_version: 36,
      synchronous_webhooks_enabled: true,
      api_entry_action_guids: ['1'.repeat(32)],
      api_exit_action_guids: ['2'.repeat(32)],
      pages: [{ agent_guid: '1'.repeat(32), fields: [{ guid: 'f'.repeat(32) }] }],
      integrations: [{ action_guid: '3'.repeat(32), action_inputs: [] }],
      tags: [{ name: 'a', color: 'b' }],
    }),
  ],
  [
    'schema 24 with a no-match link',
    smallExport({ schema_version: 24, links: [{ source: 2, receiver: 1, link_type: 'secondary' }] }),
  ],
  [
    'schema 30 with unknown keys',
    smallExport({
      schema_version: 30,
      sections: [],
      constructor: 1,
      something_new: { valueOf: [1, { a: null }] },
    }),
  ],
  ['a disabled story with an embedded one that embeds another', nested()],
];

function minimal(schemaVersion: number): JsonObject {
  const agents = [
    agent('Agents::WebhookAgent', '1', { secret: 's' }),
    agent('Agents::IMAPAgent', '2', { host: 'h' }),
  ];
  const links = [{ source: 0, receiver: 1 }];
  return {
    schema_version: schemaVersion,
    name: 'Minimal',
    guid: 'x',
    agents,
    links,
    control_links: [],
    exported_at: '',
  };
}

function nested(): JsonObject {
  const inner = smallExport({ name: 'Inner', guid: 'e'.repeat(32) });
  const middle = smallExport({ name: 'Middle', guid: 'd'.repeat(32), send_to_stories: [inner] });
  return smallExport({ disabled: true, priority: true, send_to_stories: [middle] });
}

describe.each(families)('an export of %s', (_name, original) => {
  it('comes back as it was', async () => {
    const actor = await makeTeam(stores.db);
    const before = structuredClone(original);
    const { story } = await service().import(actor, { new_name: 'Round trip', data: original });
    const exported = await service().export(actor, story.id);
    expect(original).toEqual(before);
    expect(normalised(exported)).toEqual(normalised(original));
    expect(Object.keys(exported)).toEqual(Object.keys(original));
    expect(exported['exported_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('can be exported, imported again and exported the same', async () => {
    const actor = await makeTeam(stores.db);
    const first = await service().import(actor, { new_name: 'Once', data: original });
    const once = await service().export(actor, first.story.id);
    const second = await service().import(actor, { new_name: 'Twice', data: once });
    const twice = await service().export(actor, second.story.id);
    expect(normalised(twice)).toEqual(normalised(once));
  });
});
