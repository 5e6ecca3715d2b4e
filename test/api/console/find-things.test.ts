import { buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { agent, smallExport } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores, { queues: [], relay: false, env: { REFUSED_CALLS_PER_MINUTE: '0' } });
const HOOK = 'Agents::WebhookAgent';

let unique = 0;

/** An account with a story for each name, each with a webhook of that name. */
async function withWebhooks(names: readonly string[]) {
  const account = await buildAccount(stores.db, { owner: true });
  const paths = new Map<string, string>();
  for (const name of names) {
    unique += 1;
    const path = `${name.toLowerCase()}-${process.pid}-${unique}`;
    paths.set(name, path);
    const hook = { ...agent(HOOK, `guid-${unique}`, { path, secret: 'secret', verbs: 'post' }), name };
    await api.call(account.key, 'POST /api/v1/stories/import', {
      new_name: `Story of ${name}`,
      team_id: account.team.id,
      data: smallExport({ agents: [hook], links: [] }),
    });
  }
  const list = async (query: string): Promise<Parsed> =>
    (await api.call(account.key, `GET /api/v1/webhooks?${query}`)).body;
  const namesOf = async (query: string): Promise<string[]> =>
    (await list(query)).webhooks.map(({ name }: { name: string }) => name);
  const send = (name: string, secret = 'secret') =>
    fetch(`${api.fabula().url}/webhook/${paths.get(name)}/${secret}`, { method: 'POST' });
  return { account, paths, list, namesOf, send };
}

describe('the list of webhooks', () => {
  it('is searched by the name of the action or its story, and by the path', async () => {
    const { namesOf, paths, list } = await withWebhooks(['Alerts', 'Billing', 'Orders_1']);
    expect(await namesOf('search=BILL')).toEqual(['Billing']);
    expect(await namesOf('search=story%20of%20al')).toEqual(['Alerts']);
    expect(await namesOf(`search=${paths.get('Orders_1')}`)).toEqual(['Orders_1']);
    // No wildcard, and no text that the column of paths cannot hold.
    expect(await namesOf('search=%25')).toEqual([]);
    expect(await namesOf('search=%C3%BC')).toEqual([]);
    expect((await list('search=bill')).meta).toMatchObject({ count: 1, pages: 1 });
  });

  it('is ordered by the last call and by refused calls; those that were not called stay behind', async () => {
    const { namesOf, list, send } = await withWebhooks(['A', 'B', 'C', 'D']);
    const isLogged = (name: string) =>
      eventually(async () => {
        const { webhooks } = await list('');
        return webhooks.find((each: { name: string }) => each.name === name).counts !== null;
      });
    await send('C', 'wrong');
    await send('C', 'wrong');
    await isLogged('C');
    await send('B');
    await isLogged('B');
    await send('D', 'wrong');
    await isLogged('D');
    expect(await namesOf('')).toEqual(['A', 'B', 'C', 'D']);
    expect(await namesOf('order=LAST_CALL')).toEqual(['D', 'B', 'C', 'A']);
    expect(await namesOf('order=REFUSED')).toEqual(['C', 'D', 'B', 'A']);
    expect(await namesOf('order=LAST_CALL&per_page=2&page=2')).toEqual(['C', 'A']);
    expect(await namesOf('order=LAST_CALL&search=story%20of%20b')).toEqual(['B']);
  });
});

it('actions of all stories are found by their name and by the path of a webhook', async () => {
  const { account, paths } = await withWebhooks(['Alerts', 'Billing']);
  const found = async (search: string) =>
    (await api.call(account.key, `GET /api/v1/actions?search=${search}`)).body.agents.map(
      ({ name }: { name: string }) => name,
    );
  expect(await found('lert')).toEqual(['Alerts']);
  expect(await found(paths.get('Billing') ?? '')).toEqual(['Billing']);
  // The name of the story is no name of its actions.
  expect(await found('story')).toEqual([]);
});

it('resources are found by a part of their name in any letter case', async () => {
  const { key, team } = await buildAccount(stores.db, { owner: true });
  for (const name of ['Blocked domains', 'Allowed domains', 'Über_100%']) {
    await api.call(key, 'POST /api/v1/global_resources', { team_id: team.id, name, value: 'v' });
  }
  const found = async (search: string) =>
    (
      await api.call(key, `GET /api/v1/global_resources?search=${encodeURIComponent(search)}`)
    ).body.global_resources.map(({ name }: { name: string }) => name);
  expect(await found('blocked')).toEqual(['Blocked domains']);
  expect(await found('DOMAINS')).toEqual(['Blocked domains', 'Allowed domains']);
  expect(await found('0%')).toEqual(['Über_100%']);
  expect(await found('_0')).toEqual([]);
});

it('entries of the audit log name what was changed, and the story of an action; a stranger sees no name', async () => {
  const { key, team, user } = await buildAccount(stores.db, { owner: true });
  const story = (await api.call(key, 'POST /api/v1/stories', { team_id: team.id, name: 'Triage' })).body;
  const action = (
    await api.call(key, 'POST /api/v1/actions', {
      story_id: story.id,
      type: 'Agents::TriggerAgent',
      name: 'Is it high?',
      options: { rules: [] },
    })
  ).body;
  await api.call(key, `PUT /api/v1/admin/users/${user.id}`, { first_name: 'Ada', last_name: 'L.' });
  await api.call(key, `DELETE /api/v1/actions/${action.id}`);
  const entries = async (account: string) =>
    (await api.call(account, 'GET /api/v1/audit_logs')).body.audit_logs.map(
      (entry: { action: string; target_name: string | null; story_id: number | null }) => [
        entry.action,
        entry.target_name,
        entry.story_id,
      ],
    );
  expect(await entries(key)).toEqual([
    ['agent.delete', null, null],
    ['user.update', 'Ada L.', null],
    ['agent.create', null, null],
    ['story.create', 'Triage', story.id],
  ]);
  const kept = (
    await api.call(key, 'POST /api/v1/actions', {
      story_id: story.id,
      type: 'Agents::TriggerAgent',
      name: 'Stays',
      options: { rules: [] },
    })
  ).body;
  await api.call(key, `PUT /api/v1/actions/${kept.id}`, { name: 'Renamed' });
  expect((await entries(key)).slice(0, 2)).toEqual([
    ['agent.update', 'Renamed', story.id],
    ['agent.create', 'Renamed', story.id],
  ]);
  const stranger = await buildAccount(stores.db, { owner: true });
  // An entry of another tenant about an id of ours.
  await stores.sql('UPDATE audit_logs SET tenant_id = ? WHERE action = ?', [
    stranger.tenantId,
    'story.create',
  ]);
  expect(await entries(stranger.key)).toEqual([['story.create', null, story.id]]);
});
