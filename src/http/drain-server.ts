import type http from 'node:http';
import { Server as NetServer } from 'node:net';

export interface DrainTimes {
  /** After this, those who wait for a run's response are answered without it. */
  waitsMs: number;
  /** After this, connections that are still open are cut. */
  allMs: number;
}

/** Ends an HTTP server without cutting anybody off. */
export interface Drain {
  /** Takes no more connections; resolves when every request that was begun is answered. */
  drain(times: DrainTimes): Promise<void>;
}

/** What is on its way on a connection that was idle a moment ago has arrived by then. */
const IDLE_GRACE_MS = 500;
const LOOK_EVERY_MS = 100;

/**
 * Follows the answers under way, so that each can say that its connection ends with it: a client that sends one request
 * after the other on one connection would else never let go, and be cut off in the end. Call it before `listen`;
 * `endWaits` answers the calls that wait for a run.
 */
export function createDrain(server: http.Server, endWaits: () => Promise<void>): Drain {
  const underWay = new Set<http.ServerResponse>();
  let draining = false;
  server.prependListener('request', (_req, res: http.ServerResponse) => {
    underWay.add(res);
    res.once('close', () => underWay.delete(res));
    if (draining) endConnection(res);
  });

  return {
    drain: ({ waitsMs, allMs }) =>
      new Promise((resolve, reject) => {
        draining = true;
        for (const res of underWay) endConnection(res);
        const began = performance.now();
        const idle = setInterval(() => {
          if (performance.now() - began >= IDLE_GRACE_MS) server.closeIdleConnections();
        }, LOOK_EVERY_MS);
        const waits = setTimeout(() => void endWaits().catch(reject), waitsMs);
        const all = setTimeout(() => server.closeAllConnections(), allMs);
        // Not http's own: it closes idle connections at once, whatever is on its way on them.
        NetServer.prototype.close.call(server, () => {
          for (const timer of [idle, waits, all]) clearTimeout(timer);
          resolve();
        });
      }),
  };
}

function endConnection(res: http.ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
