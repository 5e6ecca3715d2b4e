import { findEndingCredentials } from '../../../src/data/credentials/oauth/access-end-store.js';
import { findTroubledSchedules } from '../../../src/stories/schedules/due-schedule-store.js';
import { lastChangesBefore } from '../../../src/stories/versions/last-change-store.js';
import { findTeamWebhooks } from '../../../src/web/webhooks/calls/called-story-store.js';
import { findNamesOfActions, findMarks } from '../../../src/operate/monitoring/inbox/inbox-mark-store.js';
import { type Account, buildAccount } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { startFabula, type TestFabula } from '../../support/fabula.js';
import {
  actionOf as firstAction,
  buildScene,
  deliver as deliverWork,
  entryIn as entryOf,
  importWork,
  inboxOf as readInbox,
  LONG_MS,
  type Work,
} from '../../support/inbox-work.js';
import { type Parsed, useManageApi } from '../../support/manage-api.js';
import { type PlanRow, plansOf } from '../../support/plans.js';
import { agentIds, call, runsOf, says } from '../../support/run-api.js';
import { type SmtpTestServer, startSmtpServer } from '../../support/smtp-server.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

const story = (account: Account, agents: Record<string, ShortAgent>) => importWork(api, account, agents);
const actionOf = (key: string, storyId: number) => firstAction(api, key, storyId);
const inboxOf = (key: string, query?: string) => readInbox(api, key, query);
const deliver = (work: Work, count?: number) => deliverWork(stores, work, count);
const scene = (overrides?: Parameters<typeof buildAccount>[1]) => buildScene(stores, api, overrides);

/** The entry, once it is there. */
const shown = (key: string, entry: string, query = '') =>
  eventually(async () => entryOf(await inboxOf(key, query), entry), LONG_MS);

async function rowsIn(state: string): Promise<number> {
  const [row] = await stores.db.read((session) =>
    session.rows<{ n: number }>('SELECT COUNT(*) AS n FROM deliveries WHERE state = ?', [state]),
  );
  return row!.n;
}

let smtp: SmtpTestServer | undefined;
let fabula: TestFabula | undefined;
afterEach(async () => {
  await fabula?.close();
  await smtp?.close();
  fabula = undefined;
});

test('mails beyond the quota are in the inbox with their number and their time, as in the run, the queue and the quota', async () => {
  smtp = await startSmtpServer();
  const running = await startFabula(stores, {
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'a@example.org', QUOTA_MAILS_PER_DAY: '3' },
  });
  fabula = running;
  const colleague = await buildAccount(stores.db, { tenantId: running.account.tenantId });
  const stranger = await buildAccount(stores.db, { owner: true });
  const { id, webhooks } = await running.importStory(
    storyOf(
      {
        Receive: ['Webhook', { path: `mail${process.pid}`, secret: 's', verbs: 'post' }],
        Mail: ['Email', { recipients: ['b@example.com'], subject: 'S', body: 'B' }],
      },
      ['Receive > Mail'],
    ),
  );
  // A process knows the use of a tenant a moment after its first mail.
  await eventually(async () => {
    await running.fire(webhooks['Receive']!);
    return (await rowsIn('waiting')) > 0;
  });
  for (let sent = 0; sent < 20; sent += 1) await running.fire(webhooks['Receive']!);
  await eventually(async () => (await rowsIn('pending')) === 0);
  const count = await rowsIn('waiting');
  expect(count).toBeGreaterThanOrEqual(20);
  const key = `held-mails_per_day-${running.account.team.id}`;
  const read = async (as?: Account): Promise<Parsed> =>
    (await call(running, 'GET /api/v1/inbox', as && { as })).body;
  const entry = await eventually(async () => {
    const found = entryOf(await read(), key);
    return found?.count === count && found;
  }, LONG_MS);
  const agents = await agentIds(running, id);
  expect(entry).toMatchObject({
    kind: 'held',
    reason: 'mails_per_day',
    severity: 'error',
    title: `${count} deliveries wait: the mail quota is used up`,
    quota: 'mails_per_day',
    story: { id },
    action: { id: agents['Mail'], name: 'Mail' },
    held: [{ agent_id: agents['Mail'], queue: 'email', count }],
  });
  const tomorrow = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
  expect(Math.abs(Date.parse(entry.until) - tomorrow)).toBeLessThan(11 * 60_000);
  const quota = await eventually(async () => entryOf(await read(), 'quota-mails_per_day-used_up'), LONG_MS);
  expect(quota).toMatchObject({ severity: 'error', reason: 'mails_per_day', until: expect.any(String) });

  expect((await read(colleague)).entries.map((each: Parsed) => each.key)).toEqual([
    'quota-mails_per_day-used_up',
  ]);
  expect((await read(stranger)).entries).toEqual([]);

  const usage = async (as?: Account): Promise<Parsed> =>
    (await call(running, 'GET /api/v1/tenants/current/usage', as && { as })).body.quotas.find(
      ({ name }: Parsed) => name === 'mails_per_day',
    );
  expect(await usage()).toMatchObject({ limit: 3, window: 'day', waiting: count });
  expect(await usage(colleague)).toMatchObject({ waiting: 0, waiting_since: null });

  const [run] = await runsOf(running, id);
  const details = (await call(running, `GET /api/v1/stories/${id}/runs/${run!.guid}`)).body;
  expect(details.open_deliveries).toEqual([
    expect.objectContaining({ reason: 'mails_per_day', queue: 'email', waits_until: expect.any(String) }),
  ]);
  const actions = (await call(running, `GET /api/v1/stories/${id}/runs/${run!.guid}/actions`)).body;
  expect(actions.actions.find(({ agent_id }: Parsed) => agent_id === agents['Mail'])).toMatchObject({
    waiting: 1,
    waiting_reasons: [{ reason: 'mails_per_day', count: 1, until: details.open_deliveries[0].waits_until }],
  });
  const queues = (await call(running, 'GET /api/v1/queues')).body;
  const email = queues.queues.find(({ queue }: Parsed) => queue === 'email');
  expect(email).toMatchObject({
    served: true,
    paused: false,
    deliveries: { reasons: [{ reason: 'mails_per_day', count }] },
  });
});

test('work whose queue nobody serves is named with its age, and other work that waits as it should is not', async () => {
  const { key, team, storyId, agentId } = await scene();
  await deliver({ storyId, agentId, queue: 'http-request', state: 'pending', ageMinutes: 30 }, 3);
  await deliver({ storyId, agentId, state: 'waiting', reason: 'delay', dueMinutes: 60 });
  await deliver({ storyId, agentId, state: 'parked' });
  const entry = await shown(key, `held-no_process-${team.id}-http-request`);
  expect(entry).toMatchObject({
    severity: 'error',
    title: '3 deliveries wait: no process serves the queue',
    queue: 'http-request',
    count: 3,
    until: null,
  });
  expect(Math.round((Date.now() - Date.parse(entry.first_seen)) / 60_000)).toBe(30);
  expect((await inboxOf(key)).entries).toHaveLength(1);
});

test('of many actions that wait, those with most and with the oldest are named, and that there are more', async () => {
  const { key, storyId } = await scene();
  const work = { storyId, state: 'waiting', reason: 'rate_limit' };
  for (let agentId = 1; agentId <= 21; agentId += 1) await deliver({ ...work, agentId }, 2);
  for (let agentId = 31; agentId <= 50; agentId += 1) await deliver({ ...work, agentId, ageMinutes: 30 });
  const inbox = await eventually(async () => {
    const found = await inboxOf(key);
    return found.entries.length === 20 && found;
  }, LONG_MS);
  expect(inbox.entries.every(({ action }: Parsed) => action.id > 30)).toBe(true);
  expect(inbox.complete).toBe(false);
});

describe('failures', () => {
  it('come in groups with their trend, and the version since which they are', async () => {
    const { key, team, storyId, agentId } = await scene();
    const { body: version } = await api.call(key, `POST /api/v1/stories/${storyId}/versions`, {
      name: 'Before the fall',
    });
    await deliver({ storyId, agentId, state: 'failed', attempts: 1, error: 'answer 17 is wrong' });
    await deliver({ storyId, agentId, state: 'failed', attempts: 1, error: 'answer 18 is wrong' });
    const [entry] = await eventually(async () => {
      const { entries } = await inboxOf(key);
      return entries.length > 0 && entries;
    }, LONG_MS);
    expect(entry).toMatchObject({
      key: expect.stringMatching(new RegExp(`^failures-${agentId}-[0-9a-f]{16}$`)),
      severity: 'error',
      title: 'Say failed 2 times',
      detail: 'answer 18 is wrong',
      team_id: team.id,
      count: 2,
      failure: { error_kind: 'answer # is wrong', dead_letter_id: expect.any(Number), retried: 0 },
    });
    expect(entry.trend.at(-1) + entry.trend.at(-2)).toBe(2);
    expect(entry.since_version).toMatchObject({
      version_id: version.story_version?.id ?? version.id,
      name: 'Before the fall',
    });
  });

  it('of another team and another tenant stay there', async () => {
    const { key, tenantId, storyId, agentId } = await scene();
    const colleague = await buildAccount(stores.db, { tenantId });
    const owner = await buildAccount(stores.db, { tenantId, owner: true });
    const stranger = await buildAccount(stores.db, { owner: true });
    await deliver({ storyId, agentId, state: 'failed', error: 'e' });
    await eventually(async () => (await inboxOf(key)).entries.length === 1, LONG_MS);
    expect((await inboxOf(owner.key)).entries).toHaveLength(1);
    expect((await inboxOf(colleague.key)).entries).toEqual([]);
    expect((await inboxOf(stranger.key)).entries).toEqual([]);
    const { status } = await api.call(colleague.key, `GET /api/v1/inbox?story_id=${storyId}`);
    expect(status).toBe(404);
  });
});

/** An entry about a schedule that left out a start, and who may see it. */
async function skipped() {
  const account = await buildAccount(stores.db);
  const [type, options] = says({ text: 'now' });
  const storyId = await story(account, { Start: [type, options, { schedule: { cron: '0 0 1 1 *' } }] });
  const [schedule] = (await api.call(account.key, `GET /api/v1/schedules?story_id=${storyId}`)).body
    .schedules;
  const skip = "skipped_at = NOW(3) - INTERVAL 1 HOUR, skipped_until = NOW(3), skipped_reason = 'quota'";
  await stores.sql(`UPDATE schedules SET ${skip} WHERE id = ?`, [schedule.id]);
  return {
    ...account,
    storyId,
    scheduleId: schedule.id as number,
    entry: `schedule-${schedule.id}-skipped_quota`,
  };
}

describe('schedules', () => {
  it('that left out starts, or are late', async () => {
    const { key, scheduleId, entry, storyId } = await skipped();
    expect(await shown(key, entry)).toMatchObject({
      kind: 'schedule',
      reason: 'skipped_quota',
      severity: 'warning',
      schedule_id: scheduleId,
      story: { id: storyId, name: 'Alerts' },
      detail: 'The daily run quota was used up.',
    });
    await stores.sql('UPDATE schedules SET next_at = NOW(3) - INTERVAL 5 MINUTE WHERE id = ?', [scheduleId]);
    const late = await shown(key, `schedule-${scheduleId}-late`);
    expect(late).toMatchObject({ reason: 'late', severity: 'error' });
    await stores.sql('UPDATE schedules SET paused_at = NOW(3) WHERE id = ?', [scheduleId]);
    expect(await shown(key, entry)).toMatchObject({ reason: 'skipped_quota' });
  });
});

describe('credentials', () => {
  it('that must be connected, or end within a week', async () => {
    const account = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
    const make = async (name: string) =>
      (
        await api.call(account.key, 'POST /api/v1/user_credentials', {
          name,
          mode: 'TEXT',
          value: 'v',
          team_id: account.team.id,
          allowed_hosts: ['a.example'],
        })
      ).body.id as number;
    const [broken, soon, later] = [await make('broken'), await make('soon'), await make('later')];
    await stores.sql(
      "UPDATE credentials SET reconnect_since = NOW(3), reconnect_reason = 'it ended' WHERE id = ?",
      [broken],
    );
    const ends =
      "UPDATE credentials SET mode = 'OAUTH', access_ends_at = NOW(3) + INTERVAL ? DAY WHERE id = ?";
    await stores.sql(ends, [2, soon]);
    await stores.sql(ends, [9, later]);
    const entry = await shown(account.key, `credential-${broken}-reconnect`);
    expect(entry).toMatchObject({ reason: 'reconnect', detail: 'it ended', credential_id: broken });
    const inbox = await inboxOf(account.key, '?kind=credential');
    expect(entryOf(inbox, `credential-${soon}-expires`)).toMatchObject({
      reason: 'expires',
      severity: 'warning',
      title: 'Access for soon ends soon',
    });
    expect(inbox.entries).toHaveLength(2);
  });
});

describe('webhooks', () => {
  it('that refused calls, by reason', async () => {
    const account = await buildAccount(stores.db);
    const address = `inbox-${process.pid}`;
    const storyId = await story(account, {
      Hook: ['Webhook', { path: address, secret: 's', verbs: 'post' }],
    });
    const id = await actionOf(account.key, storyId);
    const send = (method: string, secret: string) =>
      fetch(`${api.fabula().url}/webhook/${address}/${secret}`, { method });
    await send('PUT', 's');
    await send('POST', 'wrong');
    await send('POST', 'wrong');
    const entry = await eventually(async () => {
      const found = entryOf(await inboxOf(account.key), `webhook-${id}`);
      return found?.count === 3 && found;
    }, LONG_MS);
    expect(entry).toMatchObject({
      reason: 'unauthorized',
      severity: 'note',
      title: 'Hook refused 3 calls',
      detail: 'wrong or missing secret: 2, method not accepted: 1',
    });
  });
});

const put = (key: string, entry: string, body: object) => api.call(key, `PUT /api/v1/inbox/${entry}`, body);
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('a person', () => {
  it('takes an entry, or gives it to somebody who can see it', async () => {
    const { key, team, tenantId, entry, user } = await skipped();
    const viewer = await buildAccount(stores.db, { team, role: 'VIEWER' });
    const other = await buildAccount(stores.db, { tenantId });
    const owner = await buildAccount(stores.db, { tenantId, owner: true });
    const given = await put(key, entry, { assignee_id: user.id });
    expect(given.body.assignee).toMatchObject({ id: user.id, email: user.email });
    expect((await inboxOf(viewer.key, `?assignee_id=${user.id}`)).entries).toHaveLength(1);
    expect((await inboxOf(viewer.key, '?assigned=false')).entries).toEqual([]);
    expect((await put(key, entry, { assignee_id: viewer.user.id })).status).toBe(200);
    expect((await put(key, entry, { assignee_id: owner.user.id })).status).toBe(200);
    expect((await put(key, entry, { assignee_id: other.user.id })).status).toBe(422);
    expect((await put(key, entry, { assignee_id: null })).body.assignee).toBeNull();
    expect((await put(viewer.key, entry, { assignee_id: null })).status).toBe(403);
    expect((await put(other.key, entry, { assignee_id: null })).status).toBe(404);
    expect((await put(key, 'schedule-1', { assignee_id: null })).status).toBe(404);
    expect((await put(key, entry, {})).status).toBe(422);
    const { body } = await api.call(owner.key, 'GET /api/v1/audit_logs?action=inbox.update');
    expect(body.audit_logs).toHaveLength(4);
    expect(body.audit_logs[0]).toMatchObject({ team_id: team.id, path: `/api/v1/inbox/${entry}` });
  });

  it('snoozes an entry until a time, and sees it again after it', async () => {
    const { key, entry } = await skipped();
    const until = inHours(2);
    const { body } = await put(key, entry, { snoozed_until: until });
    expect(Math.abs(Date.parse(body.snoozed_until) - Date.parse(until))).toBeLessThan(1_000);
    expect(await inboxOf(key)).toMatchObject({ entries: [], counts: { open: 0, snoozed: 1 } });
    expect((await inboxOf(key, '?state=SNOOZED')).entries).toHaveLength(1);
    await stores.sql('UPDATE inbox_marks SET snoozed_until = NOW(3) WHERE entry_key = ?', [entry]);
    expect(await inboxOf(key)).toMatchObject({ entries: [{ key: entry, snoozed_until: null }] });
    for (const wrong of [inHours(-1), inHours(31 * 24)]) {
      expect((await put(key, entry, { snoozed_until: wrong })).status).toBe(422);
    }
  });

  it('sees a snoozed entry earlier when it grows markedly', async () => {
    const { key, team, storyId, agentId } = await scene();
    await deliver({ storyId, agentId, state: 'held' }, 8);
    const entry = `held-fair_share-${team.id}`;
    await shown(key, entry);
    await put(key, entry, { snoozed_until: inHours(2) });
    await deliver({ storyId, agentId, state: 'held' }, 9);
    const counted = (count: number) =>
      eventually(async () => {
        const found = entryOf(await inboxOf(key, '?state=ALL'), entry);
        return found.count === count && found;
      }, LONG_MS);
    expect((await counted(17)).snoozed_until).not.toBeNull();
    await deliver({ storyId, agentId, state: 'held' });
    expect((await counted(18)).snoozed_until).toBeNull();
    expect((await inboxOf(key)).entries).toHaveLength(1);
  });
});

/** The entries that are not hidden, once one is about so many. */
const openAt = (key: string, count: number) =>
  eventually(async () => {
    const { entries } = await inboxOf(key);
    return entries.some((entry: Parsed) => entry.count === count) && entries;
  }, LONG_MS);

describe('a snoozed entry is shown', () => {
  it('once its warning has turned into an error', async () => {
    const { key, scheduleId, entry } = await skipped();
    await put(key, entry, { snoozed_until: inHours(2) });
    await stores.sql('UPDATE schedules SET next_at = NOW(3) - INTERVAL 5 MINUTE WHERE id = ?', [scheduleId]);
    await shown(key, `schedule-${scheduleId}-late`);
  });

  it('once what had failed was retried, and as many fail anew', async () => {
    const { key, storyId, agentId } = await scene();
    const failed = { storyId, agentId, state: 'failed', attempts: 1, error: 'answer 17 is wrong' };
    await deliver(failed, 12);
    const [entry] = await openAt(key, 12);
    await put(key, entry.key, { snoozed_until: inHours(2) });
    await stores.sql('DELETE FROM deliveries WHERE agent_id = ?', [agentId]);
    await deliver(failed, 12);
    expect(await openAt(key, 12)).toMatchObject([{ key: entry.key, snoozed_until: null }]);
  });

  it('once failures that are long past occur again', async () => {
    const { key, storyId, agentId } = await scene();
    const failed = { storyId, agentId, state: 'failed', attempts: 1, error: 'answer 17 is wrong' };
    await deliver(failed, 2);
    const past = 'failed_at = NOW(3) - INTERVAL 2 DAY, due_at = NOW(3) - INTERVAL 2 DAY';
    await stores.sql(`UPDATE deliveries SET ${past} WHERE agent_id = ?`, [agentId]);
    const [entry] = await openAt(key, 2);
    expect(entry.severity).toBe('warning');
    await put(key, entry.key, { snoozed_until: inHours(2) });
    expect((await inboxOf(key)).entries).toEqual([]);
    await deliver(failed);
    expect(await openAt(key, 3)).toMatchObject([{ key: entry.key, severity: 'error', snoozed_until: null }]);
  });
});

/** The tables that a plan reads whole. */
const scans = (rows: PlanRow[]) =>
  rows
    .filter(({ table, type }) => type === 'ALL' && table !== null && !/^[<k]/.test(table))
    .map(({ table }) => table)
    .join();

test('each entry is found by an index', async () => {
  const { tenantId, team, storyId, agentId } = await scene();
  const scope = { tenantId, teamIds: [team.id] };
  const plans = await plansOf(
    stores.db,
    async (session) => {
      await findTroubledSchedules(session, scope, 100);
      await findEndingCredentials(session, scope, 100);
      await findTeamWebhooks(session, [agentId], scope);
      await findNamesOfActions(session, [agentId]);
      await findMarks(session, tenantId, ['a', 'b']);
      await lastChangesBefore([{ storyId, time: new Date() }], session);
    },
    scans,
  );
  expect(plans).toEqual(['']);
});
