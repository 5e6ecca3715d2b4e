import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { buildAccount } from '../../support/builders.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

const message = (payload: JsonValue): ShortAgent => [
  'EventTransformation',
  { mode: 'message_only', payload },
];
const isHigh = { rules: [{ type: 'regex', path: '=hook.body.level', value: 'high' }] };

const alerts = (more: JsonObject = {}) =>
  storyOf(
    {
      Hook: ['Webhook', {}],
      High: ['Trigger', isHigh],
      Page: message({ to: '=hook.body.who' }),
      Note: message({ noted: true }),
    },
    ['Hook > High > Page', 'High ! Note'],
    { name: 'Alerts', ...more },
  );

const pages = {
  name: 'High pages',
  action: 'Hook',
  body: { level: 'high', who: 'Ada' },
  answers: [{ action: 'Page', url: 'https://x.test/*', answer: 1 }],
  expect: { events: { Page: [{ to: 'Ada' }] } },
};
const notes = {
  name: 'Low notes',
  body: { level: 'low' },
  expect: { events: { Page: [], Note: [{ noted: true }] } },
};

async function withStory(data: JsonObject = alerts()) {
  const account = await buildAccount(stores.db, {});
  const ask = (request: string, body?: object) => api.call(account.key, request, body);
  const imported = await ask('POST /api/v1/stories/import', {
    new_name: 'Alerts',
    team_id: account.team.id,
    data,
  });
  const id = imported.body.id as number;
  const of = (rest: string) => `/api/v1/stories/${id}${rest}`;
  const names = async (query = ''): Promise<string[]> =>
    (await ask(`GET ${of(`/tests${query}`)}`)).body.tests.map(({ name }: Parsed) => name);
  const version = async (): Promise<number> => (await ask(`GET ${of('/graph')}`)).body.version;
  return { account, ask, id, of, names, version };
}

describe('stories as software: tests of a stored story', () => {
  it('are part of its import, its export and its versions, as they were written', async () => {
    const { ask, of, names } = await withStory(alerts({ fabula_tests: [pages] }));
    expect((await ask(`GET ${of('/tests')}`)).body).toEqual({ tests: [pages] });
    const saved = await ask(`PUT ${of('/tests')}`, { test: notes });
    expect([saved.status, saved.body]).toEqual([200, { test: notes, added: true }]);
    expect((await ask(`GET ${of('/export')}`)).body.fabula_tests).toEqual([pages, notes]);
    expect((await ask(`DELETE ${of('/tests?name=High%20pages')}`)).status).toBe(204);
    expect(await names()).toEqual(['Low notes']);
    expect((await ask(`DELETE ${of('/tests?name=High%20pages')}`)).status).toBe(404);
    await ask(`DELETE ${of('/tests?name=Low%20notes')}`);
    expect((await ask(`GET ${of('/export')}`)).body).not.toHaveProperty('fabula_tests');
    const { body: listed } = await ask(`GET ${of('/versions')}`);
    const [, before] = listed.story_versions;
    const { body: diff } = await ask(`GET ${of(`/versions/${before.id}/diff`)}`);
    expect(diff.story_diff).toContainEqual(
      expect.objectContaining({ kind: 'test', change: 'removed', path: '["High pages"]' }),
    );
  });

  it('come back with a restored version of the story', async () => {
    const { ask, of, names } = await withStory(alerts({ fabula_tests: [pages] }));
    await ask(`PUT ${of('/tests')}`, { test: notes });
    await ask(`POST ${of('/versions')}`, { name: 'With tests' });
    const before = (await ask(`GET ${of('/tests')}`)).body;
    await ask(`DELETE ${of('/tests?name=High%20pages')}`);
    await ask(`PUT ${of('/tests')}`, { test: { ...notes, expect: {} }, replaces: 'Low notes' });
    await ask(`PUT ${of('/tests')}`, { test: { name: 'Later', expect: {} } });
    expect(await names()).toEqual(['Low notes', 'Later']);
    const { body: listed } = await ask(`GET ${of('/versions')}`);
    const kept = listed.story_versions.find(({ name }: Parsed) => name === 'With tests');
    expect((await ask(`POST ${of(`/versions/${kept.id}/restore`)}`)).status).toBe(200);
    expect((await ask(`GET ${of('/tests')}`)).body).toEqual(before);
    expect((await ask(`POST ${of('/tests/run')}`, {})).body.results).toMatchObject([
      { name: 'High pages' },
      { name: 'Low notes', ok: true },
    ]);
  });

  it('replace one another by name, and refuse the name of another', async () => {
    const { ask, of, names } = await withStory(alerts({ fabula_tests: [pages, notes] }));
    const renamed = { ...pages, name: 'Paged' };
    const put = (body: object) => ask(`PUT ${of('/tests')}`, body);
    expect((await put({ test: renamed, replaces: 'High pages' })).body.added).toBe(false);
    expect(await names()).toEqual(['Paged', 'Low notes']);
    expect(await put({ test: renamed, replaces: 'Low notes' })).toMatchObject({
      status: 422,
      body: { errors: [{ details: 'test.name' }] },
    });
    expect(await put({ test: renamed, replaces: 'Nobody' })).toMatchObject({
      status: 422,
      body: { errors: [{ details: 'replaces' }] },
    });
    const faulty = { name: 'x', expect: { events: { A: [{ b: { $pattern: '(' } }] } }, nobody: 1 };
    const refused = await put({ test: faulty });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.map(({ details }: Parsed) => details)).toEqual([
      'test.expect.events.A[0]',
      'test.nobody',
    ]);
  });

  it('wait for their version, and obey a lock and change control', async () => {
    const { account, ask, of, version } = await withStory();
    const put = async (tag: string) =>
      fetch(`${api.fabula().url}${of('/tests')}`, {
        method: 'PUT',
        headers: { 'x-user-token': account.key, 'content-type': 'application/json', 'if-match': tag },
        body: JSON.stringify({ test: pages }),
      });
    const now = await version();
    expect((await put(`"${now - 1}"`)).status).toBe(412);
    const done = await put(`"${now}"`);
    expect([done.status, done.headers.get('etag')]).toEqual([200, `"${now + 1}"`]);
    await ask(`PUT ${of('')}`, { locked: true });
    expect((await ask(`PUT ${of('/tests')}`, { test: notes })).status).toBe(409);
    expect((await ask(`DELETE ${of('/tests?name=High%20pages')}`)).status).toBe(409);
    await ask(`PUT ${of('')}`, { locked: false, change_control_enabled: true });
    expect((await ask(`PUT ${of('/tests')}`, { test: notes })).status).toBe(409);
  });

  it('are copied into a draft, changed there, and merged with others when it is published', async () => {
    const { ask, of, names } = await withStory(alerts({ fabula_tests: [pages] }));
    const { body: draft } = await ask(`POST ${of('/drafts')}`, { name: 'D' });
    const inDraft = `?draft_id=${draft.id}`;
    expect(await names(inDraft)).toEqual(['High pages']);
    await ask(`PUT ${of(`/tests${inDraft}`)}`, { test: notes });
    expect(await names()).toEqual(['High pages']);
    await ask(`PUT ${of('/tests')}`, { test: { ...notes, name: 'Mine' } });
    const published = await ask(`POST ${of(`/drafts/${draft.id}/publish`)}`, {});
    expect([published.status, published.body.errors]).toEqual([200, undefined]);
    expect((await names()).toSorted()).toEqual(['High pages', 'Low notes', 'Mine']);
  });

  it('follow an action that gets another name, by itself or in the editor', async () => {
    const { ask, of, id } = await withStory(alerts({ fabula_tests: [pages, notes] }));
    const { body: listed } = await ask(`GET /api/v1/agents?story_id=${id}`);
    const page = listed.agents.find(({ name }: Parsed) => name === 'Page');
    await ask(`PUT /api/v1/agents/${page.id}`, { name: 'Call' });
    const graph = (await ask(`GET ${of('/graph')}`)).body;
    const agents = graph.agents.map((agent: Parsed) =>
      agent.name === 'Hook' ? { ...agent, name: 'Receive' } : agent,
    );
    expect(
      (await ask(`PUT ${of('/graph')}`, { agents, links: graph.links, notes: graph.notes })).status,
    ).toBe(200);
    expect((await ask(`GET ${of('/tests')}`)).body.tests).toEqual([
      {
        ...pages,
        action: 'Receive',
        answers: [{ ...pages.answers[0], action: 'Call' }],
        expect: { events: { Call: [{ to: 'Ada' }] } },
      },
      { ...notes, expect: { events: { Call: [], Note: [{ noted: true }] } } },
    ]);
  });
});

describe('stories as software: a run of tests', () => {
  it('names what differs, and what no test reaches', async () => {
    const { ask, of } = await withStory(alerts({ fabula_tests: [pages, notes] }));
    const run = (body: object = {}) => ask(`POST ${of('/tests/run')}`, body);
    const { status, body } = await run();
    expect([status, body.ok, body.results.map(({ problems }: Parsed) => problems)]).toEqual([
      200,
      true,
      [[], []],
    ]);
    expect(body.coverage).toMatchObject({ covered: 9, all: 9 });
    const wrong = { ...pages, expect: { events: { Page: [{ to: 'Bob' }], Nobody: [] } } };
    const unsaved = await run({ tests: [wrong, notes], names: ['High pages'] });
    expect(unsaved.body).toMatchObject({
      ok: false,
      results: [
        {
          name: 'High pages',
          ok: false,
          differences: [
            {
              kind: 'events',
              action: 'Page',
              index: 0,
              path: 'to',
              expected: 'Bob',
              found: 'Ada',
              text: 'Page, event 1, to: expected "Bob", found "Ada"',
            },
          ],
          problems: ['"Alerts" has no action "Nobody"'],
        },
      ],
    });
    const { rules } = unsaved.body.coverage;
    expect(rules).toMatchObject([{ action: { name: 'High' }, rule: 0, holds: true, fails: false }]);
  });

  it('refuses names and tests that it cannot run', async () => {
    const { ask, of } = await withStory(alerts({ fabula_tests: [pages] }));
    const run = (body: object) => ask(`POST ${of('/tests/run')}`, body);
    expect(await run({ names: ['High pages', 'None'] })).toMatchObject({
      status: 422,
      body: { errors: [{ details: 'names[1]' }] },
    });
    expect(await run({ tests: [{ name: 'x' }] })).toMatchObject({
      status: 422,
      body: { errors: [{ details: 'tests[0].expect' }] },
    });
  });

  it('runs the draft, and the stories that the story calls', async () => {
    const inner = storyOf(
      { Start: ['Webhook', {}], Double: message({ twice: '=start.body.n * 2' }) },
      ['Start > Double'],
      {
        name: 'Inner',
        guid: 'e'.repeat(32),
        send_to_story_enabled: true,
        entry_agent_guid: 'Start',
        exit_agent_guids: ['Double'],
      },
    );
    const outer = storyOf(
      {
        Hook: ['Webhook', {}],
        Ask: ['SendToStory', { story: '=STORY.inner', payload: { n: '=hook.body.n' } }],
      },
      ['Hook > Ask'],
      { name: 'Outer' },
    );
    const { account, ask, of } = await withStory(outer);
    await ask('POST /api/v1/stories/import', { new_name: 'Inner', team_id: account.team.id, data: inner });
    const test = { name: 'Doubles', body: { n: 4 }, expect: { events: { Ask: [{ twice: 8 }] } } };
    const { body: draft } = await ask(`POST ${of('/drafts')}`, { name: 'D' });
    await ask(`PUT ${of(`/tests?draft_id=${draft.id}`)}`, { test });
    const { body } = await ask(`POST ${of('/tests/run')}`, { draft_id: draft.id });
    expect(body.results).toMatchObject([{ ok: true, differences: [], problems: [] }]);
    expect((await ask(`POST ${of('/tests/run')}`, {})).body.results).toEqual([]);
  });
});
