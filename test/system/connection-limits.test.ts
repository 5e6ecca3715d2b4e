import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import type { ServerOptions } from '../../src/platform/http/server/create-server.js';
import { connectionLimits } from '../../src/platform/http/server/connection-limits.js';
import { addressKey } from '../../src/platform/http/address/address-key.js';
import { eventually } from '../support/eventually.js';
import { fabulaEnvironment } from '../support/fabula-environment.js';
import { startProcess } from '../support/processes.js';
import { useStores } from '../support/stores.js';

const HELD = 2_000;
/** Memory that connections may leave behind for a while in Node's caches: the bound is on all of them together. */
const SLACK_BYTES = 24 * 1024 * 1024;
const TIMES = {
  headersMs: 400,
  requestMs: 800,
  keepAliveMs: 400,
  lingerMs: 200,
  stalledMs: 400,
  lookEveryMs: 100,
};

interface ConnectionServer {
  pid: number;
  port: number;
  bytes(): Promise<number>;
  stop(): void;
}

async function startServer(options: ServerOptions): Promise<ConnectionServer> {
  const file = path.join(__dirname, '../support/connection-server.ts');
  const child: ChildProcess = fork(file, [JSON.stringify(options)], {
    execArgv: ['--import', 'tsx', '--expose-gc'],
    stdio: 'inherit',
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    pid: child.pid ?? 0,
    port,
    async bytes() {
      const response = once(child, 'message') as Promise<[{ bytes: number }]>;
      child.send('bytes');
      return (await response)[0].bytes;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

async function descriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

interface Held {
  sockets: net.Socket[];
  /** Bytes that arrived on all of them. */
  received(): string;
  drop(): void;
}

/** Connections that never close, whatever the other side does. */
async function hold(port: number, count: number, begin: (socket: net.Socket) => void): Promise<Held> {
  const sockets: net.Socket[] = [];
  let received = '';
  for (let at = 0; at < count; at += 100) {
    const some = Array.from({ length: Math.min(100, count - at) }, () => {
      const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined);
      return socket;
    });
    if (at === 0) some[0]?.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    await Promise.all(some.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    for (const socket of some) begin(socket);
    sockets.push(...some);
  }
  return {
    sockets,
    received: () => received,
    drop: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const read = (socket: net.Socket) => socket.resume();
const HEAD = 'Host: a\r\n';

/** Actions of a client that then never closes. */
const KINDS: [string, (socket: net.Socket) => void][] = [
  ['says nothing', read],
  ['says nothing and ends its half', (socket) => read(socket).end()],
  ['stops in its headers', (socket) => read(socket).write(`GET /ok HTTP/1.1\r\n${HEAD}X-A: `)],
  ['ends its half in its headers', (socket) => read(socket).end(`GET /ok HTTP/1.1\r\n${HEAD}X-A: `)],
  ['sends what is no HTTP', (socket) => read(socket).write('\x16\x03\x01\x02\x00\x01\r\n\r\n')],
  ['sends what is no HTTP and reads nothing', (socket) => socket.write('\x16\x03\x01\x02\x00\x01\r\n\r\n')],
  [
    'stops in its body',
    (socket) => read(socket).write(`POST /read HTTP/1.1\r\n${HEAD}Content-Length: 9\r\n\r\nab`),
  ],
  [
    'ends its half in its body',
    (socket) => read(socket).end(`POST /read HTTP/1.1\r\n${HEAD}Content-Length: 9\r\n\r\nab`),
  ],
  [
    'is refused while its body comes',
    (socket) => read(socket).write(`POST /nowhere HTTP/1.1\r\n${HEAD}Content-Length: 9\r\n\r\nab`),
  ],
  [
    'is answered while its chunks come',
    (socket) => read(socket).write(`GET /ok HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`),
  ],
  ['stays after its answer', (socket) => read(socket).write(`GET /ok HTTP/1.1\r\n${HEAD}\r\n`)],
  ['ends its half after its request', (socket) => read(socket).end(`GET /ok HTTP/1.1\r\n${HEAD}\r\n`)],
  ['ends its half while it waits', (socket) => read(socket).end(`GET /never HTTP/1.1\r\n${HEAD}\r\n`)],
  [
    'ends its half after its answer',
    (socket) => {
      read(socket).write(`GET /ok HTTP/1.1\r\n${HEAD}\r\n`);
      socket.once('data', () => socket.end());
    },
  ],
  [
    'asks that its connection be closed',
    (socket) => read(socket).write(`GET /ok HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`),
  ],
];

jest.setTimeout(180_000);

describe('connections that a client never closes', () => {
  let server: ConnectionServer;
  beforeAll(async () => {
    server = await startServer({ times: TIMES, limits: { max: 10_000, maxPerAddress: 10_000 } });
  });
  afterAll(() => server.stop());

  const comesBack = async (count: number, begin: (socket: net.Socket) => void) => {
    const before = { descriptors: await descriptors(server.pid), bytes: await server.bytes() };
    const held = await hold(server.port, count, begin);
    await eventually(async () => (await descriptors(server.pid)) <= before.descriptors, 60_000);
    await eventually(async () => (await server.bytes()) <= before.bytes + SLACK_BYTES, 20_000);
    held.drop();
  };

  it.each(KINDS)(`${HELD} of a client that %s are given up`, async (_kind, begin) => {
    await comesBack(HELD, begin);
  });

  it('connections that never read a large response are closed, and their memory is freed', async () => {
    await comesBack(200, (socket) => void socket.write(`GET /large HTTP/1.1\r\n${HEAD}\r\n`));
  });

  it('connections that read a large response a few bytes at a time are closed', async () => {
    await comesBack(20, (socket) => {
      socket.write(`GET /large HTTP/1.1\r\n${HEAD}\r\n`);
      socket.pause();
      const timer = setInterval(() => socket.read(1), 100);
      socket.once('close', () => clearInterval(timer));
    });
  });

  it('a connection with a hundred requests that wait is cut at the next', async () => {
    const before = await descriptors(server.pid);
    const held = await hold(server.port, 1, (socket) => {
      read(socket).write(`GET /never HTTP/1.1\r\n${HEAD}\r\n`.repeat(101));
    });
    await eventually(async () => (await descriptors(server.pid)) <= before, 5_000);
    held.drop();
  });
});

describe('connections of clients that are only slow', () => {
  let server: ConnectionServer;
  beforeAll(async () => {
    server = await startServer({ times: { stalledMs: 2_000 } });
  });
  afterAll(() => server.stop());

  it('a client that pipelines a thousand requests and reads gets all responses', async () => {
    const socket = net.connect(server.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const count = () => received.split('HTTP/1.1 200 OK').length - 1;
    for (let sent = 0; sent < 1_000; sent += 50) {
      socket.write(`GET /ok HTTP/1.1\r\n${HEAD}\r\n`.repeat(50));
      await eventually(async () => count() === sent + 50, 10_000);
    }
    socket.destroy();
  });

  it('a client that reads slowly gets the whole response', async () => {
    const socket = net.connect(server.port, '127.0.0.1');
    let bytes = 0;
    socket.write(`GET /large HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`);
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      socket.pause();
      // Altogether longer than a connection may stall.
      setTimeout(() => socket.resume(), 12);
    });
    await once(socket, 'end');
    expect(bytes).toBeGreaterThan(16 * 1024 * 1024);
  });
});

describe('the number of connections', () => {
  it('beyond the limit a connection is ended at once, and the others go on', async () => {
    const server = await startServer({ limits: { max: 20, maxPerAddress: 20 } });
    const held = await hold(server.port, 20, read);
    const surplus = await hold(server.port, 5, read);
    await eventually(
      async () => surplus.sockets.every(({ readableEnded, destroyed }) => readableEnded || destroyed),
      5_000,
    );
    held.sockets[0]?.write(`GET /ok HTTP/1.1\r\n${HEAD}\r\n`);
    await eventually(async () => held.received().includes('200 OK'), 5_000);
    held.drop();
    surplus.drop();
    server.stop();
  });

  it('one address cannot have them all', async () => {
    const server = await startServer({ limits: { max: 20, maxPerAddress: 10 } });
    const held = await hold(server.port, 15, read);
    const open = () => held.sockets.filter(({ readableEnded, destroyed }) => !readableEnded && !destroyed);
    await eventually(async () => open().length === 10, 5_000);
    const other = net.connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    let response = '';
    other.on('data', (chunk: Buffer) => (response += chunk.toString()));
    other.write(`GET /ok HTTP/1.1\r\n${HEAD}\r\n`);
    await eventually(async () => response.includes('200 OK'), 5_000);
    other.destroy();
    held.drop();
    server.stop();
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it.each([
    [1_024, 768, 384],
    [256, 128, 64],
    [65_536, 10_000, 5_000],
  ])('with %s open files there are %s connections, %s of one address', (files, max, maxPerAddress) => {
    expect(connectionLimits({}, files)).toEqual({ max, maxPerAddress });
  });
});

describe('the product itself', () => {
  const stores = useStores();

  it('closes half-closed connections within seconds', async () => {
    const web = startProcess('web', fabulaEnvironment(stores, { LOG_LEVEL: 'info' }));
    stores.onClose(async () => void (await web.stop('SIGKILL')));
    await web.said('web is listening');
    const [, port = ''] = /"port":(\d+)/.exec(web.output()) ?? [];
    const before = await descriptors(web.pid);
    const held = await hold(Number(port), 300, (socket) => read(socket).write('\x16\x03\x01\r\n\r\n'));
    const bodies = await hold(Number(port), 300, (socket) => {
      read(socket).write(`GET /api/v1/stories HTTP/1.1\r\n${HEAD}Content-Length: 9\r\n\r\nab`);
    });
    await eventually(async () => (await descriptors(web.pid)) <= before + 20, 30_000);
    expect(held.received()).toContain('400 Bad Request');
    expect(bodies.received()).toContain('401 Unauthorized');
    held.drop();
    bodies.drop();
  });
});
