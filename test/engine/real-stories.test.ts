import { createHttpClient } from '../../src/platform/outbound/http-client.js';
import type { HttpClient } from '../../src/platform/outbound/http-exchange.js';
import type { JsonObject } from '../../src/platform/json.js';
import { startFabulaHere, type TestFabulaHere } from '../support/fabula-here.js';
import { type HttpTarget, startHttpTarget } from '../support/http-target.js';
import { type SmtpTestServer, startSmtpServer } from '../support/smtp-server.js';
import { realExports } from '../support/stories.js';
import { useStores } from '../support/stores.js';

const exports = new Map(realExports());
const stores = useStores();

let target: HttpTarget;
let smtp: SmtpTestServer;
let fabula: TestFabulaHere;

beforeEach(async () => {
  target = await startHttpTarget();
  smtp = await startSmtpServer();
  fabula = await startFabulaHere(stores, { env: { SMTP_URL: smtp.url }, http: answeredLocally(target) });
});

afterEach(async () => {
  await fabula.close();
  await Promise.all([target.close(), smtp.close()]);
});

/** Sends every request to the local target, whichever host it names; the host goes before the path. */
function answeredLocally({ url }: HttpTarget): HttpClient {
  const client = createHttpClient({ allow: ['127.0.0.0/8'], timeoutMs: 5_000, maxResponseBytes: 1_000_000 });
  return {
    request(request) {
      const { host, pathname, search } = new URL(request.url);
      return client.request({ ...request, url: `${url}/${host}${pathname}${search}` });
    },
    close: () => client.close(),
  };
}

async function importReal(file: string) {
  return fabula.importStory(JSON.parse(exports.get(file) ?? '{}') as JsonObject);
}

async function setValues(values: {
  resources?: Record<string, string>;
  credentials?: Record<string, string>;
}) {
  const teamId = fabula.account.team.id;
  const { resources, credentials } = fabula.web.core;
  for (const [name, value] of Object.entries(values.resources ?? {}))
    await resources.set(teamId, name, value);
  for (const [name, value] of Object.entries(values.credentials ?? {}))
    await credentials.set(teamId, name, value);
}

const describeIfThere = exports.size > 0 ? describe : describe.skip;

describeIfThere('real exports (beside the checkout; skipped where they are missing)', () => {
  test('v01 chat bot: gets a token with the credential, then replies to who wrote', async () => {
    await setValues({ credentials: { teams_bot: 'bot-secret-value' } });
    const host = '/login.microsoftonline.com/botframework.com/oauth2/v2.0/token';
    target.on(`POST ${host}`, { body: { access_token: 'tok-1' } });
    target.on('POST /bot.example.test/v3/conversations/c-9/activities', { status: 201, body: { id: 'm-1' } });
    const story = await importReal('v01-tines-security-chat-bot-simple-reply.json');

    await fabula.fire(story.webhooks['receive commands']!, {
      serviceUrl: 'https://bot.example.test',
      conversation: { id: 'c-9' },
      recipient: { id: 'bot', name: 'Fabula' },
      from: { id: 'u-1', name: 'Ada' },
    });
    await fabula.settled();

    const [token, reply] = target.requests;
    expect(new URLSearchParams(token!.text).get('client_secret')).toBe('bot-secret-value');
    expect(token!.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(reply!.headers['authorization']).toBe('Bearer tok-1');
    expect(JSON.parse(reply!.text)).toEqual({
      type: 'message',
      from: { id: 'bot', name: 'Fabula' },
      recipient: { id: 'u-1', name: 'Ada' },
      text: 'This is the Tines Chat Bot, coming right back at you!',
    });
    expect((await fabula.events()).map(({ agent }) => agent)).toEqual([
      'receive commands',
      'Get Bearer Token from Microsoft',
      'Reply with Results',
    ]);
    expect(JSON.stringify(await fabula.events())).not.toContain('bot-secret-value');
    expect(await fabula.deadLetters()).toEqual([]);
  });

  test('v03 simple story: each user takes the branch of their job', async () => {
    target.on('POST /postman-echo.com/post', { body: { ok: true } });
    const story = await importReal('v03-simple-story.json');
    await fabula.fire(story.webhooks['Receive events']!, {
      type: 'infection',
      users: [
        { name: 'Alice', age: 23, country: 'Ireland', job: 'engineer' },
        { name: 'Bob', age: 44, country: 'France', job: 'ceo' },
        { name: 'Carol', age: 19, country: 'Spain', job: 'student' },
      ],
    });
    await fabula.settled();

    expect(target.requests.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
      { name: 'Bob', age: '44', country: 'France', job: 'ceo' },
    ]);
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]!.header('subject')).toBe('Engineer in infected');
    expect(smtp.mails[0]!.raw.replace(/=\r\n/g, '')).toContain('<b>Name:</b> Alice');
    const agents = (await fabula.events()).map(({ agent }) => agent).toSorted();
    expect(agents).toEqual([
      'Explode users',
      'Explode users',
      'Explode users',
      'Notify by email',
      'Receive events',
      'Send a post request',
      'Type is infection',
      'User is ceo',
      'User is engineer',
      'User is student',
    ]);
    expect(await fabula.deadLetters()).toEqual([]);
  });

  test('v01 ticket in Jira: the trigger lets only a created ticket through', async () => {
    await setValues({
      resources: { jirahost: 'jira.example.test', jirausername: 'robot' },
      credentials: { jira: 'jira-secret-value' },
    });
    const self = 'https://jira.example.test/rest/api/2/issue/10';
    target.on('POST /jira.example.test/rest/api/2/issue', {
      status: 201,
      body: { id: '10', key: 'EN-10', self },
    });
    target.on('POST /jira.example.test/rest/api/2/issue/EN-10/comment/', { status: 201, body: { id: '1' } });
    const story = await importReal('v01-allocate-and-track-in-atlassian-jira.json');
    await fabula.fire(story.webhooks['Receive Ticket Request']!, {
      ostype: 'windows',
      query: 'name = evil.exe',
      results_table_markdown: '|host|\n|h1|',
    });
    await fabula.settled();

    const [create, comment] = target.requests;
    const basic = `Basic ${Buffer.from('robot:jira-secret-value').toString('base64')}`;
    expect([create!.headers['authorization'], comment!.headers['authorization']]).toEqual([basic, basic]);
    const { fields } = JSON.parse(create!.text) as { fields: JsonObject };
    expect(fields['summary']).toBe('Security Issue : New WINDOWS Compromised / Infected Hosts');
    expect(fields['description']).toContain('\n\nh2. *Detection Information*\n\n');
    expect(JSON.parse(comment!.text)).toEqual({
      body: "*Note:* An additional email will be sent to team lead or manager for prioritisation. Query used was: 'name = evil.exe'",
    });
    const last = (await fabula.events()).at(-1)!;
    expect(last).toMatchObject({
      agent: 'Return Status',
      payload: { status: '201', ticket_id: '10', ticket_key: 'EN-10', ticket_url: self },
    });
    expect(await fabula.deadLetters()).toEqual([]);
  });

  test('v03 sensor data: arithmetic on the readings decides whether the alert goes out', async () => {
    await setValues({
      resources: { gsheets_sensor_data_sheet_id: 'sheet-1', telegram_chat_id: '42' },
      credentials: { gsheets_bearer: 'sheets-secret', telegram_bot_key: 'bot-key-secret' },
    });
    target.on('POST /sheets.googleapis.com/v4/spreadsheets/sheet-1/values/Sheet1!A1:Z999:append', {
      body: {},
    });
    target.on('POST /api.telegram.org/bot-key-secret/sendMessage', { body: { ok: true } });
    const story = await importReal('v03-environmental-sensor-data-to-google-sheets-and-tel.json');
    const fire = async (co2: number) => {
      target.clear();
      await fabula.fire(story.webhooks['Receive Sensor Data']!, {
        SGP30CO2: co2,
        MHZ19CO2: co2 + 30,
        CCS811CO2: co2 + 60,
        BME680Temp: 21.5,
      });
      await fabula.settled();
      return target.requests.map(({ path }) => String(path.split('/')[1])).toSorted();
    };

    expect(await fire(900)).toEqual(['sheets.googleapis.com']);
    const [row] = (JSON.parse(target.requests[0]!.text) as { values: string[][] }).values;
    expect(row!.slice(0, 4)).toEqual(['900', '930', '960', '930']);
    expect(row![12]).toBe('FALSE');
    expect(await fire(1200)).toEqual(['api.telegram.org', 'sheets.googleapis.com']);
    expect(await fabula.deadLetters()).toEqual([]);
  });
});
