import { createConnection } from 'mysql2';
import { driverOptions } from './connection-settings.js';
import { streamOf } from './connection-stream.js';

/** A database that is there answers a newcomer in this time, however busy it is. */
const PROBE_MS = 1_000;
/** A timer that is later than this share says that the machine is too busy for the time-out to mean anything: again. */
const HELD_UP = 1.2;
const MORE_WAITS = 3;
/** Numbers of errors that the server itself has sent; those of sockets are negative. */
const LEAST_SERVER_ERRNO = 1_000;

/**
 * Whether the database answers a new connection in time. One that refuses us with an error of its own (too many
 * connections) is there. Never throws.
 */
export function probeDatabase(url: string, limitMs: number = PROBE_MS): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection({
      ...driverOptions(url),
      connectTimeout: (MORE_WAITS + 3) * limitMs,
    });
    let timer: NodeJS.Timeout;
    const wait = (waitsLeft: number) => {
      const began = performance.now();
      timer = setTimeout(() => {
        const heldUp = performance.now() - began > limitMs * HELD_UP;
        if (heldUp && waitsLeft > 0) wait(waitsLeft - 1);
        else afterWhatHasCome(() => finish(false));
      }, limitMs);
    };
    const finish = (answers: boolean) => {
      clearTimeout(timer);
      connection.destroy();
      // The driver only says goodbye, which a server that hangs never answers.
      streamOf(connection).destroy();
      resolve(answers);
    };
    connection.on('error', (error) => finish(isOfServer(error)));
    wait(MORE_WAITS);
    connection.connect((error) => finish(error === null || isOfServer(error)));
  });
}

/** A process that was held up itself must not take it for the server's silence: first it hears what has come meanwhile. */
function afterWhatHasCome(then: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(then)));
}

function isOfServer({ errno }: { errno?: number | undefined }): boolean {
  return errno !== undefined && errno >= LEAST_SERVER_ERRNO;
}
