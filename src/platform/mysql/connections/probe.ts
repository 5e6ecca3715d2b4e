import { createConnection } from 'mysql2';
import { type DatabaseTarget, driverOptions } from './connection-settings.js';
import { streamOf } from './connection-stream.js';
import { LONGEST_SILENCE, onSilence } from '../../runtime/timeout.js';

/** A database that works accepts a new connection within this time, however busy it is. */
const PROBE_MS = 1_000;
/** Error numbers sent by the server; those of sockets are negative. */
const LEAST_SERVER_ERRNO = 1_000;

/**
 * Resolves with true if the database accepts a new connection in time, or refuses it with an error of its own (too many
 * connections). Never rejects.
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
      // The driver only sends a quit packet, to which a hanging server never responds.
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
