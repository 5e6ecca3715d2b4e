import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { createServer } from '../src/http/create-server.js';
import { loggablePath } from '../src/http/request-log.js';

describe('the server', () => {
  it('makes requests and responses with Express’s prototypes, so that they are never changed', async () => {
    const app = express();
    const seen: unknown[] = [];
    app.get('/a', (req: Request, res: Response) => {
      seen.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response);
      seen.push(req.app === app, res.app === app, req.query['x'], req.ip);
      res.json({ ok: true });
    });
    const server = createServer(app).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?x=1`);
    expect(await answer.json()).toEqual({ ok: true });
    expect(seen).toEqual([true, true, true, true, '1', '127.0.0.1']);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('does not wait for ever for a client', () => {
    const server = createServer(express());
    expect(server.headersTimeout).toBeGreaterThan(0);
    expect(server.requestTimeout).toBeGreaterThan(server.headersTimeout);
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  });
});

describe('the path in a log line', () => {
  it.each([
    ['/api/v1/stories', '/api/v1/stories'],
    ['/webhook/orders/s3cret', '/webhook/orders'],
    ['/webhook/orders/s3cret/more', '/webhook/orders'],
    ['/WEBHOOK/orders/s3cret', '/WEBHOOK/orders'],
    ['/webhook//s3cret', '/webhook/'],
    ['/webhook/orders', '/webhook/orders'],
    ['/webhooks/a', '/webhooks/a'],
  ])('of %s is %s', (path, expected) => {
    expect(loggablePath(path)).toBe(expected);
  });
});
