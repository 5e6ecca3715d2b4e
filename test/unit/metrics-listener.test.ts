import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMetricsListener,
  type MetricsListener,
  type MetricsListenerOptions,
} from '../../src/platform/metrics/metrics-listener.js';
import { eventually } from '../support/eventually.js';
import { recordingLogger } from '../support/recording-logger.js';

const TOKEN = 'a token of metrics';
const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** A listener on loopback, and where it listens. */
async function listening(options: Partial<MetricsListenerOptions> = {}) {
  const { logger, lines } = recordingLogger();
  const listener: MetricsListener = createMetricsListener({
    host: '127.0.0.1',
    port: 0,
    token: undefined,
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    text: () => Promise.resolve('up 1\n'),
    logger,
    ...options,
  });
  opened.push(listener);
  listener.listen();
  const line = await eventually(() => lines().find(({ message }) => String(message).startsWith('metrics')));
  return { listener, lines, line, url: `http://127.0.0.1:${String(line['port'])}` };
}

/** A server that has a port of loopback. */
async function taken(port = 0): Promise<number> {
  const server = http.createServer();
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('the listener of metrics', () => {
  test('serves the figures as Prometheus reads them', async () => {
    const { url } = await listening();
    const response = await fetch(`${url}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe('up 1\n');
  });

  test('has nothing but the figures', async () => {
    const { url } = await listening();
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/metrics/more`)).status).toBe(404);
    const written = await fetch(`${url}/metrics`, { method: 'POST' });
    expect([written.status, written.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${url}/metrics?name[]=up`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('asks for the token if there is one', async () => {
    const { url } = await listening({ token: 'of-sixteen-letters' });
    const asked = async (authorization?: string) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      return (await fetch(`${url}/metrics`, { headers })).status;
    };
    expect(await asked()).toBe(401);
    expect(await asked('Bearer of-sixteen-letterz')).toBe(401);
    expect(await asked('Basic of-sixteen-letters')).toBe(401);
    expect(await asked(`Bearer ${TOKEN}`)).toBe(401);
    expect(await asked('Bearer of-sixteen-letters')).toBe(200);
    expect(await asked('bearer of-sixteen-letters')).toBe(200);
  });

  test('responds 500 and goes on if the figures cannot be read', async () => {
    let fails = true;
    const text = () => (fails ? Promise.reject(new Error('no figures')) : Promise.resolve('up 1\n'));
    const { url, lines } = await listening({ text });
    expect((await fetch(`${url}/metrics`)).status).toBe(500);
    expect(lines()).toContainEqual(expect.objectContaining({ level: 'warn', error: 'no figures' }));
    fails = false;
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });

  test('takes the next free port if its own is in use, and says which', async () => {
    const port = await taken();
    const { url, line } = await listening({ port });
    expect(line).toMatchObject({ level: 'info', message: 'metrics are served', instead_of: port });
    expect(Number(line['port'])).toBeGreaterThan(port);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });

  test('warns and harms nothing if there is no address to listen on', async () => {
    const { line, listener } = await listening({ host: '192.0.2.1' });
    expect(line).toMatchObject({ level: 'warn', host: '192.0.2.1' });
    await listener.close();
  });

  test('closes at once, with connections that are kept', async () => {
    const { url, listener } = await listening();
    await (await fetch(`${url}/metrics`)).text();
    await listener.close();
    await expect(fetch(`${url}/metrics`)).rejects.toThrow();
  });
});
