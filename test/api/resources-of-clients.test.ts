import { buildAccount, buildTeam } from '../support/builders.js';
import { places, useManageApi } from '../support/manage-api.js';
import { agent, smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);
const RESOURCES = '/api/v1/global_resources';

const editor = () => buildAccount(stores.db);

async function withResource(body: object) {
  const account = await editor();
  const made = await api.call(account.key, `POST ${RESOURCES}`, { name: 'List', ...body });
  return { ...account, made: made.body, path: `${RESOURCES}/${made.body.id}` };
}

async function teams() {
  const owner = await editor();
  const friend = await buildTeam(stores.db, { tenantId: owner.tenantId, name: 'Blue Team' });
  const third = await buildTeam(stores.db, { tenantId: owner.tenantId, name: 'Third' });
  const member = await buildAccount(stores.db, { team: friend });
  const outsider = await buildAccount(stores.db, { team: third });
  const stranger = await buildAccount(stores.db, { owner: true });
  const create = async (body: object) =>
    (await api.call(owner.key, `POST ${RESOURCES}`, { value: 'v', ...body })).body;
  return { owner, friend, third, member, outsider, stranger, create };
}

describe('values as public clients know them', () => {
  it.each<[unknown, string, string]>([
    ['text', 'text', 'text'],
    [true, 'true', 'boolean'],
    [12.5, '12.5', 'number'],
    [['one', 2], '["one",2]', 'array'],
    [{ b: 1, a: [] }, '{"b":1,"a":[]}', 'object'],
  ])('%j is shown as text, and as itself with typed_value', async (value, text, type) => {
    const { key, made, path } = await withResource({ value });
    expect(made).toMatchObject({ value: text, value_type: type });
    expect((await api.call(key, `GET ${path}`)).body.value).toBe(text);
    expect((await api.call(key, `GET ${path}?typed_value=True`)).body.value).toEqual(value);
    const list = await api.call(key, `GET ${RESOURCES}?typed_value=true`);
    expect(list.body.global_resources[0].value).toEqual(value);
  });

  it.each<[unknown, unknown]>([
    [{ a: 1 }, { a: 1 }],
    [[1], [1]],
    ['{}', {}],
    ['[1]', [1]],
    ['5', 5],
  ])('value_type json takes %j', async (value, typed) => {
    const { key, made, path } = await withResource({ value, value_type: 'json' });
    expect(made.id).toEqual(expect.any(Number));
    expect((await api.call(key, `GET ${path}?typed_value=true`)).body.value ?? 'none').toEqual(typed);
  });

  it('a response that is sent back changes nothing', async () => {
    const { key, made, path } = await withResource({ value: [1, { a: 2 }] });
    for (const method of ['PUT', 'PATCH']) {
      const { status, body } = await api.call(key, `${method} ${path}`, made);
      expect([status, body]).toEqual([200, { ...made, updated_at: body.updated_at }]);
    }
    const { value_type: _, ...untyped } = made;
    expect((await api.call(key, `PUT ${path}`, untyped)).body.value_type).toBe('array');
  });

  it('parameters come by query, null and empty ones are absent', async () => {
    const { key, path } = await withResource({ value: 'x' });
    const query = 'name=Renamed&value=y&is_test=&live_resource_id=';
    expect((await api.call(key, `PUT ${path}?${query}`)).body).toMatchObject({ name: 'Renamed', value: 'y' });
    const empty = { name: '', value: null, team_id: null, read_access: null, shared_team_slugs: null };
    expect((await api.call(key, `PUT ${path}`, empty)).body).toMatchObject({ name: 'Renamed', value: 'y' });
  });
});

describe('parts of a resource', () => {
  it('answer the bare value', async () => {
    const { key, made, path } = await withResource({ value: 'value' });
    const call = (request: string, body: object) => api.call(key, request, { resource_id: made.id, ...body });
    const text = await call(`PUT ${path}/append`, { value: 'foo' });
    expect([text.body, text.headers.get('content-type')]).toEqual([
      'valuefoo',
      expect.stringContaining('text/plain'),
    ]);
    expect(text.headers.get('x-content-type-options')).toBe('nosniff');
    await call(`PUT ${path}`, { value: { a: 'one', b: [1] } });
    expect((await call(`POST ${path}/append`, { value: { c: 2 } })).body).toEqual({ a: 'one', b: [1], c: 2 });
    expect((await call(`POST ${path}/replace`, { key: 'b', value: { x: 1 } })).body).toEqual({ x: 1 });
    expect((await call(`POST ${path}/remove`, { key: 'c' })).body).toBe(2);
    expect((await call(`POST ${path}/remove`, { key: 'a', index: null })).body).toBe('one');
    expect((await call(`POST ${path}/remove`, { key: 'none' })).body).toBeNull();
  });

  it.each([
    ['index', { index: 0 }],
    ['key', { key: 'a' }],
  ])('contract: a refusal names the %s that leads nowhere', async (name, place) => {
    const { key, path } = await withResource({ value: 'text' });
    const refused = await api.call(key, `POST ${path}/remove`, place);
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        errors: [
          {
            message: `"${name}" cannot be used: the resource is neither a list nor an object`,
            details: name,
          },
        ],
      },
    ]);
  });

  it('leave no id of a value in the audit log', async () => {
    const { key, team, path } = await withResource({ value: {} });
    const other = { id: 987_654_321, team_id: 987_654_321 };
    await api.call(key, `POST ${path}/append`, { value: other });
    const boss = await buildAccount(stores.db, { team, owner: true });
    const { audit_logs: entries } = (
      await api.call(boss.key, 'GET /api/v1/audit_logs?action=resource.append')
    ).body;
    expect(JSON.stringify(entries)).not.toContain('987654321');
  });

  it('if_value sets only what nobody has changed, also at the same time', async () => {
    const { key, path } = await withResource({ value: { n: 0, o: { b: 1, a: 2 } } });
    const set = (body: object) => api.call(key, `POST ${path}/replace`, body);
    expect((await set({ key: 'o', value: 1, if_value: { a: 2, b: 1 } })).status).toBe(200);
    const refused = await set({ key: 'o', value: 2, if_value: 7 });
    expect([refused.status, places(refused)]).toEqual([422, ['if_value']]);
    expect((await set({ key: 'new', value: 1, if_value: null })).status).toBe(200);
    expect((await set({ key: 'new', value: 1, if_value: null })).status).toBe(422);
    const tries = Array.from({ length: 12 }, (_, at) => set({ key: 'n', value: at + 1, if_value: 0 }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 422)).toHaveLength(11);
  });
});

describe('test values', () => {
  it('are set as Terraform and the documentation do', async () => {
    const { key, made, path } = await withResource({ value: [1], test_resource_enabled: true });
    expect(made).toMatchObject({ test_resource_enabled: true, test_resource: null });
    const body = { id: made.id, is_test: true, test_resource_enabled: true, value: [2] };
    const updated = (await api.call(key, `PUT ${path}`, body)).body;
    expect(updated).toMatchObject({ value: '[1]', test_resource: { value: '[2]' } });
    const again = { name: 'x', value: '[3]', value_type: 'json', live_resource_id: made.id };
    const response = await api.call(key, `POST ${RESOURCES}`, again);
    expect(response.body).toMatchObject({
      id: made.id,
      name: 'List',
      value: '[1]',
      test_resource: { value: '[3]' },
    });
    expect((await api.call(key, `POST ${path}/append`, { value: 4, is_test: true })).body).toEqual([3, 4]);
    expect((await api.call(key, `GET ${path}`)).body.value).toBe('[1]');
  });

  it('are not the live one: a client that forgets `is_test` is told so', async () => {
    const { key, made, path } = await withResource({ value: 'live' });
    const put = (body: object) => api.call(key, `PUT ${path}`, body);
    const wrong = { id: made.id, test_resource: true, test_resource_enabled: true, value: 'test' };
    for (const body of [wrong, { ...wrong, is_test: false }, { ...wrong, test_resource: 'true' }]) {
      const response = await put(body);
      expect([response.status, places(response)]).toEqual([422, ['test_resource']]);
    }
    const query = await api.call(key, `PUT ${path}?value=test&test_resource=true`);
    expect([query.status, places(query)]).toEqual([422, ['test_resource']]);
    expect((await api.call(key, `GET ${path}`)).body).toMatchObject({ value: 'live', test_resource: null });
    const enabled = await put({ id: made.id, test_resource: true, test_resource_enabled: true });
    expect(enabled.body).toMatchObject({ value: 'live', test_resource_enabled: true, test_resource: null });
    const tested = await put({ ...wrong, is_test: true });
    expect(tested.body).toMatchObject({ value: 'live', test_resource: { value: 'test' } });
    const back = (await put(tested.body)).body;
    expect(back).toMatchObject({ value: 'live', test_resource: { value: 'test' } });
  });

  it('are missing until they are set', async () => {
    const { key, path } = await withResource({ value: [1] });
    const response = await api.call(key, `POST ${path}/append`, { value: 4, is_test: true });
    expect([response.status, places(response)]).toEqual([422, ['is_test']]);
    const stranger = await editor();
    const body = { name: 'x', value: 1, live_resource_id: Number(path.split('/').at(-1)) };
    expect((await api.call(stranger.key, `POST ${RESOURCES}`, body)).status).toBe(404);
  });

  it('are what templates of drafts see, where they are enabled', async () => {
    const { team, key, path } = await withResource({ value: 'live' });
    await api.call(key, `PUT ${path}`, { is_test: true, value: 'test' });
    const values = async (isTest: boolean) =>
      (await api.fabula().inner.resourceValues(team.id, isTest)).map(({ value }) => value);
    expect([await values(false), await values(true)]).toEqual([['live'], ['test']]);
    await api.call(key, `PUT ${path}`, { test_resource_enabled: false });
    expect(await values(true)).toEqual(['live']);
  });
});

describe('resources of several teams', () => {
  it('are read by the teams that may use them, and changed by their own', async () => {
    const { member, outsider, stranger, create } = await teams();
    const mine = await create({ name: 'mine' });
    const all = await create({ name: 'all', read_access: 'GLOBAL' });
    const some = await create({
      name: 'some',
      read_access: 'SPECIFIC_TEAMS',
      shared_team_slugs: ['blue_team'],
    });
    expect(some.shared_team_slugs).toEqual(['blue_team']);
    const seen = async (key: string) => {
      const { global_resources: list } = (await api.call(key, `GET ${RESOURCES}`)).body;
      const got = await Promise.all(
        [mine, all, some].map(({ id }) => api.call(key, `GET ${RESOURCES}/${id}`)),
      );
      return [list.map(({ name }: { name: string }) => name), got.map(({ status }) => status)];
    };
    expect(await seen(member.key)).toEqual([
      ['all', 'some'],
      [404, 200, 200],
    ]);
    expect(await seen(outsider.key)).toEqual([['all'], [404, 200, 404]]);
    expect(await seen(stranger.key)).toEqual([[], [404, 404, 404]]);
    for (const request of ['PUT', 'DELETE'] as const) {
      const body = request === 'PUT' ? { value: 'theirs' } : undefined;
      expect((await api.call(member.key, `${request} ${RESOURCES}/${all.id}`, body)).status).toBe(403);
      expect((await api.call(outsider.key, `${request} ${RESOURCES}/${some.id}`, body)).status).toBe(404);
    }
    expect((await api.call(member.key, `POST ${RESOURCES}/${all.id}/append`, { value: 1 })).status).toBe(403);
  });

  it('are values of templates of these teams, and never take the place of an own one', async () => {
    const { owner, friend, third, member, stranger, create } = await teams();
    await create({ name: 'All', value: 1, read_access: 'GLOBAL' });
    await create({ name: 'some', value: 2, read_access: 'SPECIFIC_TEAMS', shared_team_slugs: ['blue_team'] });
    await create({ name: 'taken', value: 'foreign', read_access: 'GLOBAL' });
    await api.call(member.key, `POST ${RESOURCES}`, { name: 'Taken!', value: 'own' });
    const load = (teamId: number) => api.fabula().inner.resourcesSeenBy(teamId);
    expect(await load(friend.id)).toEqual({ All: 1, all: 1, some: 2, taken: 'own', 'Taken!': 'own' });
    expect(await load(third.id)).toEqual({ All: 1, all: 1, taken: 'foreign' });
    expect(Object.keys(await load(owner.team.id))).toHaveLength(4);
    expect(await load(stranger.team.id)).toEqual({});
  });

  it('lose their shares with another access, and with themselves', async () => {
    const { owner, member, create } = await teams();
    const body = { name: 'some', read_access: 'SPECIFIC_TEAMS', shared_team_slugs: ['blue_team'] };
    const { id } = await create(body);
    const path = `${RESOURCES}/${id}`;
    const described = (await api.call(owner.key, `PUT ${path}`, { description: 'x' })).body;
    expect(described.shared_team_slugs).toEqual(['blue_team']);
    const team = (await api.call(owner.key, `PUT ${path}`, { read_access: 'TEAM' })).body;
    expect(team).toMatchObject({ read_access: 'TEAM', shared_team_slugs: [] });
    expect((await api.call(member.key, `GET ${path}`)).status).toBe(404);
    expect((await api.call(owner.key, `DELETE ${path}`)).status).toBe(204);
  });
});

describe('actions that name a resource', () => {
  it('are found in every form of a name, and resources that none names', async () => {
    const { key, team, made } = await withResource({ name: 'In Use', value: 'x' });
    const unused = (await api.call(key, `POST ${RESOURCES}`, { name: 'in use not', value: 'x' })).body;
    const texts = [
      '<<RESOURCE.in_use>>',
      '{{ .RESOURCE.in_use | upcase }}',
      '{% global_resource In Use %}',
      '<<RESOURCE["In Use"]>>',
      'in_use',
    ];
    const agents = texts.map((text, at) =>
      agent('Agents::EventTransformationAgent', `${at}`, { mode: 'message_only', payload: { text } }),
    );
    const data = smallExport({ agents, links: [] });
    const story = (
      await api.call(key, 'POST /api/v1/stories/import', { new_name: 'S', team_id: team.id, data })
    ).body;
    const ids = (await api.call(key, `GET /api/v1/stories/${story.id}/agents`)).body.agents.map(
      (each: { id: number }) => each.id,
    );
    const query = 'include_referencing_action_ids=true';
    const got = (await api.call(key, `GET ${RESOURCES}/${made.id}?${query}`)).body;
    expect(got.referencing_action_ids).toEqual(ids.slice(0, 4));
    expect((await api.call(key, `GET ${RESOURCES}/${made.id}`)).body).not.toHaveProperty(
      'referencing_action_ids',
    );
    const list = (await api.call(key, `GET ${RESOURCES}?filter=UNUSED_IN_ACTIONS&${query}`)).body;
    expect(list.global_resources).toEqual([{ ...unused, referencing_action_ids: [] }]);
    const inFolder = await api.call(key, `GET ${RESOURCES}?folder_id=1`);
    expect(inFolder.body.global_resources).toEqual([]);
  });
});
