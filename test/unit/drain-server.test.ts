import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createServerDrain } from '../../src/platform/http/server/server-drain.js';
import { eventually } from '../support/eventually.js';

const TIMES = { waitsMs: 3_000, allMs: 4_000 };
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

let server: http.Server;
let port: number;
let waitsEnded: number;
let drain: ReturnType<typeof createServerDrain>;
/** Answers that the test gives when it wants to. */
let held: http.ServerResponse[];

beforeEach(async () => {
  held = [];
  waitsEnded = 0;
  server = http.createServer((request, response) => {
    if (request.url === '/held') held.push(response);
    else response.end('ok');
  });
  drain = createServerDrain(server, () => {
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

/** Whether nobody is accepted any more. */
function isClosed(): Promise<boolean> {
  return connect().then(
    () => false,
    () => true,
  );
}

test('what comes at once on a connection that was idle is answered, and ends the connection', async () => {
  const connection = await connect();
  connection.send(GET);
  await eventually(() => connection.received().endsWith('ok'));
  expect(connection.received()).not.toContain('Connection: close');
  const drained = drain.drain(TIMES);
  await eventually(isClosed);
  connection.send(GET);
  await eventually(() => connection.received().includes('Connection: close'));
  await drained;
  expect(connection.ended()).toBe(true);
});

test('idle connections are closed after a moment, and new ones are refused before that', async () => {
  const idle = await connect();
  idle.send(GET);
  await eventually(() => idle.received().endsWith('ok'));
  const drained = drain.drain(TIMES);
  await eventually(isClosed);
  expect(idle.ended()).toBe(false);
  await drained;
  await eventually(() => idle.ended());
  expect(waitsEnded).toBe(0);
});

test('a response under way is waited for, and says that its connection ends', async () => {
  const connection = await connect();
  connection.send(GET.replace('/ ', '/held '));
  await eventually(() => held.length === 1);
  let isOver = false;
  const drained = drain.drain(TIMES).then(() => (isOver = true));
  await eventually(isClosed);
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

/** A client in a thread of its own, which goes on while this one is blocked. */
function startClient() {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(
    `const { workerData: { port, shared, request }, parentPort } = require('node:worker_threads');
     const net = require('node:net');
     const socket = net.connect(port, '127.0.0.1');
     const sent = () => Atomics.add(shared, 0, 1) + Atomics.notify(shared, 0);
     let received = '';
     socket.on('connect', () => socket.write(request, sent));
     socket.on('data', (data) => parentPort.postMessage((received += data)));
     socket.on('error', (error) => parentPort.postMessage(error.message));
     parentPort.on('message', () => socket.write(request, sent));
     parentPort.unref();`,
    { eval: true, workerData: { port, shared, request: GET } },
  );
  let heard = '';
  thread.on('message', (text: string) => (heard = text));
  return {
    /** Keeps this thread from everything else until so many requests are on their way. */
    block: (requests: number) => Atomics.wait(shared, 0, requests - 1, 5_000),
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    sendAgain: () => thread.postMessage('again'),
    heard: () => heard,
    end: () => thread.terminate(),
  };
}

test('a busy process answers who has connected before it looked', async () => {
  const client = startClient();
  try {
    client.block(1);
    const drained = drain.drain(TIMES);
    await eventually(() => client.heard() !== '');
    expect(client.heard()).toMatch(/ok$/);
    await drained;
  } finally {
    await client.end();
  }
});

test('a connection on which nothing ever came does not hold up the end', async () => {
  const unused = await connect();
  const began = performance.now();
  await drain.drain(TIMES);
  expect(performance.now() - began).toBeLessThan(TIMES.waitsMs);
  await eventually(() => unused.ended());
});

test('a busy process answers what has come on an idle connection before it closes that', async () => {
  const client = startClient();
  try {
    await eventually(() => client.heard().endsWith('ok'));
    const drained = drain.drain(TIMES);
    await eventually(isClosed);
    client.sendAgain();
    client.block(2);
    // Until the time for idle connections has come, before the request is looked at.
    const until = performance.now() + 800;
    while (performance.now() < until);
    await drained;
    await eventually(() => /Connection: close[^]*ok$/.test(client.heard()));
  } finally {
    await client.end();
  }
});

test('connections that are in use end with a response, however long the load goes on', async () => {
  const connections = await Promise.all(Array.from({ length: 10 }, connect));
  // The time for idle connections is a fifth of this: all have sent by then, on a busy machine too.
  const drained = drain.drain({ waitsMs: 9_000, allMs: 10_000 });
  for (const connection of connections) {
    await sleep(70);
    connection.send(GET);
  }
  await drained;
  await eventually(() => connections.every((connection) => connection.received().endsWith('ok')));
});
