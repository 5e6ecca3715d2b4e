import { createConnection } from 'mysql2';
import { type DatabaseTarget, driverOptions } from './connection-settings.js';
import { streamOf } from './connection-stream.js';
import { LONGEST_SILENCE, onSilence } from '../runtime/timeout.js';

/** A database that is there answers a newcomer in this time, however busy it is. */
const PROBE_MS = 1_000;
/** Numbers of errors that the server itself has sent; those of sockets are negative. */
const LEAST_SERVER_ERRNO = 1_000;

/**
 * Whether the database answers a new connection in time. One that refuses us with an error of its own (too many
 * connections) is there. Never throws.
 */
export function probeDatabase(target: DatabaseTarget, limitMs: number = PROBE_MS): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection({
      ...driverOptions(target),
      connectTimeout: LONGEST_SILENCE * limitMs,
    });
    const callOff = onSilence(limitMs, () => finish(false));
    const finish = (answers: boolean) => {
      callOff();
      connection.destroy();
      // The driver only says goodbye, which a server that hangs never answers.
      streamOf(connection).destroy();
      resolve(answers);
    };
    connection.on('error', (error) => finish(isOfServer(error)));
    connection.connect((error) => finish(error === null || isOfServer(error)));
  });
}

function isOfServer({ errno }: { errno?: number | undefined }): boolean {
  return errno !== undefined && errno >= LEAST_SERVER_ERRNO;
}
