import { startBoard } from '../../support/admin.js';
import { useStores } from '../../support/stores.js';
import { call } from '../../support/http-call.js';

const stores = useStores();

describe('a board that is opened with credentials in its address', () => {
  test.each(['/', '/admin/queues', '/admin/queues/queue/email'])(
    '%s leads to an address without them',
    async (path) => {
      const { url } = await startBoard(stores, []);
      const { headers } = await call(url + path, { headers: { accept: 'text/html' } });
      const target = new URL(String(headers.location), url.replace('http://', 'http://admin:secret@') + path);
      expect([target.origin, target.username, target.password]).toEqual([url, '', '']);
    },
  );

  test('a prefix that a trusted proxy took off stays, and nobody else names one', async () => {
    const headers = { accept: 'text/html', 'x-forwarded-prefix': '/tools/fabula/' };
    const behind = await startBoard(stores, [], { trustedProxies: ['127.0.0.0/8'] });
    const led = await call(`${behind.url}/admin/queues`, { headers });
    expect(led.headers.location).toBe(`${behind.url.slice(5)}/tools/fabula/admin/sign-in`);
    const strange = { ...headers, 'x-forwarded-prefix': '//evil.example' };
    const kept = await call(`${behind.url}/admin/queues`, { headers: strange });
    expect(kept.headers.location).toBe(`${behind.url.slice(5)}/admin/sign-in`);
    const { url } = await startBoard(stores, []);
    expect((await call(`${url}/admin/queues`, { headers })).headers.location).toBe(
      `${url.slice(5)}/admin/sign-in`,
    );
  });

  test('a forged host is not followed', async () => {
    const { url } = await startBoard(stores, []);
    const { headers } = await call(`${url}/admin/queues`, {
      headers: { accept: 'text/html', host: 'evil.example' },
    });
    expect(headers.location).toBe('/admin/sign-in');
  });
});
