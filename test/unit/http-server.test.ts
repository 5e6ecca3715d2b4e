import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { createServer } from '../../src/platform/http/server/create-server.js';
import { loggablePath } from '../../src/platform/http/address/loggable-path.js';
import { requestLog } from '../../src/api/routing/request-log.js';
import { recordingLogger } from '../support/recording-logger.js';

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
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?x=1`);
    expect(await response.json()).toEqual({ ok: true });
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

describe('a request’s log line', () => {
  it.each([
    ['/webhook/orders/s3cret', 201, 'debug'],
    ['/webhook/orders/s3cret', 303, 'debug'],
    ['/webhook/orders/wrong', 404, 'info'],
    ['/webhook/orders/s3cret', 503, 'info'],
    ['/api/v1/stories', 200, 'info'],
  ])('for %s answered %s has the level %s', async (path, status, level) => {
    const log = recordingLogger();
    const app = express();
    app.use(requestLog(log.logger), (_req: Request, res: Response) => void res.sendStatus(status));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { redirect: 'manual' });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(log.lines()).toEqual([expect.objectContaining({ level, status, path: loggablePath(path) })]);
  });
});

describe('the path in a log line', () => {
  it.each([
    ['/api/v1/stories', '/api'],
    ['/webhook/orders/s3cret', '/webhook/orders'],
    ['/webhook/orders/s3cret/more', '/webhook/orders'],
    ['/WEBHOOK/orders/s3cret', '/WEBHOOK/orders'],
    ['/webhook//s3cret', '/webhook/'],
    ['/webhook/orders', '/webhook/orders'],
    ['/webhooks/a', '/webhooks'],
    ['/prompts/0123456789abcdef0123456789abcdef', '/prompts'],
  ])('of %s is %s', (path, expected) => {
    expect(loggablePath(path)).toBe(expected);
  });
});
