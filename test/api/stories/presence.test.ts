import { createPresenceList } from '../../../src/stories/presence/presence-list.js';
import { type Account, buildAccount, buildKey } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { startFabula } from '../../support/fabula.js';
import { callApi, useManageApi, WITHOUT_WORKERS } from '../../support/manage-api.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';

const stores = useStores();
const api = useManageApi(stores);
const GUID = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const DRAWN = storyOf({ Ask: ['Webhook', {}] }, []);

let ana: Account;
let ben: Account;
let storyId: number;

/** A person of the team with a name. */
async function person(firstName: string, role: 'VIEWER' | 'EDITOR', team = ana.team): Promise<Account> {
  const account = await buildAccount(stores.db, { team, role });
  await stores.sql('UPDATE users SET first_name = ? WHERE id = ?', [firstName, account.user.id]);
  return account;
}

beforeEach(async () => {
  ana = await buildAccount(stores.db);
  await stores.sql("UPDATE users SET first_name = 'Ana', last_name = 'Flores' WHERE id = ?", [ana.user.id]);
  ben = await person('Ben', 'VIEWER');
  storyId = await importedBy(ana);
});

async function importedBy({ key, team }: Account): Promise<number> {
  const body = { new_name: 'Shared', data: DRAWN, team_id: team.id };
  return (await api.call(key, 'POST /api/v1/stories/import', body)).body.id;
}

const enter = (key: string, id = storyId, action_guid: string | null = null) =>
  api.call(key, `PUT /api/v1/stories/${id}/presence`, { action_guid });
const leave = (key: string, id = storyId) => api.call(key, `DELETE /api/v1/stories/${id}/presence`);
const others = async (key: string, id = storyId) => (await enter(key, id)).body.people;

describe('people who have a story open', () => {
  it('are told the names of the others, and what they have chosen; nobody is told of themselves', async () => {
    expect(await enter(ana.key, storyId, GUID)).toMatchObject({ status: 200, body: { people: [] } });
    const seen = await enter(ben.key);
    expect(seen.body).toEqual({ people: [{ name: 'Ana Flores', draft_id: null, action_guid: GUID }] });
    expect(await others(ana.key)).toEqual([{ name: 'Ben', draft_id: null, action_guid: null }]);
  });

  it('are one person with several tabs and keys, with what they chose last', async () => {
    await enter(ana.key, storyId, GUID);
    const { tenantId, user } = ana;
    const { key } = await buildKey(stores.db, { tenantId, kind: 'personal', userId: user.id });
    expect(await others(key)).toEqual([]);
    expect(await others(ben.key)).toEqual([{ name: 'Ana Flores', draft_id: null, action_guid: null }]);
  });

  it('see each other in the story and in its drafts', async () => {
    const draft = await api.call(ana.key, `POST /api/v1/stories/${storyId}/drafts`, { name: 'Mine' });
    const draftId: number = draft.body.id;
    await enter(ana.key, draftId, GUID);
    expect(await others(ben.key)).toEqual([{ name: 'Ana Flores', draft_id: draftId, action_guid: GUID }]);
    expect(await others(ana.key, draftId)).toEqual([{ name: 'Ben', draft_id: null, action_guid: null }]);
  });

  it('are gone when they say so', async () => {
    await enter(ana.key);
    expect((await leave(ana.key)).status).toBe(204);
    expect(await others(ben.key)).toEqual([]);
  });

  it('without a name have the first part of their address', async () => {
    const nameless = await buildAccount(stores.db, { team: ana.team });
    await enter(nameless.key);
    expect(await others(ben.key)).toEqual([
      { name: nameless.user.email.split('@')[0], draft_id: null, action_guid: null },
    ]);
  });

  it('are not told to those who may not see the story', async () => {
    await enter(ana.key);
    const otherTeam = await buildAccount(stores.db, { tenantId: ana.tenantId });
    const otherTenant = await buildAccount(stores.db, { owner: true });
    for (const { key } of [otherTeam, otherTenant]) {
      expect((await enter(key)).status).toBe(404);
      expect((await leave(key)).status).toBe(404);
    }
    expect(await others(ben.key)).toHaveLength(1);
    expect(await others(otherTenant.key, await importedBy(otherTenant))).toEqual([]);
  });

  it('change neither the story nor the audit log', async () => {
    const graph = `GET /api/v1/stories/${storyId}/graph`;
    const before = await api.call(ana.key, graph);
    await stores.sql('DELETE FROM audit_logs');
    await enter(ana.key, storyId, GUID);
    await leave(ana.key);
    const after = await api.call(ana.key, graph);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
    const rows = await stores.db.read((session) => session.rows('SELECT id FROM audit_logs'));
    expect(rows).toEqual([]);
  });

  it('are refused with the reason for a guid that is none', async () => {
    const { status, body } = await api.call(ana.key, `PUT /api/v1/stories/${storyId}/presence`, {
      action_guid: 'x'.repeat(256),
    });
    expect([status, body.errors[0].details]).toEqual([422, 'action_guid']);
  });

  it('are forgotten after 45 seconds without a sign', async () => {
    await enter(ana.key);
    const [key = ''] = await stores.redis.keys(`${stores.queuePrefix}*:presence:${storyId}`);
    const left = await stores.redis.pttl(key);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(45_000);
  });
});

const entry = (userId: number) => ({ userId, openId: 7, actionGuid: GUID });

describe('the list of people', () => {
  it('drops each person after its own time', async () => {
    const short = createPresenceList(stores.redis, stores.queuePrefix, 100);
    const long = createPresenceList(stores.redis, stores.queuePrefix);
    // The key itself ends with the last one who came.
    await short.enter(1, entry(2));
    await long.enter(1, entry(1));
    await eventually(async () => (await long.enter(1, entry(3))).every(({ userId }) => userId !== 2));
    expect(await long.enter(1, entry(3))).toEqual([entry(1)]);
  });

  it('has fifty people of a story at most; one more sees them', async () => {
    const list = createPresenceList(stores.redis, stores.queuePrefix);
    for (let user = 1; user <= 51; user += 1) await list.enter(2, entry(user));
    expect(await list.enter(2, entry(51))).toHaveLength(50);
    expect(await list.enter(2, entry(50))).toHaveLength(49);
  });

  it('keeps a guid of any form', async () => {
    const list = createPresenceList(stores.redis, stores.queuePrefix);
    const odd = { userId: 1, openId: 7, actionGuid: 'a  b%s\n\u0000é' };
    await list.enter(3, odd);
    expect(await list.enter(3, entry(2))).toEqual([odd]);
  });
});

it('answers 503 while Redis is away, and goes on with it', async () => {
  const proxy = await startTcpProxy(stores.redisUrl);
  stores.onClose(() => proxy.close());
  const fabula = await startFabula(stores, { ...WITHOUT_WORKERS, env: { REDIS_URL: proxy.url } });
  const put = () => callApi(fabula.url, ana.key, `PUT /api/v1/stories/${storyId}/presence`, {});
  expect((await put()).status).toBe(200);
  proxy.cut();
  const refused = await put();
  expect([refused.status, refused.body.errors[0].message]).toEqual([
    503,
    'Redis is unavailable, so it is unknown who has the story open',
  ]);
  proxy.restore();
  await eventually(async () => (await put()).status === 200);
  await fabula.close();
});
