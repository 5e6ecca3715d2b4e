import type { Run, Story } from '../../clients/typescript/api.js';
import { createClient, FabulaError } from '../../clients/typescript/client.js';
import { type Account, buildAccount } from '../support/builders.js';
import { useManageApi } from '../support/manage-api.js';
import { useStores } from '../support/stores.js';
import { smallExport } from '../support/stories.js';

const stores = useStores();
const api = useManageApi(stores, { queues: [], relay: false });
let account: Account;
beforeEach(async () => {
  account = await buildAccount(stores.db, { owner: true });
});

const clientFor = (key = account.key) => createClient({ url: `${api.fabula().url}/`, key });
const storyBody = (name: string) =>
  ({ new_name: name, team_id: account.team.id, data: smallExport() }) as never;
const refused = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as FabulaError,
  );

describe('the TypeScript client', () => {
  it('creates, reads, changes and deletes', async () => {
    const fabula = clientFor();
    const { id } = await fabula.stories.import(storyBody('Triage'));
    const story: Story = await fabula.stories.get({ id });
    expect(story).toMatchObject({ name: 'Triage', team_id: account.team.id });
    expect(await fabula.stories.update({ id, name: 'Other', description: 'a/b?c=d&e' })).toMatchObject({
      name: 'Other',
      description: 'a/b?c=d&e',
    });
    const run: Run = await fabula.stories.runs.start({ id, payload: { list: [1, { a: null }] } });
    expect((await fabula.stories.runs.get({ id, guid: run.guid })).story_id).toBe(id);
    expect(await fabula.stories.delete({ id })).toBeUndefined();
    expect((await fabula.users.me()).email).toBe(account.user.email);
  });

  it('A1 clients: takes a text that is answered bare, and values of every other kind', async () => {
    const fabula = clientFor();
    const { id } = await fabula.globalResources.create({
      name: 'List',
      value: 'abc',
      team_id: account.team.id,
    });
    expect(await fabula.globalResources.append({ id, value: 'def' })).toBe('abcdef');
    expect(await fabula.globalResources.append({ id, value: '5' })).toBe('abcdef5');
    for (const value of ['5', '', '"5"', 'null', 5, null, false, [1], { a: 'b' }]) {
      await fabula.globalResources.update({ id, value: { a: value, b: 'c' } });
      expect(await fabula.globalResources.replace({ id, key: 'b', value })).toEqual(value);
      expect(await fabula.globalResources.remove({ id, key: 'a' })).toEqual(value);
    }
    const answered: unknown = (await fabula.globalResources.get({ id, typed_value: true })).value;
    expect(answered).toEqual({ b: { a: 'b' } });
  });

  it('gives errors with status, problems and the id of the request', async () => {
    const fabula = clientFor();
    expect(await refused(fabula.stories.get({ id: 999_999 }))).toMatchObject({
      name: 'FabulaError',
      status: 404,
      message: 'Story not found',
      requestId: expect.stringMatching(/^[\w-]+$/),
      retryAfterSeconds: undefined,
    });
    const wrong = await refused(fabula.teams.list({ page: 0, per_page: 501 }));
    expect(wrong).toBeInstanceOf(FabulaError);
    expect(wrong?.problems.map(({ details }) => details)).toEqual(['page', 'per_page']);
    expect((await refused(clientFor('fab_nothing').users.me()))?.status).toBe(401);
  });

  it('goes through a list page by page, and stops when nobody asks for more', async () => {
    const fabula = clientFor();
    for (const name of ['A', 'B', 'C']) {
      await fabula.stories.import(storyBody(name));
      await fabula.folders.create({ name, team_id: account.team.id });
    }
    const folders: string[] = [];
    for await (const folder of fabula.folders.all({ per_page: 2 })) folders.push(folder.name);
    expect(folders.toSorted()).toEqual(['A', 'B', 'C']);
    const stories: string[] = [];
    for await (const story of fabula.stories.all({ per_page: 2 })) stories.push(story.name);
    expect(stories.toSorted()).toEqual(['A', 'B', 'C']);
    const first: string[] = [];
    for await (const story of fabula.stories.all({})) {
      first.push(story.name);
      break;
    }
    expect(first).toHaveLength(1);
  });

  it('A19 clients: always asks for the object form of the list of stories, one page at a time', async () => {
    const fabula = clientFor();
    await fabula.stories.import(storyBody('A'));
    const { stories, meta } = await fabula.stories.list();
    expect(stories).toMatchObject([{ name: 'A', team_id: account.team.id }]);
    expect(meta.count).toBe(1);
  });

  it('A19 clients: gives status and headers beside the response, and sends headers', async () => {
    const fabula = clientFor();
    const { id } = await fabula.stories.import(storyBody('Graph'));
    const { data, response } = await fabula.stories.graph.get({ id }).withResponse();
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toMatch(/^"/);
    const headers = { 'If-Match': '"0"' };
    expect(await refused(fabula.stories.graph.replace({ ...data, id }, { headers }))).toMatchObject({
      status: 412,
    });
    const wrong = fabula.stories.get({ id: 999_999 }).withResponse();
    expect(await refused(wrong)).toMatchObject({ status: 404 });
  });

  it('A19 clients: does a POST with a key once, however often it is sent', async () => {
    const fabula = clientFor();
    const create = () =>
      fabula.cases.create({ name: 'Once', team_id: account.team.id }, { idempotencyKey: 'case-1' });
    const first = await create();
    const again = await create().withResponse();
    expect(again.data.case_id).toBe(first.case_id);
    expect(again.response.headers.get('idempotency-replayed')).toBe('true');
  });

  it('sends lists in the query, and a body apart', async () => {
    const fabula = clientFor();
    const type = await fabula.recordTypes.create({
      name: 'Alert',
      team_id: account.team.id,
      fields: [{ name: 'Severity', result_type: 'TEXT' }],
    });
    const [severity] = type.record_fields;
    const field = severity!.id;
    for (const value of ['low', 'high']) {
      await fabula.records.create({ record_type_id: type.id, field_values: [{ field_id: field, value }] });
    }
    const found = await fabula.records.list({
      record_type_id: type.id,
      record_field_ids: [field],
      filters: [{ field_id: field, operator: 'EQUAL', value: 'high' }],
    });
    expect(found.record_results).toMatchObject([{ Severity: 'high' }]);
    const one = await fabula.cases.create({ name: 'One', team_id: account.team.id });
    const two = await fabula.cases.create({ name: 'Two', team_id: account.team.id });
    await fabula.cases.linkedCases.create({ id: one.case_id, body: { id: two.case_id } });
    expect((await fabula.cases.get({ id: one.case_id })).linked_cases).toMatchObject([
      { case_id: two.case_id },
    ]);
  });

  it('follows no redirect, and gives up in time', async () => {
    const asked: RequestInit[] = [];
    const fetch: typeof globalThis.fetch = (_address, init) => {
      asked.push(init ?? {});
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
    };
    const fabula = createClient({ url: 'https://fabula.example', key: 'fab_key', timeoutMs: 5, fetch });
    expect(await refused(fabula.users.me())).toMatchObject({
      name: 'FabulaTimeoutError',
      cause: { name: 'TimeoutError' },
    });
    expect(asked).toMatchObject([{ redirect: 'manual' }]);
  });
});
