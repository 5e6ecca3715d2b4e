import {
  findClosedEntries,
  findEnding,
  findOpenEntries,
  noteOpenEntries,
} from '../../../src/operate/monitoring/inbox/history/inbox-history-store.js';
import { createInboxHistory } from '../../../src/operate/monitoring/inbox/history/inbox-history.js';
import { entryOf } from '../../../src/operate/monitoring/inbox/inbox-entry.js';
import { auditEntry } from '../../../src/people/audit/audit-entry.js';
import { insertAuditEntry } from '../../../src/people/audit/audit-store.js';
import { recordingLogger } from '../../support/recording-logger.js';
import { saveQuotas } from '../../../src/people/quotas/quota-store.js';
import { findEndingKeys } from '../../../src/people/keys/ending-key-store.js';
import type { Actor } from '../../../src/api/auth/actor.js';
import type { Session } from '../../../src/platform/mysql/session.js';
import { buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { buildScene, deliver, entryIn, inboxOf, inboxOnce, LONG_MS } from '../../support/inbox-work.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { type PlanRow, plansOf } from '../../support/plans.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

const CLOSED = '?state=CLOSED';
const failed = { state: 'failed', attempts: 1, error: 'answer 17 is wrong' };

/** An account with two dead letters that its inbox has shown. */
async function failing() {
  const scene = await buildScene(stores, api, { role: 'EDITOR' });
  const { storyId, agentId } = scene;
  await deliver(stores, { ...failed, storyId, agentId }, 2);
  const { entries } = await inboxOnce(api, scene.key, (inbox) => inbox.entries.length === 1);
  await notedOnce(scene.tenantId, scene.team.id);
  return { ...scene, entry: entries[0].key as string };
}

/** Returns the teams of the entries of an action in the audit log, oldest first, once there are so many. */
const teamsOf = (tenantId: number, action: string, count: number) =>
  eventually(async () => {
    const rows = await stores.db.read((session) =>
      session.rows<{ teamId: number | null }>(
        'SELECT team_id AS teamId FROM audit_logs WHERE tenant_id = ? AND action = ? ORDER BY id',
        [tenantId, action],
      ),
    );
    return rows.length === count && rows.map(({ teamId }) => teamId);
  }, LONG_MS);

/** Waits until the one entry of a tenant is noted as one of a team. */
const notedOnce = (tenantId: number, teamId: number | null) =>
  eventually(async () => {
    const rows = await stores.db.read((session) =>
      session.rows<{ teamId: number | null }>(
        'SELECT team_id AS teamId FROM inbox_history WHERE tenant_id = ?',
        [tenantId],
      ),
    );
    return rows.length === 1 && rows[0]!.teamId === teamId;
  }, LONG_MS);

const closedOnce = (key: string, count = 1) =>
  inboxOnce(api, key, ({ entries }) => entries.length === count, CLOSED);

describe('a closed entry', () => {
  it('tells when and after whose change it ended', async () => {
    const { key, team, storyId, agentId, user, entry } = await failing();
    expect((await inboxOf(api, key, CLOSED)).entries).toEqual([]);
    const retried = await api.call(key, 'POST /api/v1/dead_letters/retry', { agent_id: agentId });
    expect(retried.status).toBe(200);
    const { entries, complete } = await closedOnce(key);
    expect(entries).toEqual([
      expect.objectContaining({
        key: entry,
        kind: 'failures',
        severity: 'error',
        title: 'Say failed 2 times',
        team_id: team.id,
        story: { id: storyId, name: 'Alerts' },
        action: { id: agentId, name: 'Say' },
        count: 2,
        detail: null,
        closed: {
          at: expect.any(String),
          after: 'dead_letter.retry_many',
          by: expect.objectContaining({ id: user.id }),
        },
      }),
    ]);
    expect(complete).toBe(true);
    expect((await inboxOf(api, key, '?kind=failures&state=ALL')).entries).toEqual([]);
  });

  it('that nobody changed anything about ended by itself; one that comes back within an hour is the same', async () => {
    const { key, storyId, agentId, entry } = await failing();
    await stores.sql('DELETE FROM deliveries WHERE agent_id = ?', [agentId]);
    const { entries } = await closedOnce(key);
    expect(entries[0].closed).toMatchObject({ after: null, by: null });
    await deliver(stores, { ...failed, storyId, agentId });
    await inboxOnce(api, key, (inbox) => entryIn(inbox, entry) !== undefined);
    await closedOnce(key, 0);
    await stores.sql('DELETE FROM deliveries WHERE agent_id = ?', [agentId]);
    await closedOnce(key);
    await stores.sql('UPDATE inbox_history SET ended_at = NOW(3) - INTERVAL 2 HOUR WHERE entry_key = ?', [
      entry,
    ]);
    await deliver(stores, { ...failed, storyId, agentId });
    await inboxOnce(api, key, (inbox) => entryIn(inbox, entry) !== undefined);
    await stores.sql('DELETE FROM deliveries WHERE agent_id = ?', [agentId]);
    expect((await closedOnce(key, 2)).entries.map((each: Parsed) => each.key)).toEqual([entry, entry]);
    await stores.sql(
      'UPDATE inbox_history SET ended_at = NOW(3) - INTERVAL 31 DAY ORDER BY ended_at LIMIT 1',
    );
    await closedOnce(key, 1);
  });

  it('is that of its team and its tenant, and filters hold of it', async () => {
    const { key, team, tenantId, storyId, agentId } = await failing();
    await stores.sql('DELETE FROM deliveries WHERE agent_id = ?', [agentId]);
    await closedOnce(key);
    const viewer = await buildAccount(stores.db, { team, role: 'VIEWER' });
    const other = await buildAccount(stores.db, { tenantId });
    const stranger = await buildAccount(stores.db, { owner: true });
    expect((await inboxOf(api, viewer.key, CLOSED)).entries).toHaveLength(1);
    for (const { key: theirs } of [other, stranger]) {
      expect((await inboxOf(api, theirs, CLOSED)).entries).toEqual([]);
    }
    const found = async (filter: string) =>
      (await inboxOf(api, key, `${CLOSED}&${filter}`)).entries.length as number;
    expect(await found('kind=failures')).toBe(1);
    expect(await found('kind=held')).toBe(0);
    expect(await found(`story_id=${storyId}`)).toBe(1);
    expect(await found(`team_id=${team.id}`)).toBe(1);
    expect(await found('assigned=true')).toBe(0);
  });

  it('names nobody of another team', async () => {
    const { key, tenantId, agentId } = await failing();
    const other = await buildScene(stores, api, { tenantId });
    await deliver(stores, { ...failed, storyId: other.storyId, agentId: other.agentId });
    const selections = [{ agent_id: other.agentId }, { story_id: other.storyId }];
    for (const selection of selections) {
      const retried = await api.call(other.key, 'POST /api/v1/dead_letters/retry', selection);
      expect(retried.status).toBe(200);
    }
    await api.call(other.key, 'POST /api/v1/dead_letters/retry', { all: true });
    expect(await teamsOf(tenantId, 'dead_letter.retry_many', 3)).toEqual([
      other.team.id,
      other.team.id,
      null,
    ]);
    await stores.sql('DELETE FROM deliveries WHERE agent_id = ?', [agentId]);
    expect((await closedOnce(key)).entries[0].closed).toMatchObject({ after: null, by: null });
  });

  it('ended after a change that was made since it was read, even if it was noted later', async () => {
    const { actor, tenantId, team, user } = await buildAccount(stores.db);
    const note = newHistory();
    note(actor, 'credential', { entries: [credentialEntry(team.id, 1)], readAt: ago(60) });
    await notedOnce(tenantId, team.id);
    const change = auditEntry({
      action: 'credential.update',
      actor,
      params: { id: 1 },
      body: {},
      response: { id: 1, team_id: team.id },
      request: { id: 'r', method: 'PUT', path: '/', ip: undefined, userAgent: undefined },
    });
    await stores.db.read((session) => insertAuditEntry({ ...change, createdAt: ago(30) }, session));
    const closed = await eventually(async () => {
      note(actor, 'credential', { entries: [], readAt: new Date() });
      const scope = { tenantId, teamIds: [team.id] };
      const [found] = await stores.db.read((session) => findClosedEntries(session, scope, 1));
      return found?.closed;
    }, LONG_MS);
    expect(closed).toMatchObject({ after: 'credential.update', by: { id: user.id } });
  });

  it('ended after a change of the live story, not of a draft', async () => {
    const { key, tenantId, team, storyId, agentId, user } = await buildScene(stores, api);
    const other = await buildAccount(stores.db, { team, role: 'EDITOR' });
    const call = async (request: string, body?: object) => {
      const answer = await api.call(other.key, request, body);
      expect([request, answer.status < 300]).toEqual([request, true]);
      return answer.body;
    };
    const story = `/api/v1/stories/${storyId}`;
    const action = `/api/v1/agents/${agentId}`;
    const draft = await call(`POST ${story}/drafts`, { name: 'One' });
    const gone = await call(`POST ${story}/drafts`, { name: 'Two' });
    const [version] = (await call(`GET /api/v1/stories/${draft.id}/versions`)).story_versions;
    await api.call(key, `PUT ${action}`, { name: 'Live' });
    const actions = ['agent.update', 'story.graph', 'story_version.restore', 'agent.delete', 'story.delete'];
    /** The last change that may have ended an entry, once there are so many of an action. */
    const endingAfter = async (changed: string, count: number) => {
      await teamsOf(tenantId, changed, count);
      const since = { tenantId, teamId: team.id, since: ago(600) };
      return stores.db.read((session) => findEnding(session, since, actions));
    };
    const live = { action: 'agent.update', userId: user.id };
    expect(await endingAfter('agent.update', 1)).toMatchObject(live);

    await call(`PUT ${action}`, { name: 'Copy', draft_id: draft.id });
    expect(await endingAfter('agent.update', 2)).toMatchObject(live);
    const graph = `${story}/graph?draft_id=${draft.id}`;
    await call(`PUT ${graph}`, await call(`GET ${graph}`));
    expect(await endingAfter('story.graph', 1)).toMatchObject(live);
    await call(`POST /api/v1/stories/${draft.id}/versions/${version.id}/restore`);
    expect(await endingAfter('story_version.restore', 1)).toMatchObject(live);
    await call(`DELETE ${action}?draft_id=${draft.id}`);
    expect(await endingAfter('agent.delete', 1)).toMatchObject(live);
    await call(`DELETE ${story}/drafts/${draft.id}`);
    expect(await endingAfter('draft.delete', 1)).toMatchObject(live);
    await call(`DELETE /api/v1/stories/${gone.id}`);
    expect(await endingAfter('story.delete', 1)).toMatchObject(live);

    await call(`DELETE ${action}`);
    const theirs = { userId: other.user.id };
    expect(await endingAfter('agent.delete', 2)).toMatchObject({ ...theirs, action: 'agent.delete' });
    await call(`DELETE ${story}`);
    expect(await endingAfter('story.delete', 2)).toMatchObject({ ...theirs, action: 'story.delete' });
  });

  it('of the tenant tells after what it ended, and not whose change that was', async () => {
    const { key, tenantId, storyId, team } = await buildScene(stores, api);
    await stores.db.read((session) => saveQuotas(tenantId, { stories: 1 }, session));
    await inboxOnce(api, key, (inbox) => entryIn(inbox, 'quota-stories-used_up') !== undefined);
    await notedOnce(tenantId, null);
    await api.call(key, `DELETE /api/v1/stories/${storyId}`);
    expect(await teamsOf(tenantId, 'story.delete', 1)).toEqual([team.id]);
    expect((await closedOnce(key)).entries[0].closed).toMatchObject({ after: 'story.delete', by: null });
  });

  it('goes with its story to another team', async () => {
    const { key, tenantId, storyId, agentId, entry } = await failing();
    const other = await buildAccount(stores.db, { tenantId });
    await stores.sql("UPDATE stories SET team_id = ?, name = 'Confidential' WHERE id = ?", [
      other.team.id,
      storyId,
    ]);
    await inboxOnce(api, other.key, (inbox) => entryIn(inbox, entry) !== undefined);
    await notedOnce(tenantId, other.team.id);
    await stores.sql('DELETE FROM deliveries WHERE agent_id = ?', [agentId]);
    const { entries } = await closedOnce(other.key);
    expect(entries).toMatchObject([{ key: entry, story: { name: 'Confidential' } }]);
    expect((await inboxOf(api, key, CLOSED)).entries).toEqual([]);
  });

  it('is not what a viewer, or somebody of another team, no longer sees', async () => {
    const { key, tenantId, team, entry } = await failing();
    const viewer = await buildAccount(stores.db, { team, role: 'VIEWER' });
    const other = await buildAccount(stores.db, { tenantId });
    await inboxOf(api, viewer.key);
    await inboxOf(api, other.key);
    expect(entryIn(await inboxOf(api, key), entry)).toBeDefined();
    expect((await inboxOf(api, key, CLOSED)).entries).toEqual([]);
  });
});

/** What one process notes. */
const newHistory = () => createInboxHistory({ database: stores.db, logger: recordingLogger().logger });

const credentialEntry = (teamId: number, id: number) =>
  entryOf({
    key: `credential-${id}-reconnect`,
    kind: 'credential',
    reason: 'reconnect',
    severity: 'error',
    title: 'Mail must be connected',
    teamId,
    count: 1,
  });

/** Returns when the open entries of a tenant were noted, by key, once these are open. */
const openOnce = (tenantId: number, keys: string[]) =>
  eventually(async () => {
    const rows = await stores.db.read((session) =>
      session.rows<{ key: string; notedAt: Date }>(
        'SELECT open_key AS `key`, noted_at AS notedAt FROM inbox_history WHERE tenant_id = ? AND open_key IS NOT NULL',
        [tenantId],
      ),
    );
    return (
      JSON.stringify(rows.map(({ key }) => key).toSorted()) === JSON.stringify(keys.toSorted()) &&
      new Map(rows.map(({ key, notedAt }) => [key, notedAt]))
    );
  }, LONG_MS);

describe('an open entry', () => {
  it('is not closed by an older reading of another process', async () => {
    const { actor, tenantId, team } = await buildAccount(stores.db);
    const [first, second, third] = [1, 2, 3].map((id) => credentialEntry(team.id, id));
    newHistory()(actor, 'credential', { entries: [first!], readAt: ago(10) });
    await openOnce(tenantId, [first!.key]);
    const note = newHistory();
    note(actor, 'credential', { entries: [second!], readAt: ago(20) });
    await openOnce(tenantId, [first!.key, second!.key]);
    // Once it notes another entry, it is done with those before.
    await eventually(async () => {
      note(actor, 'credential', { entries: [second!, third!], isComplete: false, readAt: ago(20) });
      const scope = { tenantId, kind: 'credential' as const, teamIds: [team.id] };
      const open = await stores.db.read((session) => findOpenEntries(session, scope, 10));
      return open.some(({ key }) => key === third!.key);
    }, LONG_MS);
    await openOnce(tenantId, [first!.key, second!.key, third!.key]);
    await eventually(async () => {
      note(actor, 'credential', { entries: [second!, third!], readAt: ago(5) });
      const found = await stores.db.read((session) =>
        findClosedEntries(session, { tenantId, teamIds: [team.id] }, 10),
      );
      return found.length === 1 && found[0]!.key === first!.key;
    }, LONG_MS);
  });

  it('keeps the time of the newest reading', async () => {
    const { tenantId, team } = await buildAccount(stores.db);
    const entry = credentialEntry(team.id, 1);
    const returned = new Set([entry.key]);
    const noteAt = (readAt: Date) =>
      stores.db.read((session) =>
        noteOpenEntries(session, { tenantId, kind: 'credential' }, { entries: [entry], returned, readAt }),
      );
    const newest = ago(10);
    await noteAt(newest);
    await noteAt(ago(20));
    expect((await openOnce(tenantId, [entry.key])).get(entry.key)).toEqual(newest);
    await noteAt(ago(5));
    expect((await openOnce(tenantId, [entry.key])).get(entry.key)).not.toEqual(newest);
  });
});

describe('rows of open entries', () => {
  it('are written a minute after they were, whoever reads, and at once for another team', async () => {
    const { actor, tenantId, team } = await buildAccount(stores.db);
    const other = await buildAccount(stores.db, { tenantId });
    const ofBoth: Actor = { ...actor, roles: new Map([...actor.roles, [other.team.id, 'EDITOR']]) };
    const [first, second, third] = [1, 2, 3].map((id) => credentialEntry(team.id, id));
    const [began, sooner, later] = [ago(100), ago(41), ago(39)];
    newHistory()(actor, 'credential', { entries: [first!], readAt: began });
    await openOnce(tenantId, [first!.key]);
    newHistory()(ofBoth, 'credential', { entries: [first!, second!], readAt: sooner });
    expect(await openOnce(tenantId, [first!.key, second!.key])).toEqual(
      new Map([
        [first!.key, began],
        [second!.key, sooner],
      ]),
    );
    const moved = { ...second!, teamId: other.team.id };
    newHistory()(ofBoth, 'credential', { entries: [first!, moved, third!], readAt: later });
    expect(await openOnce(tenantId, [first!.key, second!.key, third!.key])).toEqual(
      new Map([first!, second!, third!].map(({ key }) => [key, later])),
    );
    const scope = { tenantId, kind: 'credential' as const, teamIds: [other.team.id] };
    const theirs = await stores.db.read((session) => findOpenEntries(session, scope, 10));
    expect(theirs).toMatchObject([{ key: second!.key }]);
  });

  it('are written in the order of their keys', async () => {
    const { actor, tenantId, team } = await buildAccount(stores.db);
    const entries = [3, 1, 2].map((id) => credentialEntry(team.id, id));
    const keys = entries.map(({ key }) => key);
    newHistory()(actor, 'credential', { entries, readAt: ago(1) });
    await openOnce(tenantId, keys);
    const rows = await stores.db.read((session) =>
      session.rows<{ key: string }>(
        'SELECT entry_key AS `key` FROM inbox_history WHERE tenant_id = ? ORDER BY id',
        [tenantId],
      ),
    );
    expect(rows.map(({ key }) => key)).toEqual(keys.toSorted());
  });

  it('are closed even if another process locks them meanwhile', async () => {
    const { actor, tenantId, team } = await buildAccount(stores.db);
    const { key } = credentialEntry(team.id, 1);
    newHistory()(actor, 'credential', { entries: [credentialEntry(team.id, 1)], readAt: ago(10) });
    await openOnce(tenantId, [key]);
    let refused = 0;
    const refusing = <T>(work: (session: Session) => Promise<T>) =>
      stores.db.read((session) =>
        work({
          ...session,
          run: (sql, values) => {
            if (!sql.startsWith('UPDATE inbox_history SET open_key = NULL') || refused > 0) {
              return session.run(sql, values);
            }
            refused += 1;
            return Promise.reject(Object.assign(new Error('deadlock'), { errno: 1213 }));
          },
        }),
      );
    const { logger, lines } = recordingLogger();
    createInboxHistory({ database: { read: refusing }, logger })(actor, 'credential', {
      entries: [],
      readAt: ago(1),
    });
    await eventually(async () => {
      const scope = { tenantId, teamIds: [team.id] };
      const found = await stores.db.read((session) => findClosedEntries(session, scope, 1));
      return found.length === 1 || lines().length > 0;
    }, LONG_MS);
    expect({ refused, told: lines() }).toEqual({ refused: 1, told: [] });
  });
});

/** Makes a key. Returns its id. */
const keyOf = async (key: string, body: object) =>
  (await api.call(key, 'POST /api/v1/api_keys', body)).body.id as number;
/** Has a key that was made long ago expire in so many days. */
const ends = (id: number, days: number, used = true) =>
  stores.sql(
    `UPDATE api_keys SET created_at = NOW(3) - INTERVAL 60 DAY, expires_at = NOW(3) + INTERVAL ? HOUR,
            last_used_at = IF(?, NOW(3) - INTERVAL 8 DAY, NULL) WHERE id = ?`,
    [days * 24, used, id],
  );

describe('API keys', () => {
  it('that expire are shown to their user, those of the tenant and of teams to Owners', async () => {
    const owner = await buildAccount(stores.db, { owner: true });
    const editor = await buildAccount(stores.db, { team: owner.team, role: 'EDITOR' });
    const stranger = await buildAccount(stores.db, { owner: true });
    const own = await keyOf(editor.key, { kind: 'personal', name: 'Laptop' });
    const ofTenant = await keyOf(owner.key, { kind: 'tenant', name: 'Bridge' });
    const ofTeam = await keyOf(owner.key, {
      kind: 'team',
      name: 'Sensor',
      team_id: owner.team.id,
      role: 'VIEWER',
    });
    const later = await keyOf(owner.key, { kind: 'tenant', name: 'Later' });
    await ends(own, 2);
    await ends(ofTenant, -1);
    await ends(ofTeam, 3, false);
    await ends(later, 9);
    const keysOf = async (key: string) =>
      (await inboxOf(api, key, '?kind=api_key')).entries.map((each: Parsed) => [
        each.key,
        each.severity,
        each.title,
        each.api_key_id,
      ]);
    expect(await keysOf(owner.key)).toEqual([
      [`api_key-${ofTenant}-expired`, 'error', 'The tenant API key Bridge has expired', ofTenant],
      [`api_key-${ofTeam}-expires`, 'note', 'The team API key Sensor expires soon', ofTeam],
    ]);
    const mine = [[`api_key-${own}-expires`, 'warning', 'Your API key Laptop expires soon', own]];
    expect(await keysOf(editor.key)).toEqual(mine);
    expect(await keysOf(stranger.key)).toEqual([]);

    const assign = (key: string, entry: string, id: number) =>
      api.call(key, `PUT /api/v1/inbox/${entry}`, { assignee_id: id });
    const ofOwner = `api_key-${ofTeam}-expires`;
    expect((await assign(editor.key, ofOwner, editor.user.id)).status).toBe(404);
    expect((await assign(owner.key, ofOwner, editor.user.id)).status).toBe(422);
    expect((await assign(owner.key, ofOwner, owner.user.id)).status).toBe(200);
    expect((await assign(owner.key, `api_key-${own}-expires`, owner.user.id)).status).toBe(404);
    expect((await assign(editor.key, `api_key-${own}-expires`, owner.user.id)).status).toBe(422);
    expect((await assign(editor.key, `api_key-${own}-expires`, editor.user.id)).status).toBe(200);
    expect((await inboxOf(api, owner.key, '?state=CLOSED')).entries).toEqual([]);
  });

  it('are snoozed by their user, whatever their role', async () => {
    const viewer = await buildAccount(stores.db, { role: 'VIEWER' });
    const own = await keyOf(viewer.key, { kind: 'personal', name: 'Laptop' });
    await ends(own, 2);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const snoozed = await api.call(viewer.key, `PATCH /api/v1/inbox/api_key-${own}-expires`, {
      snoozed_until: until,
    });
    expect(snoozed).toMatchObject({ status: 200, body: { snoozed_until: expect.any(String) } });
  });

  it('that were made for a day, were revoked, or expired unused are no entries', async () => {
    const owner = await buildAccount(stores.db, { owner: true });
    const [short, revoked, unused] = [
      await keyOf(owner.key, { kind: 'tenant', name: 'Short' }),
      await keyOf(owner.key, { kind: 'tenant', name: 'Revoked' }),
      await keyOf(owner.key, { kind: 'tenant', name: 'Unused' }),
    ];
    await stores.sql('UPDATE api_keys SET expires_at = NOW(3) + INTERVAL 1 DAY WHERE id = ?', [short]);
    await ends(revoked, 2);
    await ends(unused, -1, false);
    await api.call(owner.key, `DELETE /api/v1/api_keys/${revoked}`);
    expect((await inboxOf(api, owner.key, '?kind=api_key')).entries).toEqual([]);
  });
});

/** The tables that a plan reads whole. */
const scans = (rows: PlanRow[]) =>
  rows
    .filter(({ table, type }) => type === 'ALL' && table !== null && !/^<|^k$/.test(table))
    .map(({ table }) => table)
    .join();

test('keys that expire, entries and what ended them are found by indexes', async () => {
  const { tenantId, team, user } = await buildAccount(stores.db);
  const plans = await plansOf(
    stores.db,
    async (session) => {
      await findEndingKeys(session, { tenantId, userId: user.id, isOwner: true }, 100);
      await findOpenEntries(session, { tenantId, kind: 'held', teamIds: [team.id] }, 100);
      await findClosedEntries(session, { tenantId, teamIds: [team.id] }, 100);
      for (const teamId of [null, team.id]) {
        await findEnding(session, { tenantId, teamId, since: ago(60) }, ['agent.update']);
      }
    },
    scans,
  );
  expect(plans).toEqual(['']);
});

function ago(seconds: number): Date {
  return new Date(Date.now() - seconds * 1_000);
}
