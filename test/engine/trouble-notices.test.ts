import { createReconnectNotifier } from '../../src/operate/monitoring/notices/reconnect-notifier.js';
import { createSkipNotifier } from '../../src/operate/monitoring/notices/skip-notifier.js';
import type { JsonObject } from '../../src/platform/json.js';
import type { Mail } from '../../src/platform/outbound/mail/mail.js';
import { noticeSender } from '../support/notices.js';
import { makeTeam, smallExport } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { useStoryApi } from '../support/story-api.js';

const stores = useStores();
const api = useStoryApi(stores);
const TOLD = { monitor_failures: true, recipients: ['soc@example.test'] };
const settings = () => ({ database: stores.db, baseUrl: 'https://fabula.example', logger: stores.logger });

let sent: Mail[] = [];
beforeEach(() => {
  sent = [];
});

/** Tells of what is found, twice at the same time, and sends what is due. */
async function tick() {
  await Promise.all(
    [1, 2].flatMap(() => [createSkipNotifier(settings()).tick(), createReconnectNotifier(settings()).tick()]),
  );
  await noticeSender(stores, { mail: async (mail) => void sent.push(mail) }).tick();
}

type Actor = Awaited<ReturnType<typeof makeTeam>>;

/** A story whose second action names the credential "Jira Cloud", by an actor. */
async function story(actor: Actor, told: JsonObject = TOLD) {
  const [hook, work, trigger] = smallExport().agents;
  const options = { mode: 'message_only', payload: { key: '{{ .CREDENTIAL.jira_cloud }}' } };
  const data = smallExport({
    ...told,
    agents: [hook!, { ...work!, name: 'Ask', options, schedule: [{ cron: '0 * * * *' }] }, trigger!],
  });
  const made = await api.stories.import(actor, { new_name: 'Triage', data });
  return made.story.id;
}

const leaveOut = (minutesAgo = 0) =>
  stores.sql(
    `UPDATE schedules SET skipped_at = NOW(3) - INTERVAL ? MINUTE - INTERVAL 3 HOUR,
       skipped_until = NOW(3) - INTERVAL ? MINUTE, skipped_reason = 'late'`,
    [minutesAgo, minutesAgo],
  );

describe('I24: starts that a schedule left out', () => {
  test('are told to the recipients of the story once, with names and reason', async () => {
    const id = await story(await makeTeam(stores.db));
    await tick();
    expect(sent).toEqual([]);
    await leaveOut();
    await tick();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      subject: `[Story ${id}] Skipped starts in Triage`,
      bcc: [{ address: 'soc@example.test' }],
    });
    expect(sent[0]?.text).toMatch(/- Ask: from 2\S+Z to 2\S+Z, because no process was running/);
    expect(sent[0]?.text).toContain(`https://fabula.example/api/v1/schedules?story_id=${id}`);
  });

  test('are told once a day, however many there are', async () => {
    await story(await makeTeam(stores.db));
    await leaveOut();
    await tick();
    await leaveOut();
    await tick();
    expect(sent).toHaveLength(1);
    await stores.sql('UPDATE schedules SET skip_told_at = skip_told_at - INTERVAL 25 HOUR');
    await tick();
    expect(sent).toHaveLength(2);
  });

  test('are not told when they are old, or nobody asked', async () => {
    const actor = await makeTeam(stores.db);
    await story(actor);
    await leaveOut(25 * 60);
    await tick();
    await stores.sql('DELETE FROM schedules');
    await story(actor, { monitor_failures: false, recipients: ['soc@example.test'] });
    await story(actor, { monitor_failures: true });
    await leaveOut();
    await tick();
    expect(sent).toEqual([]);
  });
});

const credential = async ({ teamId }: { teamId: number }, readAccess = 'TEAM') =>
  stores.sql(
    `INSERT INTO credentials (team_id, name, slug, mode, encrypted_value, read_access, reconnect_since, reconnect_reason)
     VALUES (?, 'Jira Cloud', 'jira_cloud', 'OAUTH', '', ?, NOW(3), 'auth.example answered 400 (invalid_grant)')`,
    [teamId, readAccess],
  );

async function teamOf(storyId: number): Promise<number> {
  const [row] = await stores.db.read((session) =>
    session.rows<{ id: number }>('SELECT team_id AS id FROM stories WHERE id = ?', [storyId]),
  );
  return row?.id ?? 0;
}

describe('I25: a credential that a person must connect', () => {
  test('is told once to the recipients of the stories that name it, until it has worked again', async () => {
    const actor = await makeTeam(stores.db);
    const id = await story(actor);
    await story(actor, { monitor_failures: false, recipients: ['quiet@example.test'] });
    await credential({ teamId: await teamOf(id) });
    await tick();
    await tick();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      subject: `[Story ${id}] Connect the credential Jira Cloud`,
      bcc: [{ address: 'soc@example.test' }],
    });
    expect(sent[0]?.text).toContain('auth.example answered 400 (invalid_grant)');
    expect(sent[0]?.text).toContain('- Ask');
    expect(sent[0]?.text).toMatch(/https:\/\/fabula\.example\/api\/v1\/user_credentials\/\d+/);
    await stores.sql('UPDATE credentials SET reconnect_since = NULL, reconnect_told_at = NULL');
    await tick();
    await stores.sql('UPDATE credentials SET reconnect_since = NOW(3)');
    await tick();
    expect(sent).toHaveLength(2);
  });

  test('is not told to stories that may not use it', async () => {
    const [own, other] = [await makeTeam(stores.db), await makeTeam(stores.db)];
    const [id] = [await story(own, { recipients: [] }), await story(other)];
    await credential({ teamId: await teamOf(id) }, 'GLOBAL');
    await tick();
    expect(sent).toEqual([]);
  });
});
