import { once } from 'node:events';
import net from 'node:net';
import { createResponseReader } from './response-reader.js';
import type { LoadOptions, LoadResult } from './load-options.js';
import { requestBytes } from './request-bytes.js';

/*
 * Calls a webhook, or another route, over a number of connections that stay open, each with one call at a time, as
 * fast as it is answered. A process of its own, on bare sockets: a client library would take as much of the machine as the server under test.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as LoadOptions;
const url = new URL(options.url);
const request = requestBytes(options);
const timesMs = new Float64Array(options.calls);
const statuses: Record<number, number> = {};
let begun = 0;
let refusal: string | undefined;

async function connect(): Promise<net.Socket> {
  const socket = net.connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Calls until no call is left. */
function callOver(socket: net.Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let number = 0;
    let sentAt = 0;
    const next = () => {
      if (begun === options.calls) {
        socket.destroy();
        return resolve();
      }
      number = begun++;
      sentAt = performance.now();
      return socket.write(request);
    };
    const read = createResponseReader((status, text) => {
      timesMs[number] = performance.now() - sentAt;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status >= 400) refusal ??= text();
      next();
    });
    socket.on('data', read);
    socket.once('error', reject);
    socket.once('end', () => reject(new Error('The server closed a connection')));
    next();
  });
}

async function main(): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: options.connections }, connect));
  process.send?.('ready');
  await once(process, 'message');
  const began = performance.now();
  await Promise.all(sockets.map(callOver));
  const seconds = (performance.now() - began) / 1000;
  const result: LoadResult = {
    beganAtMs: performance.timeOrigin + began,
    seconds,
    statuses,
    ...(refusal !== undefined && { refusal }),
    timesMs: [...timesMs],
  };
  process.send?.(result, () => process.exit(0));
}

process.on('disconnect', () => process.exit(1));
void main();
