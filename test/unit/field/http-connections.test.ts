import type { Socket } from 'node:net';
import { createHttpClient } from '../../../src/platform/outbound/http-client.js';
import type { HttpClient } from '../../../src/platform/outbound/http-exchange.js';
import { eventually } from '../../support/eventually.js';
import { type RawResponse, startRawTarget } from '../../support/raw-target.js';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let client: HttpClient;
let target: Awaited<ReturnType<typeof startRawTarget>>;

beforeEach(() => {
  client = createHttpClient({ allow: ['127.0.0.1'], timeoutMs: 10_000, maxResponseBytes: 1000 });
});

afterEach(async () => {
  jest.restoreAllMocks();
  await client.close();
  await target.close();
});

async function send(method = 'POST', path = ''): Promise<string> {
  const body = method === 'GET' ? {} : { body: Buffer.from('{}') };
  const response = await client.request({ url: `${target.url}${path}`, method, headers: {}, ...body });
  return response.answered ? `${response.status} ${response.body.toString()}` : response.reason;
}

const start = async (response: RawResponse) => {
  target = await startRawTarget(response, { ending: 'keep' });
};
/** Lets the event loop go round so many times. */
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const connections = () => target.requests.map(({ connection }) => connection);

describe('B16: a request on an idle connection that the target has closed is sent again on a new one', () => {
  test.each(['GET', 'POST', 'DELETE', 'PATCH'])(
    '%s, closed when the second request arrives',
    async (method) => {
      const answered = new Set<Socket>();
      await start((_request, socket) => {
        if (answered.has(socket)) return void socket.destroy();
        answered.add(socket);
        return OK;
      });
      expect([await send(method), await send(method)]).toEqual(['200 ok', '200 ok']);
      expect(connections()).toEqual([1, 1, 2]);
    },
  );

  test.each(['GET', 'POST'])(
    '%s, a hundred in a loop, closed a little after each response',
    async (method) => {
      let round = 0;
      await start((_request, socket) => {
        void turns(round % 7).then(() => socket.end());
        return OK;
      });
      for (; round < 100; round += 1) {
        expect(await send(method)).toBe('200 ok');
        await turns(round % 5);
      }
    },
  );

  test('but not a third time, and not on a connection that was new', async () => {
    let requests = 0;
    await start((_request, socket) => {
      requests += 1;
      if (requests === 1) return OK;
      socket.destroy();
      return undefined;
    });
    expect(await send()).toBe('200 ok');
    expect(await send()).toMatch(/the connection was (closed|reset)/);
    expect(requests).toBe(3);
    expect(await send()).toMatch(/the connection was (closed|reset)/);
    expect(requests).toBe(4);
  });

  test('nor when a byte of the response has arrived', async () => {
    await start(({ head }, socket) => {
      if (!head.includes('/second')) return OK;
      socket.end('H');
      return undefined;
    });
    expect([await send(), await send('POST', 'second')]).toEqual([
      '200 ok',
      expect.stringContaining('closed before the response was complete'),
    ]);
    expect(target.requests).toHaveLength(2);
  });

  test('nor, for a POST, when the target has worked on it for long', async () => {
    await start(({ head }, socket) => {
      if (!head.includes('/second')) return OK;
      const began = performance.now();
      jest.spyOn(performance, 'now').mockReturnValue(began + 1300);
      socket.destroy();
      return undefined;
    });
    expect([await send(), await send('POST', 'second')]).toEqual([
      '200 ok',
      expect.stringMatching(/the connection was (closed|reset)/),
    ]);
    expect(target.requests).toHaveLength(2);
  });
});

describe('B1: a connection is not used again after a response that is not strict HTTP', () => {
  test('it is used again after one that is', async () => {
    await start(OK);
    await send();
    await send();
    expect(connections()).toEqual([1, 1]);
  });

  test.each<[string, string]>([
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok'],
    ['a control character', 'HTTP/1.1 200 OK\r\nX: a\x01\r\nContent-Length: 2\r\n\r\nok'],
    [
      'both lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    ['an informational response', `HTTP/1.1 100 Continue\r\n\r\n${OK}`],
    ['more bytes than it says', `${OK}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged`],
    [
      'a body where none belongs',
      'HTTP/1.1 304 X\r\nContent-Length: 2\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged',
    ],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
  ])('not after %s', async (_what, bytes) => {
    await start(bytes);
    const first = await send();
    expect(await send()).toBe(first);
    expect(first).not.toContain('forged');
    expect(connections()).toEqual([1, 2]);
  });

  test('bytes on an idle connection do not become the next response', async () => {
    const sockets: Socket[] = [];
    await start((_request, socket) => {
      sockets.push(socket);
      return OK;
    });
    expect(await send()).toBe('200 ok');
    sockets[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged');
    await eventually(() => sockets[0]?.destroyed);
    expect(await send()).toBe('200 ok');
    expect(connections()).toEqual([1, 2]);
  });
});

describe('B15: a Location with bytes that are not ASCII is read as the bytes that it is', () => {
  test.each<[string, string | Buffer, string]>([
    ['UTF-8', Buffer.from('/café'), '/caf%C3%A9'],
    ['UTF-8 in the query', Buffer.from('/a?q=日本 x'), '/a?q=%E6%97%A5%E6%9C%AC%20x'],
    ['Latin-1, as other clients do', '/caf\xe9', '/caf%E9'],
    ['what is escaped already', '/caf%C3%A9?x=%2F', '/caf%C3%A9?x=%2F'],
    ['UTF-8 relative to the path', Buffer.from('grün?ü'), '/gr%C3%BCn?%C3%BC'],
  ])('%s', async (_what, location, asked) => {
    const bytes = Buffer.isBuffer(location) ? location.toString('latin1') : location;
    await start(({ head }) =>
      head.startsWith('GET / ')
        ? `HTTP/1.1 302 Found\r\nLocation: ${bytes}\r\nContent-Length: 0\r\n\r\n`
        : OK,
    );
    expect(await send('GET')).toBe('200 ok');
    expect(target.requests.at(-1)?.head).toMatch(`GET ${asked} HTTP/1.1`);
  });

  test('a host in UTF-8 becomes its name in DNS', async () => {
    await start('HTTP/1.1 302 Found\r\nLocation: http://b\xc3\xbccher.invalid/\r\nContent-Length: 0\r\n\r\n');
    expect(await send('GET')).toMatch(/^xn--bcher-kva\.invalid: the host name/);
  });
});
