import { createCaseService } from '../../src/data/cases/case-service.js';
import { createClosureFormulas } from '../../src/data/cases/closure/closure-formulas.js';
import type { Database } from '../../src/platform/mysql/database.js';
import { buildAccount, buildMembership } from '../support/builders.js';
import { buildPeople, CASES, PUBLIC_URL, useCaseApi } from '../support/case-api.js';
import { useStores } from '../support/stores.js';
import { makeTeam } from '../support/stories.js';

const stores = useStores();
const api = useCaseApi(stores);

async function namesOf(account: { key: string }, query = ''): Promise<string[]> {
  const { status, body } = await api.get(account, `${CASES}${query}`);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.cases.map(({ name }: { name: string }) => name);
}

async function idsOf(account: { key: string }, query: string): Promise<number[]> {
  const { body } = await api.get(account, `${CASES}${query}`);
  return body.cases.map((each: { case_id: number }) => each.case_id);
}

/** Cases that are called `n0`, `n1` …; all are made at once. */
async function insertCases(of: { tenantId: number; team: { id: number } }, count: number): Promise<void> {
  const columns = 'tenant_id, team_id, name, status, priority, metadata, closure_conditions';
  await stores.sql(`INSERT INTO cases (${columns}) VALUES ?`, [
    Array.from({ length: count }, (_, index) => [
      of.tenantId,
      of.team.id,
      `n${index}`,
      'OPEN',
      'LOW',
      '{}',
      '[]',
    ]),
  ]);
}

describe('the list of cases', () => {
  it('takes orders and filters under the names of public clients', async () => {
    const account = await buildAccount(stores.db);
    await insertCases(account, 3);
    const of = { tenantId: account.tenantId };
    await stores.sql(
      "UPDATE cases SET status = 'CLOSED', updated_at = NOW() + INTERVAL 1 DAY WHERE name = 'n1' AND tenant_id = ?",
      [of.tenantId],
    );
    expect(await namesOf(account, '?order=CREATED_ASC')).toEqual(
      await namesOf(account, '?order=CREATED_AT_ASC'),
    );
    expect((await namesOf(account, '?order=RECENTLY_EDITED'))[0]).toBe('n1');
    expect((await namesOf(account, '?order=LEAST_RECENTLY_EDITED'))[2]).toBe('n1');
    expect(await namesOf(account, '?filters[status]=closed')).toEqual(['n1']);
    expect((await api.get(account, `${CASES}?filters[tag]=a`)).status).toBe(422);
  });

  it('gives cases in their whole shape, newest first, in pages', async () => {
    const account = await buildAccount(stores.db);
    const made = [];
    for (const name of ['A', 'B', 'C'])
      made.push(await api.make(account, { name, tag_names: [name, 'all'] }));
    const { body } = await api.get(account, `${CASES}?per_page=2&search=`);
    expect(body.cases).toEqual([made[2], made[1]]);
    expect(body.meta).toEqual({
      current_page: `${PUBLIC_URL}${CASES}?per_page=2&search=&page=1`,
      previous_page: null,
      next_page: expect.stringMatching(/\?per_page=2&search=&page=2&cursor=\d+-\d+$/),
      next_page_number: 2,
      per_page: 2,
      pages: 2,
      count: 3,
    });
    expect(await namesOf(account, '?per_page=2&page=2')).toEqual(['A']);
    expect(await namesOf(account, '?page=9')).toEqual([]);
  });

  it('is empty where there is nothing', async () => {
    const account = await buildAccount(stores.db);
    expect((await api.get(account, `${CASES}/`)).body).toMatchObject({
      cases: [],
      meta: { pages: 1, count: 0 },
    });
  });

  it('is narrowed by status, priority and search', async () => {
    const account = await buildAccount(stores.db);
    await api.make(account, { name: 'One 100%', priority: 'high' });
    await api.make(account, { name: 'Two', description: 'about one_thing', status: 'closed' });
    await api.make(account, { name: 'Three', priority: 'high', status: 'closed' });
    expect(await namesOf(account, '?status=open')).toEqual(['One 100%']);
    expect(await namesOf(account, '?status=CLOSED&priority=High')).toEqual(['Three']);
    expect(await namesOf(account, '?search=ONE')).toEqual(['Two', 'One 100%']);
    expect(await namesOf(account, `?search=${encodeURIComponent('0%')}`)).toEqual(['One 100%']);
    expect(await namesOf(account, '?search=e_t')).toEqual(['Two']);
  });

  it('is narrowed by a tag and by who works on it', async () => {
    const { editor, colleague } = await buildPeople(stores);
    const { email } = colleague.user;
    await api.make(editor, { name: 'Own', tag_names: ['phishing', 'tier 1'] });
    await api.make(editor, { name: 'Theirs', tag_names: ['phishing'], assignee_emails: [email] });
    await api.make(editor, { name: 'Bare', status: 'closed', assignee_emails: [email] });
    expect(await namesOf(editor, '?tag=phishing')).toEqual(['Theirs', 'Own']);
    expect(await namesOf(editor, '?tag=tier%201&status=open')).toEqual(['Own']);
    expect(await namesOf(editor, `?assignee_email=${encodeURIComponent(email)}`)).toEqual(['Bare', 'Theirs']);
    expect(await namesOf(editor, `?tag=phishing&assignee_email=${encodeURIComponent(email)}`)).toEqual([
      'Theirs',
    ]);
    expect(await namesOf(editor, '?assignee_email=nobody@example.com')).toEqual([]);
    expect((await api.get(editor, `${CASES}?assignee_email=nobody`)).status).toBe(422);
  });

  it.each([
    ['ASC', ['low', 'critical', 'high']],
    ['DESC', ['high', 'critical', 'low']],
    ['priority_desc', ['critical', 'high', 'low']],
    ['PRIORITY_ASC', ['low', 'high', 'critical']],
    ['NAME_ASC', ['critical', 'high', 'low']],
    ['OPENED_AT_ASC', ['high', 'critical', 'low']],
    ['UPDATED_AT_DESC', ['low', 'high', 'critical']],
  ])('comes in the order %s', async (order, expected) => {
    const account = await buildAccount(stores.db);
    const first = await api.make(account, { name: 'low', priority: 'low', opened_at: '2026-03-01' });
    await api.make(account, { name: 'critical', priority: 'critical', opened_at: '2026-02-01' });
    await api.make(account, { name: 'high', priority: 'high', opened_at: '2026-01-01' });
    await api.call(account, 'PATCH', `${CASES}/${first.case_id}`, { priority: 'low' });
    expect(await namesOf(account, `?order=${order}`)).toEqual(expected);
  });

  it('shows the cases of the teams that may be seen', async () => {
    const { editor, viewer, neighbour, stranger } = await buildPeople(stores);
    await api.make(editor, { name: 'Mine' });
    await api.make(neighbour, { name: 'Theirs' });
    await api.make(stranger, { name: 'Foreign' });
    const owner = await buildAccount(stores.db, { tenantId: editor.tenantId, owner: true });
    expect(await namesOf(viewer)).toEqual(['Mine']);
    expect(await namesOf(owner)).toEqual(['Theirs', 'Mine']);
    await buildMembership(stores.db, { teamId: neighbour.team.id, userId: viewer.user.id, role: 'VIEWER' });
    expect(await namesOf(viewer)).toEqual(['Theirs', 'Mine']);
    expect(await namesOf(viewer, `?team_id=${neighbour.team.id}`)).toEqual(['Theirs']);
    for (const id of [stranger.team.id, 999_999]) {
      expect((await api.get(viewer, `${CASES}?team_id=${id}`)).status).toBe(404);
    }
    expect((await api.get(undefined, CASES)).status).toBe(401);
  });

  it.each([
    'per_page=0',
    'per_page=501',
    'page=0',
    'status=x',
    'priority=x',
    'order=x',
    'nme=x',
    'team_id=x',
  ])('refuses ?%s', async (query) => {
    const account = await buildAccount(stores.db);
    const response = await api.get(account, `${CASES}?${query}`);
    expect([response.status, response.errors]).toMatchObject([422, [{ details: query.split('=')[0] }]]);
  });

  it('takes 500 cases a page, and 20 activities of each', async () => {
    const account = await buildAccount(stores.db);
    const { case_id } = await api.make(account, { name: 'Busy' });
    await stores.db.transaction(async (session) => {
      await session.run('INSERT INTO case_activities (case_id, activity_type, value, user_id) VALUES ?', [
        Array.from({ length: 30 }, (_, index) => [case_id, 'COMMENTED', `c${index}`, account.user.id]),
      ]);
    });
    await insertCases(account, 499);
    const { body } = await api.get(account, `${CASES}?per_page=500&order=ASC`);
    expect(body.cases.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      ['Busy', ...Array.from({ length: 499 }, (_, index) => `n${index}`)].toSorted(),
    );
    const ids = body.cases.map((each: { case_id: number }) => each.case_id);
    expect(await idsOf(account, '?per_page=500&order=DESC')).toEqual(ids.toReversed());
    const [busy] = body.cases.filter(({ name }: { name: string }) => name === 'Busy');
    expect(busy.activities).toHaveLength(20);
    expect(busy.activities_meta).toMatchObject({ count: 31, pages: 2, previous_page: null });
    const next = new URL(busy.activities_meta.next_page);
    const rest = await api.get(account, next.pathname + next.search);
    expect(rest.body.activities.map(({ value }: { value: string }) => value)).toEqual(
      Array.from({ length: 11 }, (_, index) => `c${index + 19}`),
    );
  });

  it('loads cases while they are taken, and leaves out those that are gone by then', async () => {
    const actor = await makeTeam(stores.db);
    let reads = 0;
    const read: Database['read'] = (work) => {
      reads += 1;
      return stores.db.read(work);
    };
    const database = { ...stores.db, read };
    const service = createCaseService({ database, formulas: createClosureFormulas() });
    await insertCases({ tenantId: actor.tenantId, team: { id: actor.teamId } }, 50);
    const order = { by: 'NAME', direction: 'ASC' } as const;
    const { items, total } = await service.list(actor, { order }, { offset: 0, limit: 500 });
    const names = [];
    for await (const { stored } of items) {
      if (names.length === 0) await stores.sql("DELETE FROM cases WHERE name IN ('n10', 'n49')");
      names.push(stored.name);
    }
    // The ids, and three times cases.
    expect([total, reads, names.length]).toEqual([50, 4, 49]);
    expect(names).toContain('n10');
    expect(names).not.toContain('n49');
    expect(names).toEqual(names.toSorted());
  });

  it('is one text, also where it is long', async () => {
    const account = await buildAccount(stores.db);
    const description = '"ö\u2028\n'.repeat(5_000);
    const made = [];
    for (let index = 0; index < 30; index += 1) made.push(await api.make(account, { description }));
    const { body } = await api.get(account, `${CASES}?per_page=500`);
    expect(body.cases).toEqual(made.toReversed());
    expect(Object.keys(body)).toEqual(['cases', 'meta']);
    expect(body.meta.count).toBe(30);
  });
});
