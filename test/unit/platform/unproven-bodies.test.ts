import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import net from 'node:net';
import { ClientGone, readRawBody } from '../../../src/platform/http/body/body-reader.js';
import { eventually } from '../../support/eventually.js';
import { call } from '../../support/http-call.js';
import { startWebhooks, type TestWebhooks } from '../../support/webhooks.js';

const MIB = 1024 * 1024;
let webhooks: TestWebhooks;
beforeAll(async () => {
  webhooks = await startWebhooks({ config: { bodyLimitBytes: 16 * MIB } });
});
afterAll(() => webhooks.close());

/** Sends all but the end of a large body with a signature that nobody made; gives what is answered. */
function unproven(megabytes: number): { socket: net.Socket; response: () => string } {
  const { port } = new URL(webhooks.url);
  let response = '';
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (response += chunk.toString()));
  const signature = `ts=${Math.floor(Date.now() / 1000)};sig1=${'0'.repeat(64)}`;
  socket.write(
    `POST /webhook/hook HTTP/1.1\r\nHost: a\r\nX-Service-Signature: ${signature}\r\nContent-Length: ${16 * MIB}\r\n\r\n`,
  );
  for (let sent = 0; sent < megabytes; sent++) socket.write(Buffer.alloc(MIB));
  return { socket, response: () => response };
}

it('bodies of unauthenticated callers share one bound, and authenticated callers are not affected', async () => {
  const senders = Array.from({ length: 12 }, () => unproven(8));
  await eventually(() => senders.some(({ response }) => response().startsWith('HTTP/1.1 503')));
  const body = 'x'.repeat(2 * MIB);
  const ordinary = await call(`${webhooks.url}/webhook/hook/${encodeURIComponent('open sesame')}`, { body });
  expect(ordinary.status).toBe(201);
  for (const { socket } of senders) socket.destroy();
});

it('the memory of callers that have gone is free again', async () => {
  const first = unproven(15);
  first.socket.destroy();
  await eventually(async () => {
    const next = unproven(16);
    await eventually(() => next.response() !== '');
    next.socket.destroy();
    return next.response().startsWith('HTTP/1.1 401');
  });
});

it('an unread body is given up at once when its sender disconnects', async () => {
  const gone = new IncomingMessage(new net.Socket());
  gone.headers['content-length'] = '100';
  gone.destroy();
  await once(gone, 'close');
  await expect(readRawBody(gone, { limitBytes: MIB, timeoutMs: 600_000 })).rejects.toBeInstanceOf(ClientGone);
});
