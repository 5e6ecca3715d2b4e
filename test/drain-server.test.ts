import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { createDrain } from '../src/http/drain-server.js';
import { eventually } from './support/eventually.js';

const TIMES = { waitsMs: 3_000, allMs: 4_000 };
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

let server: http.Server;
let port: number;
let waitsEnded: number;
let drain: ReturnType<typeof createDrain>;
/** Answers that the test gives when it wants to. */
let held: http.ServerResponse[];

beforeEach(async () => {
  held = [];
  waitsEnded = 0;
  server = http.createServer((request, response) => {
    if (request.url === '/held') held.push(response);
    else response.end('ok');
  });
  drain = createDrain(server, () => {
    waitsEnded += 1;
    return Promise.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  server.closeAllConnections();
});

/** A connection, all that came on it, and whether the server has ended it. */
async function connect() {
  const socket = net.connect(port, '127.0.0.1');
  let received = '';
  let ended = false;
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('close', () => (ended = true));
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.on('error', reject);
  });
  return { send: (text: string) => socket.write(text), received: () => received, ended: () => ended };
}

test('what comes at once on a connection that was idle is answered, and ends the connection', async () => {
  const connection = await connect();
  connection.send(GET);
  await eventually(() => connection.received().endsWith('ok'));
  expect(connection.received()).not.toContain('Connection: close');
  const drained = drain.drain(TIMES);
  connection.send(GET);
  await eventually(() => connection.received().includes('Connection: close'));
  await drained;
  expect(connection.ended()).toBe(true);
});

test('idle connections are closed after a moment, and new ones are refused from the first', async () => {
  const idle = await connect();
  idle.send(GET);
  await eventually(() => idle.received().endsWith('ok'));
  const drained = drain.drain(TIMES);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  expect(idle.ended()).toBe(false);
  await drained;
  await eventually(() => idle.ended());
  expect(waitsEnded).toBe(0);
});

test('an answer under way is waited for, and says that its connection ends', async () => {
  const connection = await connect();
  connection.send(GET.replace('/ ', '/held '));
  await eventually(() => held.length === 1);
  let isOver = false;
  const drained = drain.drain(TIMES).then(() => (isOver = true));
  const idle = await connect().catch(() => undefined);
  expect(idle).toBeUndefined();
  expect(isOver).toBe(false);
  held[0]!.end('late');
  await drained;
  await eventually(() => /Connection: close[^]*late$/.test(connection.received()));
});

test('those who wait for a run are let go before the others are cut', async () => {
  const connection = await connect();
  connection.send(GET.replace('/ ', '/held '));
  await eventually(() => held.length === 1);
  const began = performance.now();
  await drain.drain({ waitsMs: 100, allMs: 400 });
  expect(performance.now() - began).toBeGreaterThan(350);
  expect(waitsEnded).toBe(1);
  await eventually(() => connection.ended());
});
