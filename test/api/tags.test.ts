import { listTags, lockTaggedStories } from '../../src/data/tags/tag-store.js';
import { buildAccount, buildTeam } from '../support/builders.js';
import { places, TIME, useManageApi } from '../support/manage-api.js';
import { type PlanRow, plansOf, sortsRows } from '../support/plans.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores);
const TAGS = '/api/v1/tags';
/** `g: tags_team_name`, and whether rows are sorted. */
const keys = (rows: PlanRow[]) =>
  `${rows.map(({ table, key }) => `${table}: ${key}`).join(', ')}${sortsRows(rows) ? ' sorted' : ''}`;
/** The first of many teams. */
const FIRST = 1_000;

async function world(overrides: Parameters<typeof buildAccount>[1] = {}) {
  const account = await buildAccount(stores.db, overrides);
  const { key, team } = account;
  const call = (request: string, body?: object) => api.call(key, request, body);
  const story = async (tags: string[]) =>
    (await call('POST /api/v1/stories', { name: 'S', team_id: team.id, tags })).body;
  const tagsOf = async (id: number) => (await call(`GET /api/v1/stories/${id}`)).body.tags;
  const list = async (query = '') => (await call(`GET ${TAGS}${query}`)).body.tags;
  const named = async (name: string) => (await list()).find((tag: { name: string }) => tag.name === name);
  const names = async () => (await list()).map(({ name }: { name: string }) => name);
  return { ...account, call, story, tagsOf, list, named, names };
}

it('are made, given, listed and changed, in the form of public clients', async () => {
  const { call, list, team } = await world();
  const made = (await call(`POST ${TAGS}`, { name: ' high ', team_id: String(team.id), color: 'red' })).body;
  const inTeam = { id: team.id, name: team.name };
  const full = { name: 'high', color: '#FF8888', team: inTeam, teams: [inTeam], created_at: TIME };
  expect(made).toEqual({ id: expect.any(Number), ...full, updated_at: TIME });
  expect((await call(`GET ${TAGS}/${made.id}`)).body).toEqual(made);
  const plain = (await call(`POST ${TAGS}?name=plain`)).body;
  expect(plain).toMatchObject({ name: 'plain', color: '#8D75E6' });
  expect(await list(`?team_id=${team.id}`)).toEqual([made, plain]);
  const sentBack = await call(`PUT ${TAGS}/${made.id}`, { ...made, color: '#9b61ff' });
  expect(sentBack.body).toMatchObject({ name: 'high', color: '#9B61FF' });
  expect((await call(`PATCH ${TAGS}/${made.id}`, { name: 'higher' })).body.name).toBe('higher');
});

it.each([
  [{ color: 'red' }, 422, ['name']],
  [{ name: 'a,b' }, 422, ['name']],
  [{ name: '' }, 422, ['name']],
  [{ name: 'x', color: 'pink' }, 422, ['color']],
  [{ name: 'x', team_id: 0, color: '#12345' }, 422, ['team_id', 'color']],
  [{ name: 'x', label: 'y' }, 422, ['label']],
  [{ name: 'taken' }, 409, ['name']],
  [{ name: 'x', team_id: 999_999 }, 404, [undefined]],
])('%j is refused', async (body, status, fields) => {
  const { call } = await world();
  await call(`POST ${TAGS}`, { name: 'taken' });
  const response = await call(`POST ${TAGS}`, body);
  expect([response.status, places(response)]).toEqual([status, fields]);
});

it('are those of stories and cases too', async () => {
  const { call, story, names, team } = await world();
  const { id } = await story(['b', 'a']);
  await call(`PUT /api/v1/stories/${id}`, { add_tag_names: ['c'] });
  const data = { ...smallExport(), tags: ['imported', 'a'] };
  await call('POST /api/v1/stories/import', { new_name: 'I', data, team_id: team.id });
  await call('POST /api/v2/cases', { name: 'C', team_id: team.id, tag_names: ['case', 'a'] });
  expect(await names()).toEqual(['a', 'b', 'c', 'case', 'imported']);
});

it('follow a story to another team', async () => {
  const { call, story, list, tenantId } = await world({ owner: true });
  const other = await buildTeam(stores.db, { tenantId });
  const { id } = await story(['moved']);
  await call(`PUT /api/v1/stories/${id}`, { team_id: other.id });
  expect(await list(`?team_id=${other.id}`)).toMatchObject([{ name: 'moved', team: { id: other.id } }]);
});

it('rename changes stories, drafts and cases, as new versions', async () => {
  const { call, story, tagsOf, named, team } = await world();
  const first = await story(['a', 'old', 'b']);
  const second = await story(['old', 'new2']);
  const apart = await story(['older']);
  await call(`PUT /api/v1/stories/${first.id}`, { locked: true });
  const draft = (await call(`POST /api/v1/stories/${second.id}/drafts`, { name: 'D' })).body;
  const made = { name: 'C', team_id: team.id, tag_names: ['old'] };
  const filed = (await call('POST /api/v2/cases', made)).body;
  const { id } = await named('old');
  const changed = await call(`PUT ${TAGS}/${id}`, { name: 'new', color: 'mint' });
  expect([changed.status, changed.body.name, changed.body.color]).toEqual([200, 'new', '#7ADFC3']);
  expect(await tagsOf(first.id)).toEqual(['a', 'new', 'b']);
  expect(await tagsOf(second.id)).toEqual(['new', 'new2']);
  expect(await tagsOf(draft.id)).toEqual(['new', 'new2']);
  expect(await tagsOf(apart.id)).toEqual(['older']);
  expect((await call(`GET /api/v2/cases/${filed.case_id}`)).body.tags).toEqual([{ id, name: 'new' }]);
  expect(await named('old')).toBeUndefined();
  const exported = (await call(`GET /api/v1/stories/${first.id}/export`)).body;
  expect(exported.tags).toEqual(['a', 'new', 'b']);
});

it('keep the name of another tag, and everything else, in a refused rename', async () => {
  const { call, story, tagsOf, named } = await world();
  const { id } = await story(['old', 'other']);
  const response = await call(`PUT ${TAGS}/${(await named('old')).id}`, { name: 'other' });
  expect([response.status, places(response)]).toEqual([409, ['name']]);
  expect(await tagsOf(id)).toEqual(['old', 'other']);
});

it('leave stories and cases when they are deleted', async () => {
  const { call, story, tagsOf, named, names, team } = await world();
  const { id } = await story(['gone', 'stays']);
  const made = { name: 'C', team_id: team.id, tag_names: ['gone', 'stays'] };
  const filed = (await call('POST /api/v2/cases', made)).body;
  const path = `${TAGS}/${(await named('gone')).id}`;
  expect((await call(`DELETE ${path}?team_id=${team.id + 1}`)).status).toBe(404);
  expect((await call(`DELETE ${path}?team_id=${team.id}`)).status).toBe(204);
  expect((await call(`DELETE ${path}`)).status).toBe(404);
  expect(await tagsOf(id)).toEqual(['stays']);
  const { tags } = (await call(`GET /api/v2/cases/${filed.case_id}`)).body;
  expect(tags).toMatchObject([{ name: 'stays' }]);
  expect(await names()).toEqual(['stays']);
});

it('of more than a hundred stories are neither renamed nor deleted', async () => {
  const { call, named, story, team, tenantId } = await world();
  await story(['much']);
  await stores.sql(
    `INSERT INTO stories (tenant_id, team_id, user_id, name, guid, schema_version, language, extra, settings)
     SELECT ?, ?, 1, 'S', LPAD(HEX(seq.n), 32, 'a'), 30, 'formula', '{"tags":["much"]}', '{"tags":["much"]}'
     FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) seq`,
    [tenantId, team.id, JSON.stringify(Array.from({ length: 100 }, (_, n) => n))],
  );
  const { id } = await named('much');
  expect((await call(`PUT ${TAGS}/${id}`, { name: 'x' })).status).toBe(422);
  expect((await call(`DELETE ${TAGS}/${id}`)).status).toBe(422);
  expect((await call(`PUT ${TAGS}/${id}`, { color: 'gold' })).body).toMatchObject({ name: 'much' });
});

it('are of one team: a change names no other', async () => {
  const { call, named, story, tenantId } = await world({ owner: true });
  const other = await buildTeam(stores.db, { tenantId });
  await story(['a']);
  const response = await call(`PUT ${TAGS}/${(await named('a')).id}`, { team_id: other.id });
  expect([response.status, places(response)]).toEqual([422, ['team_id']]);
});

it('are read by index, in its order for one team', async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => [FIRST + (n % 40), `tag ${n}`]);
  await stores.sql('INSERT INTO tags (team_id, name) VALUES ?', [rows]);
  await stores.sql(
    "INSERT INTO teams (id, tenant_id, name) SELECT n, 1, CONCAT('T', n) FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) s",
    [JSON.stringify(Array.from({ length: 40 }, (_, n) => FIRST + n))],
  );
  await stores.sql(
    `INSERT INTO stories (tenant_id, team_id, user_id, name, guid, schema_version, language, extra, settings)
     SELECT 1, ? + seq.n % 40, 1, 'S', LPAD(HEX(seq.n), 32, 'b'), 30, 'formula', '{}', '{}'
     FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) seq`,
    [FIRST, JSON.stringify(Array.from({ length: 2_000 }, (_, n) => n))],
  );
  await stores.sql('ANALYZE TABLE tags, teams, stories', []);
  const window = { offset: 0, limit: 20 };
  const one = await plansOf(stores.db, (session) => listTags([FIRST], window, session), keys);
  expect(one).toEqual(['g: tags_team_name, t: PRIMARY']);
  const tagged = await plansOf(
    stores.db,
    (session) => lockTaggedStories({ teamId: FIRST, name: 'a' }, 101, session),
    keys,
  );
  expect(tagged.join()).toContain('stories: stories_team_name');
});
