import { createCaseBody } from '../../src/data/cases/case-input.js';
import { createCaseService } from '../../src/data/cases/case-service.js';
import { createClosureFormulas } from '../../src/data/cases/closure/closure-formulas.js';
import { buildAccount, buildMembership, buildTeam } from '../support/builders.js';
import { buildPeople, CASES, PUBLIC_URL, useCaseApi } from '../support/case-api.js';
import { useStores } from '../support/stores.js';
import { makeTeam } from '../support/stories.js';

const stores = useStores();
const api = useCaseApi(stores);

const late = (index: number) => ({
  message: `The condition "C${index + 1}" could not be evaluated: evaluating the conditions takes longer than 150 ms`,
  details: `closure_conditions[${index}]`,
});

const places = (errors: { details?: string }[]) => errors.map(({ details }) => details);

describe.each(['PUT', 'PATCH'])('updating a case with %s', (method) => {
  it('changes what is named, notes each change, and nothing else', async () => {
    const { editor, colleague, neighbour } = await buildPeople(stores);
    const made = await api.make(editor, { tag_names: ['old', 'kept'], metadata: { a: 1, b: 2 } });
    const path = `${CASES}/${made.case_id}`;
    const { status, body } = await api.call(editor, method, path, {
      name: 'New name',
      description: 'New <@user-1>',
      priority: 'high',
      author_email: neighbour.user.email,
      assignee_emails: [colleague.user.email],
      add_tag_names: ['new', 'kept'],
      remove_tag_names: ['old', 'never'],
      opened_at: '2026-01-01T00:00:00Z',
      metadata: { b: 3, c: null },
      closure_conditions: [{ name: 'n', formula: 'TRUE' }],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      case_id: made.case_id,
      name: 'New name',
      description: 'New <@user-1>',
      priority: 'HIGH',
      status: 'OPEN',
      author: { user_id: String(neighbour.user.id) },
      assignees: [{ user_id: String(colleague.user.id) }],
      tags: [{ name: 'kept' }, { name: 'new' }],
      opened_at: '2026-01-01T00:00:00Z',
      metadata: { b: 3, c: null },
      closure_conditions: [{ name: 'n', formula: 'TRUE' }],
      activities_meta: { count: 9 },
    });
    expect(await api.activities(editor, made.case_id)).toEqual([
      `CREATED: ${made.case_id}`,
      'TITLE_UPDATED: New name',
      'DESCRIPTION_UPDATED: New <@user-1>',
      'SEVERITY_UPDATED: HIGH',
      'METADATA_UPDATED: b,c,a',
      `UNASSIGNED: ${editor.user.id}`,
      `ASSIGNED: ${colleague.user.id}`,
      'TAGS_ADDED: new',
      'TAGS_REMOVED: old',
    ]);
    expect((await api.get(editor, path)).body).toEqual(body);
  });

  it('takes null for unchanged, and notes nothing where nothing changed', async () => {
    const account = await buildAccount(stores.db);
    const made = await api.make(account, { description: 'd', tag_names: ['t'], metadata: { a: [1] } });
    const nothing = [
      {},
      { name: null, description: null, priority: null, status: null, team_id: null, metadata: null },
      { name: 'A case', description: 'd', priority: 'low', status: 'open', metadata: { a: [1] } },
      { add_tag_names: ['t'], remove_tag_names: ['x'], assignee_emails: null, team_id: account.team.id },
      { add_assignee_emails: [account.user.email], author_email: null, opened_at: null, resolved_at: null },
    ];
    for (const body of nothing) {
      const response = await api.call(account, method, `${CASES}/${made.case_id}`, body);
      expect(response).toMatchObject({ status: 200, body: { ...made, updated_at: expect.any(String) } });
    }
  });

  it('takes empty text for nothing', async () => {
    const { editor, colleague } = await buildPeople(stores);
    const made = await api.make(editor, {
      description: 'd',
      author_email: colleague.user.email,
      metadata: { a: 1 },
      closure_conditions: [{ name: 'n', formula: 'TRUE' }],
      resolved_at: '2026-01-01',
    });
    const { body } = await api.call(editor, method, `${CASES}/${made.case_id}`, {
      description: '',
      author_email: '',
      assignee_emails: '',
      opened_at: '',
      resolved_at: '',
      metadata: '',
      closure_conditions: '',
    });
    expect(body).toMatchObject({
      description: null,
      author: null,
      assignees: [],
      opened_at: null,
      resolved_at: null,
      metadata: {},
      closure_conditions: [],
    });
  });
});

describe('assignees', () => {
  it('are added and removed beside those that are there', async () => {
    const { editor, colleague, viewer } = await buildPeople(stores);
    const made = await api.make(editor);
    const { body } = await api.call(editor, 'PATCH', `${CASES}/${made.case_id}`, {
      add_assignee_emails: [colleague.user.email, viewer.user.email],
      remove_assignee_emails: [editor.user.email],
    });
    expect(body.assignees.map((user: { user_id: string }) => user.user_id)).toEqual(
      [colleague, viewer].map(({ user }) => String(user.id)),
    );
    expect((await api.activities(editor, made.case_id)).slice(1)).toEqual([
      `UNASSIGNED: ${editor.user.id}`,
      `ASSIGNED: ${colleague.user.id},${viewer.user.id}`,
    ]);
  });
});

describe('closing and reopening', () => {
  const conditions = [
    { name: 'Verdict', formula: '=team_case.metadata.verdict' },
    { name: 'Urgent', formula: 'case.priority = "HIGH"' },
    { name: 'Broken', formula: 'case.name.nothing + {}' },
  ];

  it('needs every condition, sees the other changes, and names each that is not met', async () => {
    const account = await buildAccount(stores.db);
    const made = await api.make(account, { closure_conditions: conditions.slice(0, 2) });
    const path = `${CASES}/${made.case_id}`;
    const refused = await api.call(account, 'PUT', path, { status: 'closed', name: 'Lost' });
    expect(refused.status).toBe(422);
    expect(refused.errors).toEqual([
      { message: 'The condition "Verdict" is not met', details: 'closure_conditions[0]' },
      { message: 'The condition "Urgent" is not met', details: 'closure_conditions[1]' },
    ]);
    expect((await api.get(account, path)).body).toEqual(made);
    const half = await api.call(account, 'PUT', path, { status: 'closed', priority: 'high' });
    expect(places(half.errors)).toEqual(['closure_conditions[0]']);
    const body = { status: 'Closed', priority: 'high', metadata: { verdict: 'benign' } };
    const closed = await api.call(account, 'PUT', path, body);
    expect(closed.body).toMatchObject({
      status: 'CLOSED',
      resolved_by: { user_id: String(account.user.id) },
      resolved_at: expect.any(String),
    });
    expect((await api.activities(account, made.case_id)).slice(1)).toEqual([
      'SEVERITY_UPDATED: HIGH',
      'METADATA_UPDATED: verdict',
      'STATUS_UPDATED: CLOSED',
    ]);
  });

  it('tells which conditions are met without closing', async () => {
    const { editor, viewer, stranger } = await buildPeople(stores);
    const made = await api.make(editor, { priority: 'high', closure_conditions: conditions });
    const path = `${CASES}/${made.case_id}/closure_conditions`;
    const { status, body } = await api.get(viewer, path);
    expect([status, body.closure_conditions]).toEqual([
      200,
      [
        { ...conditions[0], met: false, reason: 'is not met' },
        { ...conditions[1], met: true, reason: null },
        { ...conditions[2], met: false, reason: expect.stringMatching(/^could not be evaluated: /) },
      ],
    ]);
    expect((await api.get(editor, `${CASES}/${made.case_id}`)).body).toEqual(made);
    expect((await api.get(stranger, path)).status).toBe(404);
  });

  it('does not close where a formula fails, and closes where its conditions are replaced', async () => {
    const account = await buildAccount(stores.db);
    const failing = { name: 'Broken', formula: '1 / 0' };
    const made = await api.make(account, { closure_conditions: [failing] });
    const path = `${CASES}/${made.case_id}`;
    const refused = await api.call(account, 'PATCH', path, { status: 'closed' });
    expect([refused.status, places(refused.errors)]).toEqual([422, ['closure_conditions[0]']]);
    const body = { status: 'closed', closure_conditions: '' };
    expect((await api.call(account, 'PATCH', path, body)).body.status).toBe('CLOSED');
  });

  it('gives all conditions together the time of one', async () => {
    // Two conditions are looked at in time, however fast or slow this machine is.
    const formulas = createClosureFormulas((ms) => {
      let leftMs = ms;
      return { leftMs: () => (leftMs -= 60) };
    });
    const service = createCaseService({ database: stores.db, formulas });
    const actor = await makeTeam(stores.db);
    const body = await createCaseBody.validateAsync({
      team_id: actor.teamId,
      name: 'x',
      status: 'closed',
      closure_conditions: [1, 2, 3, 4].map((number) => ({ name: `C${number}`, formula: 'TRUE' })),
    });
    await expect(service.create({ actor, baseUrl: PUBLIC_URL }, body)).rejects.toMatchObject({
      status: 422,
      problems: [late(2), late(3)],
    });
  });

  it('takes the time that is given, and gives both up when it is reopened', async () => {
    const account = await buildAccount(stores.db);
    const { case_id } = await api.make(account);
    const path = `${CASES}/${case_id}`;
    const closed = await api.call(account, 'PUT', path, { status: 'closed', resolved_at: '2026-01-01' });
    expect(closed.body.resolved_at).toBe('2026-01-01T00:00:00Z');
    const later = await api.call(account, 'PUT', path, { resolved_at: '2026-01-02', status: 'closed' });
    expect(later.body.resolved_at).toBe('2026-01-02T00:00:00Z');
    const open = await api.call(account, 'PUT', path, { status: 'open' });
    expect(open.body).toMatchObject({ status: 'OPEN', resolved_at: null, resolved_by: null });
    expect((await api.activities(account, case_id)).slice(1)).toEqual([
      'STATUS_UPDATED: CLOSED',
      'STATUS_UPDATED: OPEN',
    ]);
  });
});

describe('moving a case to another team', () => {
  it('takes its tags along and leaves the old team’s addresses behind', async () => {
    const account = await buildAccount(stores.db);
    const team = await buildTeam(stores.db, { tenantId: account.tenantId });
    await buildMembership(stores.db, { teamId: team.id, userId: account.user.id, role: 'EDITOR' });
    const made = await api.make(account, { tag_names: ['b', 'a'] });
    const path = `${CASES}/${made.case_id}`;
    await api.call(account, 'POST', `${path}/subscribers`, { url: 'https://siem.example.com/x' });
    const { body } = await api.call(account, 'PUT', path, { team_id: team.id, add_tag_names: ['c'] });
    expect(body).toMatchObject({
      team: { id: team.id, name: team.name },
      tags: [{ name: 'b' }, { name: 'a' }, { name: 'c' }],
    });
    expect(body.tags[0].id).not.toBe(made.tags[0].id);
    expect((await api.activities(account, made.case_id)).slice(1)).toEqual([
      `TEAM_UPDATED: ${team.id}`,
      'TAGS_ADDED: c',
    ]);
    expect((await api.get(account, `${path}/subscribers`)).body.subscribers).toEqual([]);
  });

  it('needs the right to write there', async () => {
    const { editor, neighbour, stranger } = await buildPeople(stores);
    const readOnly = await buildTeam(stores.db, { tenantId: editor.tenantId });
    await buildMembership(stores.db, { teamId: readOnly.id, userId: editor.user.id, role: 'VIEWER' });
    const { case_id } = await api.make(editor);
    const move = async (teamId: number) =>
      (await api.call(editor, 'PUT', `${CASES}/${case_id}`, { team_id: teamId })).status;
    expect(await move(neighbour.team.id)).toBe(404);
    expect(await move(stranger.team.id)).toBe(404);
    expect(await move(readOnly.id)).toBe(403);
  });
});

it('refuses wrong updates by name', async () => {
  const account = await buildAccount(stores.db);
  const { case_id } = await api.make(account);
  const wrong: [object, string[]][] = [
    [{ name: '' }, ['name']],
    [{ status: 'shut' }, ['status']],
    [{ tag_names: ['x'] }, ['tag_names']],
    [
      { add_assignee_emails: ['no@body.test'], remove_assignee_emails: ['x@y.test'] },
      ['add_assignee_emails[0]', 'remove_assignee_emails[0]'],
    ],
    [{ closure_conditions: [{ name: 'n', formula: '(' }] }, ['closure_conditions[0].formula']],
    [{ add_tag_names: Array.from({ length: 201 }, (_, index) => `t${index}`) }, ['add_tag_names']],
  ];
  for (const [body, expected] of wrong) {
    const response = await api.call(account, 'PUT', `${CASES}/${case_id}`, body);
    expect([response.status, places(response.errors)]).toEqual([422, expected]);
  }
});

it('lets nobody else update or delete, and only readers read', async () => {
  const { editor, viewer, neighbour, stranger } = await buildPeople(stores);
  const { case_id } = await api.make(editor);
  const path = `${CASES}/${case_id}`;
  const callers = [undefined, viewer, neighbour, stranger];
  const statuses = async (method: string, body?: object) => {
    const responses = [];
    for (const caller of callers) responses.push((await api.call(caller, method, path, body)).status);
    return responses;
  };
  expect(await statuses('GET')).toEqual([401, 200, 404, 404]);
  expect(await statuses('PUT', { name: 'x' })).toEqual([401, 403, 404, 404]);
  expect(await statuses('PATCH', { name: 'x' })).toEqual([401, 403, 404, 404]);
  expect(await statuses('DELETE')).toEqual([401, 403, 404, 404]);
  for (const id of ['999999', '0', 'x', '-1'])
    expect((await api.get(editor, `${CASES}/${id}`)).status).toBe(404);
});

it('deletes a case with all that hangs on it', async () => {
  const account = await buildAccount(stores.db);
  const [one, other] = [await api.make(account, { tag_names: ['t'] }), await api.make(account)];
  const path = `${CASES}/${one.case_id}`;
  await api.call(account, 'POST', `${path}/linked_cases`, { id: other.case_id });
  await api.call(account, 'POST', `${path}/subscribers`, { url: 'https://siem.example.com/x' });
  await api.call(account, 'POST', `${path}/comments`, { value: 'c' });
  expect((await api.call(account, 'DELETE', path)).status).toBe(204);
  expect((await api.get(account, path)).status).toBe(404);
  expect((await api.call(account, 'DELETE', path)).status).toBe(404);
  expect((await api.get(account, `${CASES}/${other.case_id}`)).body.linked_cases).toEqual([]);
  const left = await stores.db.read(async (session) => {
    const tables = await session.rows<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = 'case_id'",
    );
    const counts = [];
    for (const { name } of tables) {
      const [row] = await session.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${name} WHERE case_id = ?`, [
        one.case_id,
      ]);
      counts.push([name, row!.n]);
    }
    return counts.filter(([, n]) => n !== 0);
  });
  expect(left).toEqual([]);
});

it('keeps every one of many updates made at the same time', async () => {
  const account = await buildAccount(stores.db);
  const { case_id } = await api.make(account);
  const path = `${CASES}/${case_id}`;
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      api.call(account, 'PATCH', path, {
        add_tag_names: [`t${index}`, 'shared'],
        priority: index % 2 ? 'high' : 'low',
      }),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  expect((await api.get(account, path)).body.tags).toHaveLength(13);
  const shared = (await api.activities(account, case_id)).filter((line) => /TAGS_ADDED:.*shared/.test(line));
  expect(shared).toHaveLength(1);
});
