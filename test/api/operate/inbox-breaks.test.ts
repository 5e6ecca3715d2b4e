import { visibleText } from '../../../src/platform/visible-text.js';
import { saveQuotas } from '../../../src/people/quotas/quota-store.js';
import { buildAccount } from '../../support/builders.js';
import { buildScene, deliver, entryIn, importWork, inboxOf, inboxOnce } from '../../support/inbox-work.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { says } from '../../support/run-api.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

const QUOTA = 'quota-stories-used_up';
const HOSTILE = `<img src=x onerror="a()">'; DROP TABLE users; -- \u202E\u0007{{ .x }} ${'名'.repeat(60)}`;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const patch = (key: string, entry: string, body: object) =>
  api.call(key, `PATCH /api/v1/inbox/${entry}`, body);

/** An account whose tenant may have no more stories: the entry has the same key in each tenant. */
async function withoutStories() {
  const scene = await buildScene(stores, api);
  await stores.db.read((session) => saveQuotas(scene.tenantId, { stories: 1 }, session));
  await inboxOnce(api, scene.key, (inbox) => entryIn(inbox, QUOTA) !== undefined);
  return scene;
}

test('entries with the same key in two tenants share neither assignee, nor snooze, nor history', async () => {
  const one = await withoutStories();
  const other = await withoutStories();
  const changed = await patch(one.key, QUOTA, { assignee_id: one.user.id, snoozed_until: inHours(1) });
  expect(changed.body).toMatchObject({ assignee: { id: one.user.id }, snoozed_until: expect.any(String) });
  expect(entryIn(await inboxOf(api, other.key), QUOTA)).toMatchObject({
    assignee: null,
    snoozed_until: null,
  });
  expect((await patch(other.key, QUOTA, { assignee_id: one.user.id })).status).toBe(422);
  await stores.db.read((session) => saveQuotas(one.tenantId, { stories: 0 }, session));
  const closed = await inboxOnce(api, one.key, ({ entries }) => entries.length === 1, '?state=CLOSED');
  expect(closed.entries[0]).toMatchObject({ key: QUOTA, closed: { after: null, by: null } });
  expect((await inboxOf(api, other.key, '?state=CLOSED')).entries).toEqual([]);
  expect(entryIn(await inboxOf(api, other.key), QUOTA)).toBeDefined();
});

test('no key of another tenant leads to an entry, whatever its kind', async () => {
  const { key, team, storyId, agentId } = await buildScene(stores, api);
  const stranger = await buildAccount(stores.db, { owner: true });
  await deliver(stores, { storyId, agentId, state: 'failed', attempts: 1, error: 'e' });
  await deliver(stores, { storyId, agentId, state: 'held' });
  const { entries } = await inboxOnce(api, key, (inbox) => inbox.entries.length === 2);
  const keys = entries.map((entry: Parsed) => entry.key as string);
  expect(keys).toContain(`held-fair_share-${team.id}`);
  for (const entry of keys) {
    for (const change of [{ assignee_id: stranger.user.id }, { snoozed_until: inHours(1) }]) {
      expect((await patch(stranger.key, entry, change)).status).toBe(404);
      expect((await api.call(stranger.key, `PUT /api/v1/inbox/${entry}`, change)).status).toBe(404);
    }
    expect((await patch(key, entry, { assignee_id: stranger.user.id })).status).toBe(422);
  }
  const marks = await stores.db.read((session) => session.rows('SELECT entry_key FROM inbox_marks'));
  expect(marks).toEqual([]);
});

test('names of people are told as they are, open and closed, and odd keys lead to nothing', async () => {
  const account = await buildAccount(stores.db);
  const storyId = await importWork(api, account, { [HOSTILE]: says({ text: 'a' }) });
  await api.call(account.key, `PUT /api/v1/stories/${storyId}`, { name: HOSTILE });
  const { agents } = (await api.call(account.key, `GET /api/v1/stories/${storyId}/agents`)).body;
  const [{ id: agentId, name }] = agents;
  await deliver(stores, { storyId, agentId, state: 'failed', attempts: 1, error: HOSTILE });
  const inbox = await inboxOnce(api, account.key, ({ entries }) => entries.length === 1);
  const [entry] = inbox.entries;
  expect(entry).toMatchObject({ title: `${visibleText(name)} failed once`, action: { id: agentId, name } });
  await stores.sql('DELETE FROM deliveries WHERE agent_id = ?', [agentId]);
  const closed = await inboxOnce(api, account.key, ({ entries }) => entries.length === 1, '?state=CLOSED');
  expect(closed.entries[0]).toMatchObject({ key: entry.key, title: entry.title, story: entry.story });
  expect((await patch(account.key, entry.key, { assignee_id: null })).status).toBe(404);
  for (const odd of ['%27%20OR%201=1', 'A', 'a'.repeat(81), '%F0%9F%92%A9', 'held-%25']) {
    expect((await patch(account.key, odd, { assignee_id: null })).status).toBe(404);
  }
});

test('who was deactivated, or removed, has no entry any more', async () => {
  const { key, team, storyId, agentId } = await buildScene(stores, api);
  const person = await buildAccount(stores.db, { team, role: 'EDITOR' });
  await deliver(stores, { storyId, agentId, state: 'held' });
  const entry = `held-fair_share-${team.id}`;
  await inboxOnce(api, key, (inbox) => entryIn(inbox, entry) !== undefined);
  await patch(key, entry, { assignee_id: person.user.id });
  expect((await inboxOf(api, key, `?assignee_id=${person.user.id}`)).entries).toHaveLength(1);
  await stores.sql('UPDATE users SET deactivated_at = NOW(3) WHERE id = ?', [person.user.id]);
  expect((await inboxOf(api, key, `?assignee_id=${person.user.id}`)).entries).toEqual([]);
  expect((await inboxOf(api, key, '?assigned=false')).entries).toMatchObject([
    { key: entry, assignee: null },
  ]);
  expect((await patch(key, entry, { assignee_id: person.user.id })).status).toBe(422);
  await stores.sql('DELETE FROM users WHERE id = ?', [person.user.id]);
  expect((await inboxOf(api, key)).entries).toMatchObject([{ key: entry, assignee: null }]);
});

test('changes of one entry at once all succeed, and the last of each field counts', async () => {
  const { key, team, storyId, agentId, user } = await buildScene(stores, api);
  const other = await buildAccount(stores.db, { team, role: 'EDITOR' });
  await deliver(stores, { storyId, agentId, state: 'held' });
  const entry = `held-fair_share-${team.id}`;
  await inboxOnce(api, key, (inbox) => entryIn(inbox, entry) !== undefined);
  const until = inHours(2);
  const races = Array.from({ length: 12 }, (_, n) => [
    patch(key, entry, { assignee_id: n % 2 === 0 ? user.id : other.user.id }),
    patch(other.key, entry, { snoozed_until: until }),
  ]).flat();
  expect((await Promise.all(races)).map(({ status }) => status)).toEqual(races.map(() => 200));
  const [listed] = (await inboxOf(api, key, '?state=SNOOZED')).entries;
  expect([user.id, other.user.id]).toContain(listed.assignee.id);
  expect(Math.abs(Date.parse(listed.snoozed_until) - Date.parse(until))).toBeLessThan(1_000);
  expect((await patch(key, entry, { snoozed_until: inHours(-1) })).status).toBe(422);
  expect((await patch(key, entry, { snoozed_until: null, assignee_id: null })).body).toMatchObject({
    assignee: null,
    snoozed_until: null,
  });
});

test('readers at once note an entry once, and its end once', async () => {
  const { key, team, storyId, agentId } = await buildScene(stores, api);
  const editor = await buildAccount(stores.db, { team, role: 'EDITOR' });
  const owner = await buildAccount(stores.db, { tenantId: team.tenantId, owner: true });
  await deliver(stores, { storyId, agentId, state: 'failed', attempts: 1, error: 'e' });
  const all = [key, editor.key, owner.key];
  await Promise.all(all.map((each) => inboxOnce(api, each, ({ entries }) => entries.length === 1)));
  await stores.sql('DELETE FROM deliveries WHERE agent_id = ?', [agentId]);
  await Promise.all(all.map((each) => inboxOnce(api, each, ({ entries }) => entries.length === 0)));
  const closed = await inboxOnce(api, key, ({ entries }) => entries.length > 0, '?state=CLOSED');
  expect(closed.entries).toHaveLength(1);
  const rows = await stores.db.read((session) =>
    session.rows('SELECT open_key FROM inbox_history WHERE tenant_id = ?', [team.tenantId]),
  );
  expect(rows).toEqual([{ open_key: null }]);
});
