import { useStores } from '../../support/stores.js';
import { call } from '../../support/http-call.js';
import { useFabula } from '../../support/use-fabula.js';

const stores = useStores();
const fabula = useFabula(stores, { queues: [], relay: false });

const ask = (path: string, host: string, more: Record<string, string> = {}) =>
  call(fabula.url + path, { headers: { host, 'x-user-token': fabula.account.key, ...more } });
const port = () => new URL(fabula.url).port;

const FOREIGN = [
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '203.0.113.9',
  '[2001:db8::1]',
  'user@localhost',
  'localhost/x',
];

it.each(FOREIGN)('links to pages and cases never use the foreign host %s', async (host) => {
  await fabula.api('POST', '/api/v2/cases', { team_id: fabula.account.team.id, name: 'Stolen laptop' });
  for (const path of ['/api/v2/cases', '/api/v1/stories?per_page=1', '/api/v1/records?record_type_id=1']) {
    const response = await ask(path, host);
    const told = `${response.text} ${String(response.headers['link'])} ${String(response.headers.location)}`;
    for (const part of ['evil.example', '203.0.113.9', '2001:db8', 'user@', 'localhost/x']) {
      expect([path, told.includes(part)]).toEqual([path, false]);
    }
    if (response.status === 200 && path.startsWith('/api/v2')) {
      expect(response.text).toContain(`http://localhost:${port()}/`);
    }
  }
});

it('they do not use a forwarded host of an untrusted client either', async () => {
  const response = await ask('/api/v2/cases', 'localhost', { 'x-forwarded-host': 'evil.example' });
  expect(response.status).toBe(200);
  expect(response.text).not.toContain('evil.example');
});

it.each(['localhost:8080', '127.0.0.1:9', '127.0.0.2', '[::1]:3000'])(
  'our own host %s is kept as the caller says it, with its port',
  async (host) => {
    expect((await ask('/api/v2/cases', host)).text).toContain(`http://${host}/api/v2/cases`);
  },
);

it('S3: a cache keeps documents apart by the headers that name their server', async () => {
  const { headers } = await call(`${fabula.url}/api/openapi.json`);
  expect(headers['vary']).toContain('X-Forwarded-Host, X-Forwarded-Proto, X-Forwarded-Prefix');
});

it('the plain pages of the documentation run nothing and cannot be framed', async () => {
  for (const path of ['/api/docs/plain', '/api/openapi.json', '/']) {
    const { headers, status } = await call(fabula.url + path);
    expect([path, status]).toEqual([path, 200]);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers).not.toHaveProperty('set-cookie');
  }
});
