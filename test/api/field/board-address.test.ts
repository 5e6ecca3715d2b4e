import { startBoard } from '../../support/admin.js';
import { useStores } from '../../support/stores.js';
import { call } from '../../support/webhooks.js';

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

  test('a forged host is not followed', async () => {
    const { url } = await startBoard(stores, []);
    const { headers } = await call(`${url}/admin/queues`, {
      headers: { accept: 'text/html', host: 'evil.example' },
    });
    expect(headers.location).toBe('/admin/sign-in');
  });
});
