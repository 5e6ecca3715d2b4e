import { createDigestMaker } from '../../src/operate/monitoring/digest/digest-maker.js';
import { dayBefore, nextDigestTime } from '../../src/operate/monitoring/digest/digest-times.js';
import type { Mail } from '../../src/platform/outbound/mail/mail.js';
import { createMailer } from '../../src/platform/outbound/mail/mailer.js';
import { buildAccount } from '../support/builders.js';
import { places, useManageApi } from '../support/manage-api.js';
import { noticeSender } from '../support/notices.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const api = useManageApi(stores);

let sent: Mail[] = [];
const make = () =>
  createDigestMaker({
    database: stores.db,
    baseUrl: 'https://fabula.example',
    logger: stores.logger,
  }).tick();
const send = () => noticeSender(stores, { mail: async (mail) => sent.push(mail) }).tick();

beforeEach(async () => {
  sent = [];
  await stores.sql('DELETE FROM team_digests');
});

const RECIPIENTS = ['soc@example.test', 'it@example.test'];

async function withDigest(settings: object = { recipients: RECIPIENTS }) {
  const account = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
  const path = `/api/v1/teams/${account.team.id}/digest`;
  await api.call(account.key, `PUT ${path}`, settings);
  return { ...account, path };
}
const makeDue = (sql = 'NOW(3) - INTERVAL 2 HOUR') => stores.sql(`UPDATE team_digests SET next_at = ${sql}`);

/** A story with sums of yesterday. */
async function withYesterday({ key, team }: Awaited<ReturnType<typeof withDigest>>) {
  const body = { new_name: 'Triage', data: smallExport(), team_id: team.id };
  const { body: story } = await api.call(key, 'POST /api/v1/stories/import', body);
  const hour = 'DATE(NOW(3)) - INTERVAL 5 HOUR';
  await stores.sql(
    `INSERT INTO story_counts (story_id, hour, runs_started, runs_ended, runs_failed, dead_letters, handled_failures)
     VALUES (?, ${hour}, 12, 12, 3, 2, 1)`,
    [story.id],
  );
  await stores.sql(`INSERT INTO duration_counts (story_id, hour, bucket, runs) VALUES (?, ${hour}, 24, 12)`, [
    story.id,
  ]);
  return story.id as number;
}

test('a digest is off until it is set, and off again without recipients', async () => {
  const account = await buildAccount(stores.db, { role: 'TEAM_ADMIN' });
  const path = `/api/v1/teams/${account.team.id}/digest`;
  const off = { enabled: false, recipients: [], hour: 7, timezone: 'UTC', signed: false, next_at: null };
  expect((await api.call(account.key, `GET ${path}`)).body).toMatchObject(off);
  const settings = {
    recipients: RECIPIENTS,
    hour: 6,
    timezone: 'Europe/Dublin',
    secret: 'a-secret-of-sixteen',
  };
  const { body } = await api.call(account.key, `PUT ${path}`, settings);
  expect(body).toMatchObject({ enabled: true, recipients: RECIPIENTS, hour: 6, signed: true, last_at: null });
  expect(JSON.stringify(body)).not.toContain('a-secret');
  expect(new Date(body.next_at).getTime()).toBeGreaterThan(Date.now() - 60_000);
  const kept = await api.call(account.key, `PUT ${path}`, { recipients: RECIPIENTS });
  expect(kept.body).toMatchObject({ hour: 7, timezone: 'UTC', signed: true });
  expect((await api.call(account.key, `PUT ${path}`, { recipients: [] })).body).toMatchObject(off);
  const wrong = await api.call(account.key, `PUT ${path}`, { recipients: ['x'], hour: 24, timezone: 'Mars' });
  expect([wrong.status, places(wrong)]).toEqual([422, ['recipients[0]', 'hour', 'timezone']]);
});

test('it tells once of the day before: runs, failures and slow stories', async () => {
  const digest = await withDigest();
  await withYesterday(digest);
  await makeDue();
  await Promise.all([make(), make()]);
  await make();
  await send();
  await send();
  expect(sent).toHaveLength(1);
  const [mail] = sent;
  expect(mail?.bcc).toEqual(RECIPIENTS.map((address) => ({ address })));
  expect(mail?.subject).toMatch(/^\[Team \d+\] Digest of \d{4}-\d\d-\d\d for /);
  expect(mail?.text).toContain('Runs: 12 started, 3 failed.');
  expect(mail?.text).toContain('Failures by story:\n- Triage: 3\n');
  expect(mail?.text).toContain('- Triage: 4.1 s');
  expect(mail?.html).toContain('Failures by story:<br>');
  const { body } = await api.call(digest.key, `GET ${digest.path}`);
  expect(new Date(body.next_at).getTime()).toBeGreaterThan(new Date(body.last_at).getTime());
});

test('it goes through a mail server', async () => {
  const smtp = await startSmtpServer();
  const mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    mailFrom: 'Fabula <fabula@example.test>',
    dataDir: '/nonexistent',
  });
  stores.onClose(async () => {
    await mailer.close();
    await smtp.close();
  });
  await withDigest();
  await makeDue();
  await make();
  await noticeSender(stores, { mail: (mail) => mailer.send(mail) }).tick();
  expect(JSON.stringify(smtp.mails)).toContain('soc@example.test');
});

test('one line tells that nothing happened', async () => {
  await withDigest();
  await makeDue();
  await make();
  await send();
  expect(sent[0]?.text).toContain('. Nothing ran, and there are no dead letters.');
});

test('after days without a process one digest follows', async () => {
  await withDigest();
  await makeDue('NOW(3) - INTERVAL 3 DAY');
  await make();
  await make();
  await send();
  expect(sent).toHaveLength(1);
});

test('the digest of a deleted team is deleted', async () => {
  await withDigest();
  await makeDue();
  await stores.sql('UPDATE team_digests SET team_id = 4000000000');
  await make();
  const rows = await stores.db.read((session) => session.rows('SELECT * FROM team_digests'));
  expect(rows).toEqual([]);
});

describe('the times of a digest', () => {
  const dublin = { hour: 1, timezone: 'Europe/Dublin' };

  it.each([
    ['is skipped: it is later', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['is repeated: the first counts', '2026-10-24T12:00:00Z', '2026-10-25T00:00:00.000Z'],
    ['was repeated: the next is a day later', '2026-10-25T00:00:00Z', '2026-10-26T01:00:00.000Z'],
  ])('if the hour %s', (_why, after, next) => {
    expect(nextDigestTime(dublin, new Date(after)).toISOString()).toBe(next);
  });

  it.each([
    ['Europe/Dublin', '2026-03-30T06:00:00Z', '2026-03-29', '2026-03-29T00:00:00.000Z', 23],
    ['Europe/Dublin', '2026-10-26T06:00:00Z', '2026-10-25', '2026-10-24T23:00:00.000Z', 25],
    ['America/New_York', '2026-01-02T02:00:00Z', '2025-12-31', '2025-12-31T05:00:00.000Z', 24],
  ])('the day before, in %s at %s, is %s', (timezone, now, ...expected) => {
    const { name, from, to } = dayBefore(timezone, new Date(now));
    expect([name, from.toISOString(), (to.getTime() - from.getTime()) / 3_600_000]).toEqual(expected);
  });
});
