import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { createServer, type ServerOptions } from '../../src/platform/http/server/create-server.js';

/** A server in a process of its own, which tells what it holds when it is asked by a message. */
const LARGE = Buffer.alloc(16 * 1024 * 1024, 'x');

const app = express();
app.get('/ok', (_req: Request, res: Response) => void res.json({ ok: true }));
app.get('/large', (_req: Request, res: Response) => void res.send(LARGE));
app.get('/never', () => undefined);
app.post('/read', (req: Request, res: Response) => {
  req.resume().once('end', () => res.json({ ok: true }));
});

const options = JSON.parse(process.argv[2] ?? '{}') as ServerOptions;
const server = createServer(app, options).listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.on('message', () => {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ bytes: heapUsed + external });
});
process.on('disconnect', () => process.exit());
