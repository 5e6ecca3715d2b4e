import { useStores } from '../../support/stores.js';
import { makeTeam, smallExport } from '../../support/stories.js';
import { useStoryApi } from '../../support/story-api.js';

const stores = useStores();
const api = useStoryApi(stores);
const LIST = '/api/v1/stories';
const empty = smallExport({ agents: [], links: [] });

/** The names in either form of the list. */
const namesIn = (body: unknown) => {
  const list = Array.isArray(body) ? body : (body as { stories: unknown[] }).stories;
  return (list as { name: string }[]).map(({ name }) => name);
};

async function teamWith(names: string[]) {
  const actor = await makeTeam(stores.db);
  for (const new_name of names) await api.stories.import(actor, { new_name, data: empty });
  return actor;
}

const pageLink = (page: number, rel: string) =>
  `<https://fabula.example/api/v1/stories?per_page=2&search=&page=${page}>; rel="${rel}"`;

describe('the list of stories', () => {
  it('is a bare array, key by key', async () => {
    const actor = await makeTeam(stores.db);
    const data = { ...empty, description: 'What it does' };
    const { story } = await api.stories.import(actor, { new_name: 'One', data });
    const { status, body, headers } = await api.call(actor, LIST);
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        id: story.id,
        name: 'One',
        user_id: actor.userId,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        description: 'What it does',
        guid: story.guid,
      },
    ]);
    expect(headers.get('link')).toMatch(/^<\S+>; rel="alternate"$/);
    expect(headers.get('x-total-count')).toBeNull();
  });

  it('is newest first, all at once', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `S${index}`);
    const actor = await teamWith(names);
    expect(namesIn((await api.call(actor, LIST)).body)).toEqual(names.toReversed());
  });

  it('comes in pages, with links that keep the other parameters', async () => {
    const actor = await teamWith(['A', 'B', 'C', 'D', 'E']);
    const { body, headers } = await api.call(actor, `${LIST}?per_page=2&search=&page=2`);
    expect(namesIn(body)).toEqual(['C', 'B']);
    expect(headers.get('x-total-count')).toBe('5');
    // The next page begins with a place, too.
    expect(headers.get('link')?.replace(/&cursor=\d+-\d+/, '')).toBe(
      [pageLink(1, 'first'), pageLink(1, 'prev'), pageLink(3, 'next'), pageLink(3, 'last')].join(', '),
    );
  });

  it('has links that keep a parameter with a question mark in it', async () => {
    const actor = await teamWith(['why? A', 'why? B', 'C']);
    const { headers } = await api.call(actor, `${LIST}?search=why?&per_page=1`);
    expect(headers.get('link')).toMatch(/\?search=why%3F&per_page=1&page=2&cursor=\d+-\d+>; rel="next"/);
  });

  it.each([
    ['?per_page=500', ['C', 'B', 'A'], ['first', 'last']],
    ['?per_page=2', ['C', 'B'], ['first', 'next', 'last']],
    ['?per_page=2&page=2', ['A'], ['first', 'prev', 'last']],
    ['?per_page=2&page=9', [], ['first', 'prev', 'last']],
    ['?page=1', ['C', 'B', 'A'], ['first', 'last']],
  ])('%s gives %j', async (query, names, relations) => {
    const actor = await teamWith(['A', 'B', 'C']);
    const { status, body, headers } = await api.call(actor, LIST + query);
    expect(status).toBe(200);
    expect(namesIn(body)).toEqual(names);
    expect([...(headers.get('link') ?? '').matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel)).toEqual(
      relations,
    );
  });

  it.each([
    ['per_page=0', 'per_page'],
    ['per_page=501', 'per_page'],
    ['page=0', 'page'],
    ['team_id=x', 'team_id'],
    ['nme=x', 'nme'],
  ])('refuses ?%s', async (query, place) => {
    const actor = await makeTeam(stores.db);
    const { status, body } = await api.call(actor, `${LIST}?${query}`);
    expect([status, body]).toMatchObject([422, { errors: [{ details: place }] }]);
  });

  it('finds part of a name, taking signs of patterns literally', async () => {
    const actor = await teamWith(['100% sure', '100 sure', 'Straße_1!', 'Other']);
    const search = async (text: string) =>
      namesIn((await api.call(actor, `${LIST}?search=${encodeURIComponent(text)}`)).body);
    expect(await search('0% S')).toEqual(['100% sure']);
    expect(await search('_1!')).toEqual(['Straße_1!']);
    expect(await search('SURE')).toEqual(['100 sure', '100% sure']);
  });

  it('shows the stories of the teams and folders that may be seen', async () => {
    const actor = await teamWith(['Mine']);
    const colleague = await makeTeam(stores.db, { tenantId: actor.tenantId });
    const stranger = await teamWith(['Foreign']);
    await api.stories.import(colleague, { new_name: 'Theirs', data: empty });
    const both = { ...actor, roles: new Map([...actor.roles, ...colleague.roles]) };
    expect(namesIn((await api.call(actor, LIST)).body)).toEqual(['Mine']);
    expect(namesIn((await api.call(both, LIST)).body)).toEqual(['Theirs', 'Mine']);
    expect(namesIn((await api.call(both, `${LIST}?team_id=${actor.teamId}`)).body)).toEqual(['Mine']);
    expect((await api.call({ ...actor, roles: new Map() }, LIST)).body).toEqual([]);
    for (const query of [`team_id=${colleague.teamId}`, `team_id=${stranger.teamId}`, 'folder_id=999999']) {
      expect((await api.call(actor, `${LIST}?${query}`)).status).toBe(404);
    }
  });

  it('shows the stories of one folder', async () => {
    const actor = await teamWith(['Outside']);
    const { insertId } = await stores.sql("INSERT INTO folders (team_id, name) VALUES (?, 'F')", [
      actor.teamId,
    ]);
    await api.stories.import(actor, { new_name: 'Inside', data: empty, folder_id: insertId });
    expect(namesIn((await api.call(actor, `${LIST}?folder_id=${insertId}`)).body)).toEqual(['Inside']);
  });
});
