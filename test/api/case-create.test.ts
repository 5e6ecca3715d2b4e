import { buildAccount, buildKey, buildUser } from '../support/builders.js';
import { buildPeople, CASES, PUBLIC_URL, useCaseApi } from '../support/case-api.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useCaseApi(stores);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const userOf = ({ user }: { user: { id: number; email: string; firstName: string; lastName: string } }) => ({
  user_id: String(user.id),
  first_name: user.firstName,
  last_name: user.lastName,
  email: user.email,
  avatar_url: '',
  is_service_account: false,
});
const places = (errors: { details?: string }[]) => errors.map(({ details }) => details);

describe('creating a case', () => {
  it('with a name only gives the whole Case shape with its defaults', async () => {
    const account = await buildAccount(stores.db);
    const { status, body } = await api.call(account, 'POST', `${CASES}/`, {
      team_id: String(account.team.id),
      name: 'Phishing',
    });
    expect(status).toBe(201);
    const id = body.case_id;
    const page = (list: string, count: number) => ({
      current_page: `${PUBLIC_URL}${CASES}/${id}/${list}?page=1&per_page=20`,
      previous_page: null,
      next_page: null,
      next_page_number: null,
      per_page: 20,
      pages: 1,
      count,
    });
    expect(body).toEqual({
      case_id: expect.any(Number),
      name: 'Phishing',
      description: null,
      status: 'OPEN',
      priority: 'LOW',
      url: `${PUBLIC_URL}/cases/${id}`,
      metadata: {},
      author: null,
      opened_by: userOf(account),
      resolved_by: null,
      assignees: [userOf(account)],
      tags: [],
      activities: [
        {
          id: expect.any(Number),
          activity_type: 'CREATED',
          value: String(id),
          user: userOf(account),
          created_at: expect.stringMatching(TIME),
        },
      ],
      activities_meta: page('activities', 1),
      team: { id: account.team.id, name: account.team.name },
      actions: [],
      linked_cases: [],
      opened_at: expect.stringMatching(TIME),
      resolved_at: null,
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
      records: [],
      records_meta: page('records', 0),
      closure_conditions: [],
    });
    expect((await api.get(account, `${CASES}/${id}`)).body).toEqual(body);
  });

  it('with everything keeps everything', async () => {
    const { editor, colleague, neighbour } = await buildPeople(stores);
    const body = await api.make(editor, {
      name: '  All of it ',
      description: 'Look, <@user-999999>!',
      priority: 'Critical',
      status: 'open',
      author_email: neighbour.user.email.toUpperCase(),
      assignee_emails: [colleague.user.email, editor.user.email, colleague.user.email],
      tag_names: ['b', 'a', 'b'],
      opened_at: '2026-01-02T03:04:05+02:00',
      resolved_at: '2026-01-03',
      metadata: { z: 1, a: { deep: [null, true] }, 'odd key': 'x' },
      closure_conditions: [{ name: 'Always', formula: '=TRUE' }],
    });
    expect(body).toMatchObject({
      name: 'All of it',
      description: 'Look, <@user-999999>!',
      priority: 'CRITICAL',
      status: 'OPEN',
      author: userOf(neighbour),
      opened_by: userOf(editor),
      assignees: [userOf(colleague), userOf(editor)],
      tags: [{ name: 'b' }, { name: 'a' }],
      opened_at: '2026-01-02T01:04:05Z',
      resolved_at: '2026-01-03T00:00:00Z',
      closure_conditions: [{ name: 'Always', formula: '=TRUE' }],
    });
    expect(JSON.stringify(body.metadata)).toBe('{"z":1,"a":{"deep":[null,true]},"odd key":"x"}');
  });

  it('closed sets who resolved it, and when', async () => {
    const account = await buildAccount(stores.db);
    const now = await api.make(account, { status: 'CLOSED' });
    expect(now).toMatchObject({ status: 'CLOSED', resolved_by: userOf(account) });
    expect(now.resolved_at).toMatch(TIME);
    const then = await api.make(account, { status: 'closed', resolved_at: '2026-02-03T04:05:06Z' });
    expect(then.resolved_at).toBe('2026-02-03T04:05:06Z');
  });

  it('by a team key is of the key’s service account', async () => {
    const { tenantId, team } = await buildAccount(stores.db);
    const { key } = await buildKey(stores.db, { tenantId, kind: 'team', teamId: team.id, role: 'EDITOR' });
    const { status, body } = await api.call({ key }, 'POST', CASES, { team_id: team.id, name: 'x' });
    expect([status, body.assignees[0].is_service_account, body.opened_by.is_service_account]).toEqual([
      201,
      true,
      true,
    ]);
  });

  it('keeps metadata whose keys are called like parts of a prototype', async () => {
    const account = await buildAccount(stores.db);
    const metadata = { constructor: 2, toString: 'x', hasOwnProperty: null };
    expect((await api.make(account, { metadata })).metadata).toEqual(metadata);
  });

  it('gives one tag to a team, whatever case has it', async () => {
    const account = await buildAccount(stores.db);
    const other = await buildAccount(stores.db);
    const [one, two, three] = [
      await api.make(account, { tag_names: ['vip'] }),
      await api.make(account, { tag_names: ['VIP', 'vip'] }),
      await api.make(other, { tag_names: ['vip'] }),
    ];
    expect(two.tags[1].id).toBe(one.tags[0].id);
    expect(two.tags[0].id).not.toBe(one.tags[0].id);
    expect(three.tags[0].id).not.toBe(one.tags[0].id);
  });

  it('takes null for absent, and empty text for nothing', async () => {
    const account = await buildAccount(stores.db);
    const nothing = { description: null, priority: null, status: null, author_email: null, tag_names: null };
    const body = await api.make(account, {
      ...nothing,
      assignee_emails: [],
      metadata: null,
      closure_conditions: null,
      opened_at: null,
    });
    expect(body).toMatchObject({ description: null, priority: 'LOW', metadata: {}, closure_conditions: [] });
    expect(body.assignees).toEqual([userOf(account)]);
    expect((await api.make(account, { opened_at: '', description: '' })).opened_at).toBeNull();
  });

  it.each<[string, object, string[]]>([
    ['no name', { name: undefined }, ['name']],
    ['an empty name', { name: ' ' }, ['name']],
    ['a long name', { name: 'x'.repeat(256) }, ['name']],
    ['a name of another type', { name: 5 }, ['name']],
    ['a priority that is none', { priority: 'urgent' }, ['priority']],
    ['a status that is none', { status: 'done' }, ['status']],
    ['a time that is none', { opened_at: 'yesterday' }, ['opened_at']],
    ['a time before all times', { opened_at: '0000-01-01' }, ['opened_at']],
    ['a time after all times', { opened_at: '9999-12-31T23:59:59-12:00' }, ['opened_at']],
    ['an address that is none', { author_email: 'x' }, ['author_email']],
    ['an unknown author', { author_email: 'nobody@example.test' }, ['author_email']],
    [
      'unknown assignees',
      { assignee_emails: ['a@b.test', 'c@d.test'] },
      ['assignee_emails[0]', 'assignee_emails[1]'],
    ],
    ['an empty tag', { tag_names: ['ok', ''] }, ['tag_names[1]']],
    ['metadata that is a list', { metadata: [] }, ['metadata']],
    ['metadata that is too large', { metadata: { a: 'x'.repeat(200_000) } }, ['metadata']],
    ['a metadata key without a name', { metadata: { '': 1 } }, ['metadata']],
    ['a description that is too long', { description: 'x'.repeat(65_536) }, ['description']],
    ['an unknown field', { titel: 'x' }, ['titel']],
    [
      'several wrong things at once',
      { priority: 'x', closure_conditions: [{ name: 'a' }] },
      ['priority', 'closure_conditions[0].formula'],
    ],
  ])('refuses %s by name', async (_, overrides, expected) => {
    const account = await buildAccount(stores.db);
    const response = await api.call(account, 'POST', CASES, {
      team_id: account.team.id,
      name: 'x',
      ...overrides,
    });
    expect([response.status, places(response.errors)]).toEqual([422, expected]);
  });

  it('refuses a formula that does not parse, with its place, beside unknown users', async () => {
    const account = await buildAccount(stores.db);
    const response = await api.call(account, 'POST', CASES, {
      team_id: account.team.id,
      name: 'x',
      author_email: 'nobody@example.test',
      closure_conditions: [
        { name: 'fine', formula: 'TRUE' },
        { name: 'wrong', formula: '=1 + ' },
      ],
    });
    expect([response.status, places(response.errors)]).toEqual([
      422,
      ['author_email', 'closure_conditions[1].formula'],
    ]);
    expect(response.errors[1]!.message).toMatch(/line 1, column \d+/);
  });

  it('refuses a user of another tenant', async () => {
    const account = await buildAccount(stores.db);
    const foreign = await buildUser(stores.db);
    const body = { team_id: account.team.id, name: 'x', author_email: foreign.email };
    expect((await api.call(account, 'POST', CASES, body)).status).toBe(422);
  });

  it('does not close a case whose conditions are not met, and makes none', async () => {
    const account = await buildAccount(stores.db);
    const response = await api.call(account, 'POST', CASES, {
      team_id: account.team.id,
      name: 'x',
      status: 'closed',
      tag_names: ['new'],
      closure_conditions: [
        { name: 'Verdict', formula: 'team_case.metadata.verdict' },
        { name: 'Fine', formula: 'case.status = "OPEN"' },
        { name: 'Assigned', formula: '=case.assignees[1]' },
      ],
    });
    expect(response).toMatchObject({
      status: 422,
      errors: [{ details: 'closure_conditions[0]' }, { details: 'closure_conditions[2]' }],
    });
    expect((await api.get(account, CASES)).body.cases).toEqual([]);
  });

  it('is for writers of the team only', async () => {
    const { editor, viewer, neighbour, stranger } = await buildPeople(stores);
    const body = { team_id: editor.team.id, name: 'x' };
    const status = async (caller: typeof editor | undefined) =>
      (await api.call(caller, 'POST', CASES, body)).status;
    expect(await status(undefined)).toBe(401);
    expect(await status(viewer)).toBe(403);
    expect(await status(neighbour)).toBe(404);
    expect(await status(stranger)).toBe(404);
    expect((await api.call(editor, 'POST', CASES, { ...body, team_id: 999_999 })).status).toBe(404);
  });

  it('goes on when two cases bring the same new tags at the same time', async () => {
    const account = await buildAccount(stores.db);
    const made = await Promise.all(
      [
        ['a', 'b', 'c'],
        ['c', 'b', 'a'],
        ['b', 'd', 'a'],
        ['d', 'c'],
      ].map((tag_names) => api.make(account, { tag_names })),
    );
    const ids = new Map<string, number>();
    for (const { name, id } of made.flatMap(({ tags }) => tags)) {
      expect(ids.get(name) ?? id).toBe(id);
      ids.set(name, id);
    }
  });
});
