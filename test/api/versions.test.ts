import { buildAccount } from '../support/builders.js';
import { useManageApi, type Parsed } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { agent, guidOf, realExports, smallExport } from '../support/stories.js';
import { HIDDEN } from '../../src/platform/secrets/hidden-secrets.js';

const stores = useStores();
const api = useManageApi(stores);

async function withStory(data: object = smallExport()) {
  const account = await buildAccount(stores.db);
  const ask = async (request: string, body?: unknown) => {
    const response = await api.call(account.key, request, body);
    if (response.status >= 300)
      throw new Error(`${request}: ${response.status} ${JSON.stringify(response.body).slice(0, 2000)}`);
    return response.body;
  };
  const place = { team_id: account.team.id, data };
  const story = await ask('POST /api/v1/stories/import', { new_name: 'Triage', ...place });
  const path = `/api/v1/stories/${story.id}`;
  const agents = async (): Promise<Parsed[]> => (await ask(`GET ${path}/agents`)).agents;
  const versions = async (): Promise<Parsed[]> => (await ask(`GET ${path}/versions`)).story_versions;
  const replace = (data: object) =>
    ask('POST /api/v1/stories/import', { ...place, new_name: 'Triage', data, mode: 'versionReplace' });
  /** Makes the earlier edits as old as if they had been made long ago. */
  const letTimePass = () =>
    stores.sql('UPDATE story_versions SET created_at = created_at - INTERVAL 2 MINUTE WHERE story_id = ?', [
      story.id,
    ]);
  return { account, key: account.key, ask, story, path, agents, versions, replace, letTimePass };
}

/** Returns an export without its time. */
const timeless = ({ exported_at: _at, ...rest }: Parsed) => rest;

it('A23 clients: versions of a draft are listed by the story and the draft', async () => {
  const { ask, path, versions } = await withStory();
  const draft = await ask(`POST ${path}/drafts`, { name: 'Try' });
  await ask(`POST ${path}/versions`, { name: 'Of the draft', draft_id: draft.id });
  const { story_versions: listed } = await ask(`GET ${path}/versions?draft_id=${draft.id}`);
  expect(listed[0].name).toBe('Of the draft');
  expect((await versions()).map(({ name }) => name)).not.toContain('Of the draft');
  expect(await ask(`GET ${path}/versions?draft_id=`)).toMatchObject({ story_versions: await versions() });
});

describe('a version', () => {
  it('is kept of an import, key by key, and holds what the export was', async () => {
    const { ask, path, story, account, versions } = await withStory();
    const exported = await ask(`GET ${path}/export`);
    const [version, ...others] = await versions();
    expect(others).toEqual([]);
    expect(version).toMatchObject({ story_id: story.id, number: 1, name: null, source: 'import' });
    expect(version.user).toMatchObject({ id: account.user.id, email: account.user.email });
    const whole = (await ask(`GET ${path}/versions/${version.id}`)).story_version;
    expect(whole).toMatchObject(version);
    expect(timeless(whole.export_file)).toEqual(timeless(exported));
    expect(Object.keys(whole.export_file)).toEqual(Object.keys(exported));
  });

  it('is kept of every change, and edits of one user within a minute are one', async () => {
    const { ask, path, versions, letTimePass, agents, account } = await withStory();
    const [first] = await agents();
    await ask(`PUT ${path}`, { description: 'One' });
    await ask(`PUT /api/v1/actions/${first.id}`, { name: 'Two' });
    expect((await versions()).map(({ number, source }) => [number, source])).toEqual([
      [2, 'edit'],
      [1, 'import'],
    ]);
    await letTimePass();
    await ask(`PUT ${path}`, { description: 'Three' });
    const other = await buildAccount(stores.db, { team: account.team });
    await api.call(other.key, `PUT ${path}`, { description: 'Four' });
    const listed = await versions();
    expect(listed.map(({ number, user }) => [number, user.id])).toEqual([
      [4, other.user.id],
      [3, account.user.id],
      [2, account.user.id],
      [1, account.user.id],
    ]);
    const { export_file: second } = (await ask(`GET ${path}/versions/${listed[2].id}`)).story_version;
    expect([second.description, second.agents[0].name]).toEqual(['One', 'Two']);
  });

  it('is not kept of a change that changes nothing', async () => {
    const { ask, path, versions } = await withStory();
    await ask(`PUT ${path}`, { description: '' });
    await ask(`PUT ${path}`, {});
    expect((await versions()).length).toBeLessThanOrEqual(2);
    const before = await versions();
    await ask(`PUT ${path}`, {});
    expect(await versions()).toEqual(before);
  });

  it('is named, without a second one, and kept apart from later edits', async () => {
    const { ask, path, versions } = await withStory();
    const { story_version: named } = await ask(`POST ${path}/versions`, { name: 'Good', description: 'D' });
    expect(named).toMatchObject({ number: 1, name: 'Good', description: 'D' });
    await ask(`PUT ${path}`, { description: 'later' });
    await ask(`POST ${path}/versions`, { name: 'Better' });
    await ask(`PUT ${path}`, { description: 'latest' });
    expect((await versions()).map(({ name }) => name)).toEqual([null, 'Better', 'Good']);
    for (const method of ['PUT', 'PATCH', 'POST']) {
      const name = `${method} of it`;
      const { story_version } = await ask(`${method} ${path}/versions/${named.id}`, { name });
      expect([story_version.name, story_version.description]).toEqual([name, 'D']);
    }
    const unnamed = await ask(`PUT ${path}/versions/${named.id}`, { name: '', description: null });
    expect(unnamed.story_version).toMatchObject({ name: null, description: null });
  });

  it('is deleted, also the newest, and the next change keeps the state before it', async () => {
    const { ask, path, versions, letTimePass } = await withStory();
    await ask(`PUT ${path}`, { description: 'kept' });
    await letTimePass();
    const [newest] = await versions();
    await ask(`DELETE ${path}/versions/${newest.id}`);
    await ask(`PUT ${path}`, { description: 'next' });
    const listed = await versions();
    expect(listed.map(({ source }) => source)).toEqual(['edit', 'before', 'import']);
    const before = (await ask(`GET ${path}/versions/${listed[1].id}`)).story_version;
    expect(before.export_file.description).toBe('kept');
  });

  it('is kept of the state before the first change of a story that is older than versions', async () => {
    const { ask, path, versions, story } = await withStory();
    await stores.sql('DELETE FROM story_versions WHERE story_id = ?', [story.id]);
    await stores.sql('UPDATE stories SET updated_at = NOW(3) - INTERVAL 1 DAY WHERE id = ?', [story.id]);
    await ask(`PUT ${path}`, { description: 'changed' });
    const listed = await versions();
    expect(listed.map(({ number, source }) => [number, source])).toEqual([
      [2, 'edit'],
      [1, 'before'],
    ]);
    expect(Date.parse(listed[1].created_at)).toBeLessThan(Date.now() - 3_600_000);
  });

  it('goes with its story', async () => {
    const { ask, path } = await withStory();
    await ask(`DELETE ${path}`);
    const [left] = await stores.db.read((session) =>
      session.rows<{ n: number }>(
        'SELECT (SELECT COUNT(*) FROM story_versions) + (SELECT COUNT(*) FROM story_version_parts) AS n',
      ),
    );
    expect(left!.n).toBe(0);
  });

  it('shows a VIEWER no secrets, and is no version of another story', async () => {
    const { account, ask, path, versions } = await withStory();
    const viewer = await buildAccount(stores.db, { team: account.team, role: 'VIEWER' });
    const [version] = await versions();
    const { body } = await api.call(viewer.key, `GET ${path}/versions/${version.id}`);
    expect(body.story_version.export_file.agents[0].options.secret).toBe(HIDDEN);
    expect(JSON.stringify(body)).not.toContain('open sesame');
    await ask(`PUT ${path}`, { description: 'x' });
    const [, first] = await ask(`GET ${path}/agents`).then(({ agents }) => agents);
    await ask(`PUT /api/v1/agents/${first.id}`, {
      options: { mode: 'message_only', payload: 'open sesame' },
    });
    const diff = await api.call(viewer.key, `GET ${path}/versions/${version.id}/diff`);
    expect(diff.body.count).toBeGreaterThan(0);
    expect(JSON.stringify(diff.body)).not.toContain('open sesame');
    const other = await ask('POST /api/v1/stories/import', {
      new_name: 'Other',
      team_id: account.team.id,
      data: smallExport(),
    });
    const astray = `/api/v1/stories/${other.id}/versions/${version.id}`;
    for (const request of [
      `GET ${astray}`,
      `DELETE ${astray}`,
      `GET ${astray}/diff`,
      `POST ${astray}/restore`,
    ])
      expect((await api.call(account.key, request)).status).toBe(404);
  });

  it.each([
    ['a long name', { name: 'x'.repeat(256) }, 'name'],
    ['a long description', { description: 'x'.repeat(65_536) }, 'description'],
    ['an unknown key', { naem: 'x' }, 'naem'],
  ])('refuses %s', async (_what, body, place) => {
    const { key, path } = await withStory();
    const { status, body: response } = await api.call(key, `POST ${path}/versions`, body);
    expect([status, response.errors[0].details]).toEqual([422, place]);
  });
});

describe('the difference of two versions', () => {
  it('names actions, options, links, notes and settings', async () => {
    const { ask, path, versions, replace } = await withStory(
      smallExport({ diagram_notes: [{ guid: 'n1', content: 'old', position: [1, 2] }] }),
    );
    const data = smallExport({ diagram_notes: [{ guid: 'n1', content: 'new', position: [1, 2] }] });
    const [hook, transformation] = data.agents as Parsed[];
    await replace({
      ...data,
      description: 'Changed',
      agents: [
        hook,
        { ...transformation, disabled: true, options: { ...transformation.options, mode: 'extract' } },
        agent('Agents::TriggerAgent', '4', { rules: [] }),
      ],
      diagram_layout: JSON.stringify({ [guidOf('1')]: [15, 0], [guidOf('2')]: [0, 75] }),
      exit_agent_guids: [guidOf('2')],
    });
    const [, first] = await versions();
    const { story_diff: differences, complete } = await ask(
      `GET ${path}/versions/${first.id}/diff?with=live`,
    );
    expect(complete).toBe(true);
    const short = differences.map((each: Parsed) => [each.kind, each.change, each.action, each.path]);
    expect(short).toEqual([
      ['action', 'changed', 'Webhook 1', 'position'],
      ['action', 'changed', 'EventTransformation 2', 'disabled'],
      ['option', 'changed', 'EventTransformation 2', 'options.mode'],
      ['action', 'added', 'Trigger 4', null],
      ['action', 'removed', 'Trigger 3', null],
      ['link', 'added', null, null],
      ['link', 'removed', null, null],
      ['note', 'changed', null, 'content'],
      ['setting', 'changed', null, 'description'],
      ['setting', 'removed', null, 'exit_agent_guids[1]'],
    ]);
    expect(differences[2]).toMatchObject({ before: 'message_only', after: 'extract' });
    expect(differences[5].after).toMatchObject({ source: 'EventTransformation 2', receiver: 'Trigger 4' });
    expect(differences[8]).toMatchObject({ before: null, after: 'Changed' });
    const [newest] = await versions();
    const back = await ask(`GET ${path}/versions/${newest.id}/diff?with=${first.id}`);
    expect(back.count).toBe(differences.length);
    expect((await ask(`GET ${path}/versions/${newest.id}/diff`)).story_diff).toEqual([]);
  });

  const files = realExports();
  (files.length > 0 ? it : it.skip)(
    'is what was changed in a real export, compared in a thread (skipped where they are missing)',
    async () => {
      const [file, text] = files.toSorted((a, b) => b[1].length - a[1].length)[0]!;
      const data = JSON.parse(text);
      const { ask, path, versions, agents } = await withStory(data);
      const all = await agents();
      const changed = all.find(({ type }) => type === 'Agents::EventTransformationAgent') ?? all.at(-1);
      await ask(`PUT /api/v1/actions/${changed.id}`, { options: { ...changed.options, 'new.key': [1] } });
      const [, first] = await versions();
      const { story_diff, count } = await ask(`GET ${path}/versions/${first.id}/diff`);
      expect([file, count, story_diff]).toEqual([
        file,
        1,
        [
          {
            kind: 'option',
            change: 'added',
            action: changed.name,
            guid: changed.guid,
            path: 'options["new.key"]',
            before: null,
            after: [1],
          },
        ],
      ]);
    },
  );
});

describe('a restored version', () => {
  it('is the story again; what continues keeps id and address, what was deleted its guid', async () => {
    const { ask, path, versions, agents, replace } = await withStory();
    const before = await agents();
    const exported = await ask(`GET ${path}/export`);
    const data = smallExport();
    await replace({ ...data, agents: data.agents.slice(0, 2), links: data.links.slice(0, 1) });
    await ask(`PUT ${path}`, { name: 'Renamed', disabled: true });
    expect(await agents()).toHaveLength(2);
    const oldest = (await versions()).at(-1);
    const response = await ask(`POST ${path}/versions/${oldest.id}/restore`);
    expect(response.story_version).toMatchObject({ source: 'restore' });
    expect(response).not.toHaveProperty('warnings');
    const after = await agents();
    expect(after.map(({ guid }) => guid)).toEqual(before.map(({ guid }) => guid));
    expect(after.slice(0, 2).map(({ id }) => id)).toEqual(before.slice(0, 2).map(({ id }) => id));
    expect(after[0].options).toEqual(before[0].options);
    const whole = timeless(await ask(`GET ${path}/export`));
    expect(whole).toEqual({ ...timeless(exported), name: 'Renamed', disabled: true });
    // A later import of the first export still continues every action.
    await ask(`PUT ${path}`, { name: 'Triage' });
    await replace(data);
    expect((await agents()).map(({ id }) => id)).toEqual(after.map(({ id }) => id));
  });

  it('is refused while the story is locked or under change control', async () => {
    const { key, path, versions, story } = await withStory();
    const [version] = await versions();
    for (const column of ['locked', 'change_control_enabled']) {
      await stores.sql(`UPDATE stories SET ${column} = TRUE WHERE id = ?`, [story.id]);
      expect((await api.call(key, `POST ${path}/versions/${version.id}/restore`)).status).toBe(409);
      await stores.sql(`UPDATE stories SET ${column} = FALSE WHERE id = ?`, [story.id]);
    }
  });
});

it('a version of the live story is compared with a draft, whose actions have the guids of the live ones', async () => {
  const { account, ask, path, versions, agents, letTimePass } = await withStory();
  const [first] = await versions();
  await letTimePass();
  const draft = await ask(`POST ${path}/drafts`, { name: 'Try' });
  const [live] = await agents();
  const [own] = (await ask(`GET /api/v1/agents?draft_id=${draft.id}&story_id=${live!.story_id}`)).agents;
  expect(own.guid).not.toBe(live!.guid);
  await ask(`PUT /api/v1/actions/${own.id}`, { name: 'Renamed in the draft' });
  const found = await ask(`GET ${path}/versions/${first!.id}/diff?draft_id=${draft.id}`);
  expect(found.story_diff).toEqual([
    expect.objectContaining({
      guid: live!.guid,
      path: 'name',
      before: live!.name,
      after: 'Renamed in the draft',
    }),
  ]);
  expect(found.draft_export.agents[0]).toMatchObject({ guid: live!.guid, name: 'Renamed in the draft' });
  expect(await ask(`GET ${path}/versions/${first!.id}/diff`)).toEqual({
    story_diff: [],
    count: 0,
    complete: true,
  });
  const both = await api.call(
    account.key,
    `GET ${path}/versions/${first!.id}/diff?draft_id=${draft.id}&with=live`,
  );
  expect(both.status).toBe(422);
  const other = await withStory();
  const foreign = await other.ask(`POST ${other.path}/drafts`, { name: 'Other' });
  const missing = await api.call(
    account.key,
    `GET ${path}/versions/${first!.id}/diff?draft_id=${foreign.id}`,
  );
  expect(missing.status).toBe(404);
});
