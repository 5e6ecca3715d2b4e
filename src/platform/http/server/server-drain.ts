import type http from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { createLinkedList } from '../../runtime/linked-list.js';

export interface DrainTimes {
  /** After this, requests that wait for a run's response are answered without it. */
  waitsMs: number;
  /** After this, connections that are still open are closed. */
  allMs: number;
}

/** Ends an HTTP server without aborting any request. */
export interface Drain {
  /** Accepts no more connections; resolves when a response is sent for every request received. */
  drain(times: DrainTimes): Promise<void>;
}

/** Idle connections are closed when no request has arrived for this time: clients about to send have sent by then. */
const QUIET_MS = 500;
/** Under a load that never pauses, they are closed after this fraction of the time anyway. */
const LONGEST_WAIT_FOR_QUIET = 0.2;
const LOOK_EVERY_MS = 100;
/** In an event loop iteration this short, hardly any request can arrive unread. */
const CALM_TURN_MS = 3;
/** Fraction of the time: a process with little CPU needs a while to accept all pending connections. */
const LONGEST_WAIT_FOR_CALM = 0.3;
/** If all iterations are long, the allowed length grows by this much for each ms of waiting. */
const PATIENCE_LOST = 0.02;

/**
 * Tracks pending responses, so that each can announce the end of its connection. Otherwise a client that sends one
 * request after another on a connection would never close it, and be cut off in the end. Call it before `listen`;
 * `endWaits` answers the requests that wait for a run.
 */
export function createServerDrain(server: http.Server, endWaits: () => Promise<void>): Drain {
  const underWay = createLinkedList<http.ServerResponse>();
  const connections = new Set<Socket>();
  let accepted = 0;
  let draining = false;
  let lastRequestAt = 0;
  server.prependListener('request', (_req, res: http.ServerResponse) => {
    lastRequestAt = performance.now();
    res.once('close', underWay.enter(res));
    if (draining) endConnection(res);
  });

  server.on('connection', (socket: Socket) => {
    accepted += 1;
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  const closeIdle = () => {
    server.closeIdleConnections();
    // http does not count connections without any request as idle.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };

  /**
   * Resolves with true in an iteration that has just read all input; with false if there was none within `longestMs`.
   * Input still unread in the system's queues is lost when its connection or the listening socket is closed. A busy
   * process leaves input there for tenths of seconds.
   */
  const calmTurn = (longestMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const asked = performance.now();
      let before = { at: Number.NEGATIVE_INFINITY, accepted };
      // Between two of these the loop polls each connection once, and accepts at most one new connection.
      const turn = () => {
        const at = performance.now();
        const longestTurnMs = CALM_TURN_MS + (at - asked) * PATIENCE_LOST;
        if (at - before.at <= longestTurnMs && accepted === before.accepted) return resolve(true);
        if (at - asked >= longestMs) return resolve(false);
        before = { at, accepted };
        return void setImmediate(turn);
      };
      setImmediate(turn);
    });

  const closeWhenIdle = (allMs: number): NodeJS.Timeout => {
    const began = performance.now();
    lastRequestAt = began;
    return setInterval(() => {
      const now = performance.now();
      const quiet = now - lastRequestAt >= QUIET_MS || now - began >= LONGEST_WAIT_FOR_QUIET * allMs;
      // If no iteration is calm, the next check follows soon.
      if (quiet) void calmTurn(LOOK_EVERY_MS).then((calm) => calm && closeIdle());
    }, LOOK_EVERY_MS);
  };

  return {
    drain: ({ waitsMs, allMs }) =>
      new Promise((resolve, reject) => {
        let idle: NodeJS.Timeout | undefined;
        const waits = setTimeout(() => void endWaits().catch(reject), waitsMs);
        const all = setTimeout(() => server.closeAllConnections(), allMs);
        const over = () => {
          for (const timer of [idle, waits, all]) clearTimeout(timer);
          resolve();
        };
        const closeListener = async () => {
          await calmTurn(LONGEST_WAIT_FOR_CALM * allMs);
          // Not http's own close: that closes idle connections at once, even if a request is on its way.
          NetServer.prototype.close.call(server, over);
          // Not earlier: clients that reconnect for each request would arrive faster than a busy process accepts.
          draining = true;
          for (const res of underWay) endConnection(res);
          idle = closeWhenIdle(allMs);
        };
        void closeListener();
      }),
  };
}

function endConnection(res: http.ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
