import { noteAttachedRecord } from '../../src/data/cases/links/attached-records.js';
import { createRecordServices } from '../../src/data/records/record-services.js';
import { type Account, buildAccount, buildMembership } from '../support/builders.js';
import { buildPeople, CASES, PUBLIC_URL, useCaseApi } from '../support/case-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useCaseApi(stores);

const places = (errors: { details?: string }[]) => errors.map(({ details }) => details);
const pageOf = (path: string, count: number) => ({
  current_page: `${PUBLIC_URL}${path}?page=1`,
  previous_page: null,
  next_page: null,
  next_page_number: null,
  per_page: 20,
  pages: 1,
  count,
});

async function caseOf(account: Account, overrides: object = {}) {
  const { case_id: id } = await api.make(account, overrides);
  return { id: id as number, path: `${CASES}/${id}` };
}

/** A record of the team; story name and one text field. */
async function recordIn(
  teamId: number,
  tenantId: number,
  text = 'v',
): Promise<{ id: number; typeId: number }> {
  return stores.db.transaction(async (session) => {
    const type = await session.run('INSERT INTO record_types (tenant_id, team_id, name) VALUES (?, ?, ?)', [
      tenantId,
      teamId,
      `Type ${Math.random()}`,
    ]);
    const field = await session.run(
      "INSERT INTO record_fields (record_type_id, name, result_type, fixed_values) VALUES (?, 'Sender', 'TEXT', '[]')",
      [type.insertId],
    );
    const data = JSON.stringify({ [field.insertId]: text });
    const record = await session.run('INSERT INTO records (record_type_id, team_id, data) VALUES (?, ?, ?)', [
      type.insertId,
      teamId,
      data,
    ]);
    return { id: record.insertId, typeId: type.insertId };
  });
}

/** Statuses of a call by nobody, a reader, somebody of another team, and of another tenant. */
async function statuses(
  owner: Awaited<ReturnType<typeof buildPeople>>,
  method: string,
  path: string,
  body?: object,
) {
  const responses = [];
  for (const caller of [undefined, owner.viewer, owner.neighbour, owner.stranger]) {
    responses.push((await api.call(caller, method, path, body)).status);
  }
  return responses;
}

describe('comments', () => {
  it('are made, listed, changed and deleted; what remains is that there was one', async () => {
    const { editor, colleague } = await buildPeople(stores);
    const { id, path } = await caseOf(editor);
    const first = await api.call(editor, 'POST', `${path}/comments`, { value: 'One' });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.any(Number),
      activity_type: 'COMMENTED',
      value: 'One',
      user: expect.objectContaining({ user_id: String(editor.user.id) }),
      created_at: expect.any(String),
    });
    const body = { value: 'Two', author_email: colleague.user.email };
    const second = await api.call(editor, 'POST', `${path}/comments`, body);
    expect(second.body.user.user_id).toBe(String(colleague.user.id));
    const list = await api.get(editor, `${path}/comments?page=1`);
    expect(list.body).toEqual({ comments: [first.body, second.body], meta: pageOf(`${path}/comments`, 2) });
    const one = `${path}/comments/${first.body.id}`;
    expect((await api.call(editor, 'PUT', one, { value: 'Uno' })).body).toEqual({
      ...first.body,
      value: 'Uno',
    });
    expect((await api.call(editor, 'PATCH', one, { value: 'Eins' })).body.value).toBe('Eins');
    expect((await api.get(editor, one)).body.value).toBe('Eins');
    expect((await api.call(editor, 'DELETE', one)).status).toBe(204);
    expect((await api.get(editor, one)).status).toBe(404);
    expect(await api.activities(editor, id)).toEqual([
      `CREATED: ${id}`,
      'COMMENTED: Two',
      `DELETED_COMMENT: ${first.body.id}`,
    ]);
  });

  it('are refused when empty, too long, or of an unknown author', async () => {
    const account = await buildAccount(stores.db);
    const { path } = await caseOf(account);
    for (const [body, place] of [
      [{}, 'value'],
      [{ value: '' }, 'value'],
      [{ value: 'x'.repeat(65_536) }, 'value'],
      [{ value: 'x', author_email: 'no@body.test' }, 'author_email'],
      [{ value: 'x', text: 'y' }, 'text'],
    ] as const) {
      const response = await api.call(account, 'POST', `${path}/comments`, body);
      expect([response.status, places(response.errors)]).toEqual([422, [place]]);
    }
    expect((await api.call(account, 'POST', `${path}/comments`, { value: 'x'.repeat(65_535) })).status).toBe(
      201,
    );
  });

  it('are those of the case only: other activities are none', async () => {
    const account = await buildAccount(stores.db);
    const [one, other] = [await caseOf(account), await caseOf(account)];
    const { body } = await api.call(account, 'POST', `${one.path}/comments`, { value: 'x' });
    const [created] = (await api.get(account, `${one.path}/activities`)).body.activities;
    for (const path of [`${other.path}/comments/${body.id}`, `${one.path}/comments/${created.id}`]) {
      expect((await api.get(account, path)).status).toBe(404);
      expect((await api.call(account, 'PUT', path, { value: 'y' })).status).toBe(404);
      expect((await api.call(account, 'DELETE', path)).status).toBe(404);
    }
  });
});

describe('metadata', () => {
  it('is read, added to, set and deleted by key', async () => {
    const account = await buildAccount(stores.db);
    const { id, path } = await caseOf(account, { metadata: { a: 1 } });
    const metadata = `${path}/metadata`;
    expect((await api.get(account, metadata)).body).toEqual({ metadata: { a: 1 } });
    const added = await api.call(account, 'POST', metadata, { metadata: { b: [2], c: null } });
    expect([added.status, added.body]).toEqual([201, { metadata: { a: 1, b: [2], c: null } }]);
    const taken = await api.call(account, 'POST', metadata, { metadata: { a: 2, d: 1, c: 3 } });
    expect([taken.status, places(taken.errors)]).toEqual([409, ['metadata.a', 'metadata.c']]);
    const set = await api.call(account, 'PUT', metadata, { metadata: { a: 2, d: 'x' } });
    expect(set.body).toEqual({ metadata: { a: 2, b: [2], c: null, d: 'x' } });
    expect((await api.call(account, 'DELETE', metadata, { metadata: ['a', 'c'] })).status).toBe(204);
    expect((await api.call(account, 'DELETE', metadata, { metadata: { d: 1 } })).status).toBe(204);
    const gone = await api.call(account, 'DELETE', metadata, { metadata: ['b', 'a'] });
    expect([gone.status, places(gone.errors)]).toEqual([422, ['metadata[1]']]);
    expect((await api.get(account, path)).body.metadata).toEqual({ b: [2] });
    expect((await api.activities(account, id)).slice(1)).toEqual([
      'METADATA_UPDATED: b,c',
      'METADATA_UPDATED: a,d',
      'METADATA_UPDATED: a,c',
      'METADATA_UPDATED: d',
    ]);
  });

  it('stays within its size', async () => {
    const account = await buildAccount(stores.db);
    const { path } = await caseOf(account, { metadata: { a: 'x'.repeat(150_000) } });
    const response = await api.call(account, 'PUT', `${path}/metadata`, {
      metadata: { b: 'x'.repeat(60_000) },
    });
    expect([response.status, places(response.errors)]).toEqual([422, ['metadata']]);
  });

  it('keeps every one of many keys set at the same time', async () => {
    const account = await buildAccount(stores.db);
    const { path } = await caseOf(account);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        api.call(account, 'POST', `${path}/metadata`, { metadata: { [`k${index}`]: index } }),
      ),
    );
    expect(Object.keys((await api.get(account, path)).body.metadata)).toHaveLength(10);
  });
});

describe('records of a case', () => {
  it('are added, shown in the case by type, listed in pages and removed', async () => {
    const account = await buildAccount(stores.db);
    const { id, path } = await caseOf(account);
    const [one, two] = [
      await recordIn(account.team.id, account.tenantId, 'a@b.test'),
      await recordIn(account.team.id, account.tenantId),
    ];
    const added = await api.call(account, 'POST', `${path}/records`, { record_id: String(one.id) });
    expect(added.status).toBe(201);
    const { record: itself, ...group } = added.body;
    expect({ record: itself }).toEqual((await api.get(account, `${path}/records/${one.id}`)).body);
    expect(group).toEqual({
      record_type_id: one.typeId,
      record_type_name: expect.any(String),
      record_type_record_results: [
        {
          id: one.id,
          results: [{ id: expect.any(Number), name: 'Sender', value: 'a@b.test' }],
          created_at: expect.any(String),
        },
      ],
    });
    await api.call(account, 'POST', `${path}/records`, { record_id: two.id });
    expect((await api.call(account, 'POST', `${path}/records`, { record_id: one.id })).status).toBe(201);
    const shown = (await api.get(account, path)).body;
    expect(shown.records).toEqual([group, expect.objectContaining({ record_type_id: two.typeId })]);
    expect(shown.records_meta.count).toBe(2);
    const { body } = await api.get(account, `${path}/records?per_page=1&page=2`);
    expect(body).toMatchObject({ records: [{ record_type_id: two.typeId }], meta: { pages: 2, count: 2 } });
    expect((await api.call(account, 'DELETE', `${path}/records/${one.id}`)).status).toBe(204);
    expect((await api.call(account, 'DELETE', `${path}/records/${one.id}`)).status).toBe(404);
    expect((await api.get(account, `${path}/records`)).body.records).toHaveLength(1);
    expect((await api.activities(account, id)).slice(1)).toEqual([
      `RECORD_RESULT_SET_ADDED: ${one.id}`,
      `RECORD_RESULT_SET_ADDED: ${two.id}`,
      `RECORD_RESULT_SET_REMOVED: ${one.id}`,
    ]);
  });

  it('that are made with the case in hand are noted in it', async () => {
    const account = await buildAccount(stores.db);
    const { id, path } = await caseOf(account);
    const { typeId } = await recordIn(account.team.id, account.tenantId);
    const made = await createRecordServices({
      database: stores.db,
      onAttached: noteAttachedRecord,
    }).records.create(account.actor, {
      record_type_id: typeId,
      field_values: [],
      case_ids: [id, id],
      test_mode: false,
    });
    expect(await api.activities(account, id)).toEqual([
      `CREATED: ${id}`,
      `RECORD_RESULT_SET_ADDED: ${made.record.id}`,
    ]);
    expect((await api.get(account, path)).body.records_meta.count).toBe(1);
  });

  it('are of the case’s own team', async () => {
    const { editor, neighbour, stranger } = await buildPeople(stores);
    await buildMembership(stores.db, { teamId: neighbour.team.id, userId: editor.user.id, role: 'VIEWER' });
    const { path } = await caseOf(editor);
    const add = async (record_id: number) => api.call(editor, 'POST', `${path}/records`, { record_id });
    const visible = await add((await recordIn(neighbour.team.id, neighbour.tenantId)).id);
    expect([visible.status, places(visible.errors)]).toEqual([422, ['record_id']]);
    expect((await add((await recordIn(stranger.team.id, stranger.tenantId)).id)).status).toBe(404);
    expect((await add(999_999)).status).toBe(404);
  });
});

describe('linked cases', () => {
  it('are linked on both sides, once, and unlinked', async () => {
    const account = await buildAccount(stores.db);
    const [one, two] = [await caseOf(account, { name: 'One' }), await caseOf(account, { name: 'Two' })];
    const linked = await api.call(account, 'POST', `${one.path}/linked_cases`, { id: two.id });
    const byOtherName = { linked_case_id: String(two.id) };
    // A13 clients: both names mean the other case.
    expect((await api.call(account, 'POST', `${one.path}/linked_cases`, byOtherName)).body).toEqual(
      linked.body,
    );
    const both = await api.call(account, 'POST', `${one.path}/linked_cases`, { id: two.id, ...byOtherName });
    expect([both.status, (await api.call(account, 'POST', `${one.path}/linked_cases`, {})).status]).toEqual([
      422, 422,
    ]);
    expect([linked.status, linked.body]).toEqual([
      201,
      { case_id: two.id, name: 'Two', team_id: account.team.id },
    ]);
    await api.call(account, 'POST', `${two.path}/linked_cases`, { id: one.id });
    expect((await api.get(account, `${two.path}/linked_cases?page=1`)).body).toEqual({
      linked_cases: [{ case_id: one.id, name: 'One', team_id: account.team.id }],
      meta: pageOf(`${two.path}/linked_cases`, 1),
    });
    expect((await api.get(account, one.path)).body.linked_cases).toEqual([
      { case_id: two.id, name: 'Two', team_id: account.team.id },
    ]);
    expect((await api.call(account, 'DELETE', `${two.path}/linked_cases/${one.id}`)).status).toBe(204);
    expect((await api.call(account, 'DELETE', `${two.path}/linked_cases/${one.id}`)).status).toBe(404);
    for (const [self, other] of [
      [one, two],
      [two, one],
    ] as const) {
      expect((await api.activities(account, self.id)).slice(1)).toEqual([
        `LINKED_CASE_ADDED: ${other.id}`,
        `LINKED_CASE_REMOVED: ${other.id}`,
      ]);
    }
  });

  it('must be other cases that the caller may write', async () => {
    const { editor, neighbour, stranger } = await buildPeople(stores);
    const { id, path } = await caseOf(editor);
    const link = (other: number) => api.call(editor, 'POST', `${path}/linked_cases`, { id: other });
    const theirs = await caseOf(neighbour);
    expect((await link(id)).errors).toMatchObject([{ details: 'id' }]);
    expect((await link(theirs.id)).status).toBe(404);
    expect((await link((await caseOf(stranger)).id)).status).toBe(404);
    await buildMembership(stores.db, { teamId: neighbour.team.id, userId: editor.user.id, role: 'VIEWER' });
    expect((await link(theirs.id)).status).toBe(403);
  });

  it('of teams that the reader may not see are not shown', async () => {
    const { editor, viewer, neighbour } = await buildPeople(stores);
    const owner = await buildAccount(stores.db, { tenantId: editor.tenantId, owner: true });
    const [one, other] = [await caseOf(editor), await caseOf(neighbour, { name: 'Secret' })];
    await api.call(owner, 'POST', `${one.path}/linked_cases`, { id: other.id });
    expect((await api.get(owner, one.path)).body.linked_cases).toHaveLength(1);
    expect((await api.get(viewer, one.path)).body.linked_cases).toEqual([]);
    expect((await api.get(viewer, `${one.path}/linked_cases`)).body.meta.count).toBe(0);
  });
});

describe('actions', () => {
  it('A6 clients: keep the text of their button', async () => {
    const account = await buildAccount(stores.db);
    const { path } = await caseOf(account);
    const body = { url: 'https://a.test/x', label: 'x', action_type: 'page', action_text: 'Open „it“ 🦊' };
    const made = await api.call(account, 'POST', `${path}/actions`, body);
    expect(made.body).toEqual({ ...body, id: expect.any(Number) });
    const one = `${path}/actions/${made.body.id}`;
    const kept = await api.call(account, 'PUT', one, { label: 'y', action_text: null });
    expect(kept.body).toEqual({ ...made.body, label: 'y' });
    const changed = await api.call(account, 'PUT', one, { action_text: 'GoTo' });
    expect(changed.body.action_text).toBe('GoTo');
    expect((await api.get(account, one)).body).toEqual(changed.body);
    expect((await api.get(account, `${path}/actions`)).body.actions).toEqual([changed.body]);
    expect((await api.get(account, path)).body.actions).toEqual([changed.body]);
    const actions = [body, { ...body, action_text: '' }, { url: body.url, label: 'z' }];
    const replaced = await api.call(account, 'PUT', `${path}/actions/batch`, { actions });
    expect(replaced.body.actions.map((action: object) => 'action_text' in action)).toEqual([
      true,
      false,
      false,
    ]);
    const first = `${path}/actions/${replaced.body.actions[0].id}`;
    expect((await api.call(account, 'PUT', first, { action_text: '' })).body).not.toHaveProperty(
      'action_text',
    );
    const long = { ...body, action_text: 'x'.repeat(256) };
    expect(places((await api.call(account, 'POST', `${path}/actions`, long)).errors)).toEqual([
      'action_text',
    ]);
  });

  it('are made, listed, changed and deleted', async () => {
    const account = await buildAccount(stores.db);
    const { path } = await caseOf(account);
    const made = await api.call(account, 'POST', `${path}/actions`, {
      url: 'https://a.test/x',
      label: 'Open',
    });
    const action = { id: expect.any(Number), url: 'https://a.test/x', label: 'Open', action_type: 'page' };
    expect([made.status, made.body]).toEqual([201, action]);
    const one = `${path}/actions/${made.body.id}`;
    const changed = await api.call(account, 'PUT', one, { label: 'New', action_type: 'story' });
    expect(changed.body).toEqual({ ...made.body, label: 'New', action_type: 'story' });
    expect((await api.get(account, `${path}/actions?page=1`)).body).toEqual({
      actions: [changed.body],
      meta: pageOf(`${path}/actions`, 1),
    });
    expect((await api.get(account, path)).body.actions).toEqual([changed.body]);
    expect((await api.call(account, 'DELETE', one)).status).toBe(204);
    expect((await api.call(account, 'DELETE', one)).status).toBe(404);
    expect((await api.call(account, 'PUT', one, { label: 'x' })).status).toBe(404);
  });

  it.each([
    [{ url: 'javascript:alert(1)', label: 'x' }, 'url'],
    [{ url: '/x', label: 'x' }, 'url'],
    [{ url: 'https://a.test', label: '' }, 'label'],
    [{ url: 'https://a.test', label: 'x', action_type: 'a b' }, 'action_type'],
  ])('refuses %j', async (body, place) => {
    const account = await buildAccount(stores.db);
    const { path } = await caseOf(account);
    const response = await api.call(account, 'POST', `${path}/actions`, body);
    expect([response.status, places(response.errors)]).toEqual([422, [place]]);
  });
});

describe('subscribers', () => {
  it('A14 clients: a user who is subscribed again keeps the subscription, in a full case too', async () => {
    const { editor, viewer } = await buildPeople(stores);
    const { path } = await caseOf(editor);
    const subscribe = () =>
      api.call(editor, 'POST', `${path}/subscribers`, { user_email: viewer.user.email });
    const first = await subscribe();
    for (let index = 1; index < 50; index++) {
      await api.call(editor, 'POST', `${path}/subscribers`, { url: `https://a.test/${index}` });
    }
    const again = await subscribe();
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it('are addresses, with a secret that is shown once, and users', async () => {
    const { editor, viewer } = await buildPeople(stores);
    const { path } = await caseOf(editor);
    const subscribers = `${path}/subscribers`;
    const url = await api.call(editor, 'POST', subscribers, { url: 'https://siem.example.com/x' });
    expect([url.status, url.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        url: 'https://siem.example.com/x',
        user: null,
        created_at: expect.any(String),
        secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    const own = await api.call(editor, 'POST', subscribers, {
      url: 'https://b.test',
      secret: 's'.repeat(16),
    });
    expect(own.body.secret).toBe('s'.repeat(16));
    const user = await api.call(editor, 'POST', subscribers, { user_email: viewer.user.email });
    expect(user.body).toMatchObject({ url: null, secret: null, user: { user_id: String(viewer.user.id) } });
    const listed = [url, own, user].map(({ body: { id, url, user, created_at } }) => ({
      id,
      url,
      user,
      created_at,
    }));
    expect((await api.get(editor, `${subscribers}?page=1`)).body).toEqual({
      subscribers: listed,
      meta: pageOf(subscribers, 3),
    });
    expect((await api.call(editor, 'POST', subscribers, { url: 'https://b.test' })).status).toBe(409);
    expect((await api.call(editor, 'DELETE', `${subscribers}/${own.body.id}`)).status).toBe(204);
    expect((await api.call(editor, 'DELETE', `${subscribers}/${own.body.id}`)).status).toBe(404);
  });

  it('must be one of the two, and users who may see the case', async () => {
    const { editor, neighbour, stranger } = await buildPeople(stores);
    const { path } = await caseOf(editor);
    for (const body of [
      {},
      { url: 'https://a.test', user_email: editor.user.email },
      { url: 'ftp://a.test' },
      { url: 'https://a.test', secret: 'short' },
      { user_email: editor.user.email, secret: 's'.repeat(16) },
      { user_email: neighbour.user.email },
      { user_email: stranger.user.email },
    ]) {
      expect((await api.call(editor, 'POST', `${path}/subscribers`, body)).status).toBe(422);
    }
  });
});

it('keeps to the most of each that a case may have', async () => {
  const account = await buildAccount(stores.db);
  const { path } = await caseOf(account);
  for (let index = 0; index < 50; index += 1) {
    await api.call(account, 'POST', `${path}/subscribers`, { url: `https://a.test/${index}` });
  }
  const response = await api.call(account, 'POST', `${path}/subscribers`, { url: 'https://a.test/last' });
  expect([response.status, response.errors]).toEqual([
    422,
    [{ message: 'A case can have at most 50 subscribers' }],
  ]);
});

it('lets nobody but readers read what hangs on a case, and nobody but writers write', async () => {
  const people = await buildPeople(stores);
  const { editor } = people;
  const { path } = await caseOf(editor, { metadata: { k: 1 } });
  const other = await caseOf(editor);
  const comment = await api.call(editor, 'POST', `${path}/comments`, { value: 'x' });
  const action = await api.call(editor, 'POST', `${path}/actions`, { url: 'https://a.test', label: 'x' });
  const subscriber = await api.call(editor, 'POST', `${path}/subscribers`, { url: 'https://a.test' });
  for (const list of [
    'activities',
    'comments',
    'metadata',
    'records',
    'linked_cases',
    'actions',
    'subscribers',
  ]) {
    expect([list, await statuses(people, 'GET', `${path}/${list}`)]).toEqual([list, [401, 200, 404, 404]]);
  }
  const writes: [string, string, object?][] = [
    ['POST', 'comments', { value: 'x' }],
    ['PUT', `comments/${comment.body.id}`, { value: 'x' }],
    ['DELETE', `comments/${comment.body.id}`],
    ['POST', 'metadata', { metadata: { x: 1 } }],
    ['PUT', 'metadata', { metadata: { x: 1 } }],
    ['DELETE', 'metadata', { metadata: ['k'] }],
    ['POST', 'records', { record_id: 1 }],
    ['DELETE', 'records/1'],
    ['POST', 'linked_cases', { id: other.id }],
    ['DELETE', `linked_cases/${other.id}`],
    ['POST', 'actions', { url: 'https://a.test', label: 'x' }],
    ['PUT', `actions/${action.body.id}`, { label: 'y' }],
    ['DELETE', `actions/${action.body.id}`],
    ['POST', 'subscribers', { url: 'https://b.test' }],
    ['DELETE', `subscribers/${subscriber.body.id}`],
  ];
  for (const [method, part, body] of writes) {
    expect([method, part, await statuses(people, method, `${path}/${part}`, body)]).toEqual([
      method,
      part,
      [401, 403, 404, 404],
    ]);
  }
});

describe('parts, one by one', () => {
  it('are an activity, an action, a metadata key and a record of the case itself', async () => {
    const editor = await buildAccount(stores.db);
    const one = await caseOf(editor, { metadata: { 'a/b': [1] } });
    const other = await caseOf(editor);
    const [activity] = (await api.get(editor, `${one.path}/activities`)).body.activities;
    const link = { url: 'https://a.example', label: 'A' };
    const action = (await api.call(editor, 'POST', `${one.path}/actions`, link)).body;
    const record = await recordIn(editor.team.id, editor.tenantId);
    const group = await api.call(editor, 'POST', `${one.path}/records`, { record_id: record.id });
    const { record_type_id: id, record_type_name: name, record_type_record_results: rows } = group.body;
    for (const [path, wanted] of [
      [`activities/${activity.id}`, activity],
      [`actions/${action.id}`, action],
      ['metadata/a%2Fb', { metadata: { 'a/b': [1] } }],
      [`records/${record.id}`, { record: { ...rows[0], record_type: { id, name } } }],
    ] as const) {
      expect((await api.get(editor, `${one.path}/${path}`)).body).toEqual(wanted);
      expect([path, (await api.get(editor, `${other.path}/${path}`)).status]).toEqual([path, 404]);
    }
    for (const key of ['__proto__', 'constructor']) {
      expect((await api.get(editor, `${one.path}/metadata/${key}`)).status).toBe(404);
    }
  });

  it('assignees are listed in the order of their assignment, in pages', async () => {
    const { editor, colleague, viewer } = await buildPeople(stores);
    const emails = [colleague, viewer, editor].map(({ user }) => user.email);
    const { path } = await caseOf(editor, { assignee_emails: emails });
    const { body } = await api.get(viewer, `${path}/assignees`);
    expect(body.assignees.map(({ email }: { email: string }) => email)).toEqual(emails);
    const second = (await api.get(viewer, `${path}/assignees?per_page=1&page=2`)).body;
    expect([second.assignees, second.meta.count]).toEqual([[body.assignees[1]], 3]);
  });
});

describe('batches', () => {
  it('of actions replace all of them, in the given order', async () => {
    const people = await buildPeople(stores);
    const { id, path } = await caseOf(people.editor);
    const link = { url: 'https://a.example', label: 'A' };
    await api.call(people.editor, 'POST', `${path}/actions`, link);
    const actions = ['C', 'B'].map((label) => ({
      url: 'https://b.example',
      label,
      action_text: 'Open',
      id: 9,
    }));
    const replaced = await api.call(people.editor, 'PUT', `${path}/actions/batch`, { actions });
    expect(replaced.body.case_id).toBe(id);
    expect(replaced.body.actions.map(({ label }: { label: string }) => label)).toEqual(['C', 'B']);
    expect((await api.get(people.editor, `${path}/actions`)).body.actions).toEqual(replaced.body.actions);
    expect(await statuses(people, 'PUT', `${path}/actions/batch`, { actions })).toEqual([401, 403, 404, 404]);
    const wrong = {
      actions: [
        { url: 'ftp://x', label: '' },
        { ...link, query_params: { a: 1 } },
      ],
    };
    expect(places((await api.call(people.editor, 'PUT', `${path}/actions/batch`, wrong)).errors)).toEqual([
      'actions[0].url',
      'actions[0].label',
      'actions[1].query_params',
    ]);
    await api.call(people.editor, 'PUT', `${path}/actions/batch`, { actions: [] });
    expect((await api.get(people.editor, `${path}/actions`)).body.actions).toEqual([]);
  });

  it('of links link all cases or none, and note new links alone', async () => {
    const people = await buildPeople(stores);
    const [one, two, three] = [
      await caseOf(people.editor),
      await caseOf(people.editor),
      await caseOf(people.editor),
    ];
    await api.call(people.editor, 'POST', `${one.path}/linked_cases`, { id: two.id });
    const batch = `${one.path}/linked_cases/batch`;
    for (const [ids, status, wrong] of [
      [[two.id, one.id], 422, ['ids[1]']],
      [[three.id, 999_999_999], 404, [undefined]],
      [[three.id, three.id], 422, ['ids[1]']],
      [[], 422, ['ids']],
    ] as const) {
      const refused = await api.call(people.editor, 'POST', batch, { ids });
      expect([refused.status, places(refused.errors)]).toEqual([status, wrong]);
    }
    expect((await api.get(people.editor, `${one.path}/linked_cases`)).body.meta.count).toBe(1);
    const made = await api.call(people.editor, 'POST', batch, { ids: [three.id, two.id] });
    expect([made.status, made.body]).toEqual([
      201,
      {
        case_id: one.id,
        name: 'A case',
        linked_cases: [three, two].map(({ id }) => ({
          case_id: id,
          name: 'A case',
          team_id: people.editor.team.id,
        })),
      },
    ]);
    const noted = (await api.activities(people.editor, one.id)).slice(1);
    expect(noted).toEqual([`LINKED_CASE_ADDED: ${two.id}`, `LINKED_CASE_ADDED: ${three.id}`]);
    expect(await statuses(people, 'POST', batch, { ids: [two.id] })).toEqual([401, 403, 404, 404]);
  });

  it('of subscribers subscribe all users or none, and keep those who are subscribed', async () => {
    const people = await buildPeople(stores);
    const { editor, viewer, neighbour, colleague } = people;
    const { id, path } = await caseOf(editor);
    const batch = `${path}/subscribers/batch`;
    const emails = [colleague, viewer].map(({ user }) => user.email);
    const refused = await api.call(editor, 'POST', batch, {
      user_emails: [viewer.user.email, 'no@body.test', neighbour.user.email, 'x'],
    });
    expect([refused.status, places(refused.errors)]).toEqual([
      422,
      ['user_emails[3]', 'user_emails[1]', 'user_emails[2]'],
    ]);
    expect((await api.get(editor, `${path}/subscribers`)).body.subscribers).toEqual([]);
    const { body: first } = await api.call(editor, 'POST', `${path}/subscribers`, { user_email: emails[0] });
    const made = await api.call(editor, 'POST', batch, { user_emails: [...emails, emails[1]] });
    expect([made.status, made.body.case_id]).toEqual([201, id]);
    expect(made.body.subscribers.map(({ user }: { user: { email: string } }) => user.email)).toEqual(emails);
    expect(made.body.subscribers[0].id).toBe(first.id);
    expect(await statuses(people, 'POST', batch, { user_emails: emails })).toEqual([401, 403, 404, 404]);
  });
});
