import { allowsDomain, allowsHost, hostPattern } from '../../../src/data/credentials/reach/allowed-hosts.js';
import { startFabula, type TestFabula } from '../../support/fabula.js';
import { fabulaEnvironment } from '../../support/fabula-environment.js';
import { runCli } from '../../support/run-cli.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';
import { selfSigned } from '../../support/certificates.js';
import { startSmtpServer } from '../../support/smtp-server.js';
import { call } from '../../support/run-api.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { shareFabula } from '../../support/use-fabula.js';

const SECRET = 'Tq7-zebra-QUARTZ-91x';
const stores = useStores();
let api: HttpTarget;
let evil: HttpTarget;
const shared = shareFabula(stores);
/** One with other settings, for one test. */
let strict: TestFabula | undefined;

beforeAll(async () => {
  api = await startHttpTarget({ host: '127.0.0.1' });
  evil = await startHttpTarget({ host: '127.0.0.2' });
});
afterAll(() => Promise.all([api.close(), evil.close()]));
beforeEach(() => {
  api.clear();
  evil.clear();
  api.on('/ok', { body: 'ok' });
  evil.on('/evil', { body: 'arrived' });
});
afterEach(async () => {
  await strict?.close();
  strict = undefined;
});

async function started(hosts: string[] | undefined, env: NodeJS.ProcessEnv = {}) {
  await shared.runWith({ env });
  await shared.inner.setCredential(shared.account.team.id, 'C1', SECRET, hosts);
  return shared;
}

const request = (url: string, more: object = {}): ShortAgent => [
  'HTTPRequest',
  { url, method: 'get', headers: { 'x-key': '<<CREDENTIAL.C1>>' }, ...more },
];

async function ran(running: TestFabula, agents: Record<string, ShortAgent>, link: string) {
  const receive: ShortAgent = ['Webhook', { path: 'go', secret: 'secret-of-hook', verbs: 'post' }];
  const story = await running.importStory(storyOf({ Receive: receive, ...agents }, [`Receive > ${link}`]));
  await running.fire(story.webhooks['Receive']!);
  await running.settled();
  return running.deadLetters();
}

test('a bound credential goes to its host', async () => {
  const running = await started(['127.0.0.1']);
  expect(await ran(running, { Ask: request(`${api.url}/ok`) }, 'Ask')).toEqual([]);
  expect(api.requests[0]!.headers['x-key']).toBe(SECRET);
});

test('a credential in a header that is else harmless does not go to another origin', async () => {
  const running = await started(undefined);
  api.on('/away', { status: 302, headers: { location: `${evil.url}/evil` }, body: '' });
  const headers = { accept: 'text/plain', 'accept-language': 'x <<CREDENTIAL.C1>>' };
  const ask = request(`${api.url}/away`, { headers, user_agent: '<<CREDENTIAL.C1>>' });
  expect(await ran(running, { Ask: ask }, 'Ask')).toEqual([]);
  expect(api.requests[0]!.headers).toMatchObject({ 'user-agent': SECRET, 'accept-language': `x ${SECRET}` });
  expect(evil.requests.map(({ headers: { accept } }) => accept)).toEqual(['text/plain']);
  expect(JSON.stringify(evil.requests)).not.toContain(SECRET);
});

test('a bound credential is refused for another host, before anything is connected', async () => {
  const running = await started(['127.0.0.1', 'api.example.com']);
  const letters = await ran(running, { Ask: request(`${evil.url}/evil`) }, 'Ask');
  expect(letters).toMatchObject([
    {
      attempts: 1,
      error: `The credential "C1" cannot be sent to 127.0.0.2:${evil.port}: check its allowed hosts`,
    },
  ]);
  expect(evil.requests).toEqual([]);
});

test('a port that is named is the only one', async () => {
  const running = await started([`127.0.0.1:${api.port + 1}`]);
  expect(await ran(running, { Ask: request(`${api.url}/ok`) }, 'Ask')).toHaveLength(1);
  expect(api.requests).toEqual([]);
});

test.each([302, 307, 308])('a bound credential stops a redirect (%i) to another host', async (status) => {
  api.on('/away', { status, redirect: `${evil.url}/evil` });
  const running = await started(['127.0.0.1']);
  const letters = await ran(running, { Ask: request(`${api.url}/away`) }, 'Ask');
  expect(letters).toMatchObject([
    { attempts: 1, error: expect.stringContaining('"C1" cannot be sent to 127.0.0.2') as string },
  ]);
  expect(api.requests).toHaveLength(1);
  expect(evil.requests).toEqual([]);
});

test('a bound credential stays bound after it went through an event', async () => {
  const running = await started(['127.0.0.1']);
  const make: ShortAgent = [
    'EventTransformation',
    { mode: 'message_only', payload: { t: '<<SHA256(CREDENTIAL.C1)>>' } },
  ];
  const send = request(`${evil.url}/evil`, { headers: { 'x-key': '<<make.t>>' } });
  expect(await ran(running, { Make: make, Send: send }, 'Make > Send')).toHaveLength(1);
  expect(evil.requests).toEqual([]);
});

test('all credentials of a request are looked at', async () => {
  const running = await started(undefined);
  await running.inner.setCredential(running.account.team.id, 'C2', 'other-secret-value', ['api.example.com']);
  const both = request(`${api.url}/ok`, { headers: { a: '<<CREDENTIAL.C1>>', b: '<<CREDENTIAL.C2>>' } });
  expect(await ran(running, { Ask: both }, 'Ask')).toMatchObject([
    { error: expect.stringContaining('"C2"') as string },
  ]);
  expect(api.requests).toEqual([]);
});

test('certificates are verified where a bound credential goes, whatever the story says', async () => {
  const secure = await startHttpTarget({ host: '127.0.0.1', tls: selfSigned('127.0.0.1') });
  try {
    secure.on('/ok', { body: 'ok' });
    const running = await started(['127.0.0.1']);
    await ran(running, { Ask: request(`${secure.url}/ok`, { disable_ssl_verification: true }) }, 'Ask');
    expect(secure.requests).toEqual([]);
    expect((await running.events())[1]!.payload).toMatchObject({ status: 0 });
  } finally {
    await secure.close();
  }
});

test('the host header cannot be set in a request with a credential', async () => {
  const running = await started(undefined);
  const other = request(`${api.url}/ok`, {
    headers: { host: 'internal.vhost', 'x-key': '<<CREDENTIAL.C1>>' },
  });
  expect(await ran(running, { Ask: other }, 'Ask')).toEqual([]);
  expect(api.requests[0]!.headers).toMatchObject({ host: `127.0.0.1:${api.port}`, 'x-key': SECRET });
});

const mail = (to: string[]): ShortAgent => [
  'Email',
  { recipients: to, subject: 'x', body: 'is <<CREDENTIAL.C1>>' },
];

test('a bound credential is mailed to its domains only', async () => {
  const smtp = await startSmtpServer();
  try {
    const running = await started(['*.example.com', 'example.com'], { SMTP_URL: smtp.url });
    const receive: ShortAgent = ['Webhook', { path: 'go', secret: 'secret-of-hook', verbs: 'post' }];
    const story = await running.importStory(
      storyOf(
        {
          Receive: receive,
          Good: mail(['a@example.com', 'b@eu.example.com']),
          Bad: mail(['a@example.com', 'x@evil.test']),
        },
        ['Receive > Good', 'Receive > Bad'],
      ),
    );
    await running.fire(story.webhooks['Receive']!);
    await running.settled();
    expect(smtp.mails.map(({ to }) => to)).toEqual([['a@example.com', 'b@eu.example.com']]);
    expect(smtp.mails[0]!.raw).toContain(SECRET);
    expect(await running.deadLetters()).toMatchObject([
      { error: expect.stringContaining('evil.test') as string },
    ]);
    // Else the server would wait for the connection that the mailer keeps.
    await running.close();
  } finally {
    await smtp.close();
  }
});

test('with REQUIRE_CREDENTIAL_HOSTS a credential without hosts is neither used nor made', async () => {
  const open = await started(undefined);
  await open.close();
  const running = await startFabula(stores, { env: { REQUIRE_CREDENTIAL_HOSTS: 'true' } });
  strict = running;
  const teamId = open.account.team.id;
  await stores.sql(`UPDATE credentials SET team_id = ${running.account.team.id} WHERE team_id = ${teamId}`);
  expect(await ran(running, { Ask: request(`${api.url}/ok`) }, 'Ask')).toMatchObject([
    { attempts: 1, error: expect.stringContaining('REQUIRE_CREDENTIAL_HOSTS') as string },
  ]);
  expect(api.requests).toEqual([]);
  const body = { name: 'new', value: 'x', team_id: running.account.team.id };
  const refused = await call(running, 'POST /api/v1/credentials', { body });
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ details: 'allowed_hosts' }] } });
  const made = await call(running, 'POST /api/v1/credentials', {
    body: { ...body, allowed_hosts: ['a.test'] },
  });
  expect(made).toMatchObject({ status: 201, body: { allowed_hosts: ['a.test'], unrestricted: false } });
  const { id } = made.body as { id: number };
  const emptied = await call(running, `PUT /api/v1/credentials/${id}`, { body: { allowed_hosts: [] } });
  expect(emptied.status).toBe(422);
  await expect(running.inner.setCredential(running.account.team.id, 'n', 'x')).rejects.toThrow(
    'allowed_hosts',
  );
});

test('the API sets, changes and shows the hosts of credentials, and marks those without', async () => {
  const running = await started(undefined);
  const hosts = ['API.Example.com', '*.example.com:8443'];
  const body = { name: 'jira', value: 'x', team_id: running.account.team.id, allowed_hosts: hosts };
  const made = await call(running, 'POST /api/v1/credentials', { body });
  expect(made.body).toMatchObject({
    allowed_hosts: ['api.example.com', '*.example.com:8443'],
    unrestricted: false,
  });
  const { id } = made.body as { id: number };
  const listed = (await call(running, 'GET /api/v1/credentials')).body as { credentials: object[] };
  expect(listed.credentials).toMatchObject([
    { name: 'C1', allowed_hosts: [], unrestricted: true },
    { name: 'jira', unrestricted: false },
  ]);
  const opened = await call(running, `PUT /api/v1/credentials/${id}`, {
    body: { allowed_hosts: [], value: 'x' },
  });
  expect(opened.body).toMatchObject({ allowed_hosts: [], unrestricted: true });
  const wrong = await call(running, `PUT /api/v1/credentials/${id}`, {
    body: { allowed_hosts: ['https://x.test/'] },
  });
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ details: 'allowed_hosts[0]' }] } });
});

function warningsIn({ out }: { out: string }): string[] {
  return (JSON.parse(out) as { files: { warnings: string[] }[] }).files[0]!.warnings;
}

test('the command line sets hosts, and story check names credentials without', async () => {
  const running = await started(undefined);
  const { team, tenantId } = running.account;
  const env = fabulaEnvironment(stores);
  const place = ['--team', String(team.id), '--tenant', String(tenantId)];
  const set = ['credential', 'set', 'jira', '--value', 'x', ...place];
  const made = await runCli([...set, '--allowed-hosts', 'API.example.com, *.example.org', '--json'], { env });
  expect(JSON.parse(made.out)).toMatchObject({ allowed_hosts: ['api.example.com', '*.example.org'] });
  const kept = await runCli([...set, '--json'], { env });
  expect(JSON.parse(kept.out)).toMatchObject({ allowed_hosts: ['api.example.com', '*.example.org'] });
  const wrong = await runCli([...set, '--allowed-hosts', 'https://x.test/'], { env });
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('allowed_hosts[0]')]);
  const story = storyOf(
    { Ask: request('https://x.test/', { headers: { a: '<<CREDENTIAL.c1>>', b: '<<CREDENTIAL.jira>>' } }) },
    [],
  );
  const check = (more: string[]) =>
    runCli(['story', 'check', '-', '--json', ...more], { env, input: JSON.stringify(story) });
  expect(warningsIn(await check(place))).toEqual([
    'the credential "C1" may be sent to any host, because it has no allowed hosts',
  ]);
  expect(warningsIn(await check([]))).toEqual([]);
});

test.each([
  ['api.example.com', 'https://api.example.com/', true],
  ['api.example.com', 'https://API.example.com.:8443/', true],
  ['api.example.com', 'https://example.com/', false],
  ['api.example.com', 'https://api.example.com.evil.test/', false],
  ['api.example.com', 'https://evil.test/?api.example.com', false],
  ['api.example.com', 'https://api.example.com@evil.test/', false],
  ['*.example.com', 'https://a.b.example.com/', true],
  ['*.example.com', 'https://example.com/', false],
  ['*.example.com', 'https://badexample.com/', false],
  ['api.example.com:443', 'https://api.example.com/', true],
  ['api.example.com:443', 'http://api.example.com/', false],
  ['api.example.com:8443', 'https://api.example.com:8443/', true],
  ['bücher.example', 'https://xn--bcher-kva.example/', true],
  ['[::1]:80', 'http://[0:0::1]/', true],
  ['127.0.0.1', 'http://0x7f.1/', true],
])('the pattern %s for %s: %s', (pattern, url, allowed) => {
  expect(allowsHost([hostPattern(pattern)!], new URL(url))).toBe(allowed);
});

test.each([
  '*',
  '*.',
  '*.com',
  'https://a.test',
  'a.test/x',
  'a b.test',
  '',
  'a.test:0',
  'a.test:70000',
  '*.1.2.3.4',
  'a.*.test',
  'a@b.test',
])('%j is no pattern', (pattern) => expect(hostPattern(pattern)).toBeUndefined());

test('domains of mails fit patterns without their ports', () => {
  expect(allowsDomain(['*.example.com:25'], 'EU.example.com')).toBe(true);
  expect(allowsDomain(['example.com'], 'evil.test')).toBe(false);
});
