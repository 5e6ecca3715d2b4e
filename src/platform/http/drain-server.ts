import type http from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { createLinkedList } from '../runtime/linked-list.js';

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

/** Idle connections are closed when nothing has come for so long: whoever is about to send has sent by then. */
const QUIET_MS = 500;
/** Under a load that never pauses they are closed all the same, after this share of the time. */
const LONGEST_WAIT_FOR_QUIET = 0.2;
const LOOK_EVERY_MS = 100;
/** A turn of the event loop this short leaves hardly a moment in which something can come unseen. */
const CALM_TURN_MS = 3;
/** Of the time: a process that gets little of the processor needs a while to accept all who wait for it. */
const LONGEST_WAIT_FOR_CALM = 0.3;
/** Where all turns are long: how much longer one may be for each ms of waiting. */
const PATIENCE_LOST = 0.02;

/**
 * Follows the answers under way, so that each can say that its connection ends with it: a client that sends one request
 * after the other on one connection would else never let go, and be cut off in the end. Call it before `listen`;
 * `endWaits` answers the calls that wait for a run.
 */
export function createDrain(server: http.Server, endWaits: () => Promise<void>): Drain {
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
    // Those on which nothing has come yet are not idle to http.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };

  /**
   * Resolves in a turn in which all that had come was just looked at; false when there was none for `longestMs`. What lies
   * unread in the system's queues when its connection, or the server that was to accept it, is closed is cut off; a busy
   * process leaves it there for tenths of seconds.
   */
  const calmTurn = (longestMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const asked = performance.now();
      let before = { at: Number.NEGATIVE_INFINITY, accepted };
      // From one of these to the next, the loop has looked at each connection once, and has accepted one new one at most.
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
      // Where no turn is calm, the next look comes soon.
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
          // Not http's own: it closes idle connections at once, whatever is on its way on them.
          NetServer.prototype.close.call(server, over);
          // Not before: who has to connect anew for each call would come faster than a busy process accepts.
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
