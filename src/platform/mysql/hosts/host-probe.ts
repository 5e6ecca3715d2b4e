import { type Connection, createConnection, type RowDataPacket } from 'mysql2';
import { messageOf } from '../../errors.js';
import { LONGEST_SILENCE, withTimeout } from '../../runtime/timeout.js';
import { type DatabaseTarget, driverOptions } from '../connections/connection-settings.js';
import { streamOf } from '../connections/connection-stream.js';

/**
 * The use of one host of a cluster now. `serving`: reads and writes. `behind`: the same, but it does not keep up with
 * the others (a Galera node that gives its state away, or is desynchronised). `refusing`: it responds, and takes no writes.
 * `away`: no response in time.
 */
export type HostState = { kind: 'serving' | 'behind' | 'refusing' | 'away'; reason?: string };

/** Asks one host for its state again and again, over a connection that stays open. */
export interface HostProbe {
  /** Resolves within a time limit; never rejects. */
  look(): Promise<HostState>;
  /** Closes the connection; the next look opens another. */
  close(): void;
}

/** A host that works responds within this time, however busy it is. */
const LOOK_MS = 1_000;
/** Error numbers sent by the server; those of sockets are negative. */
const LEAST_SERVER_ERRNO = 1_000;
/** A Galera node that is as far as the others; any other number of a node that serves means that it is behind. */
const SYNCED = '4';
const READ_ONLY = 'SELECT @@GLOBAL.read_only AS value';
const NODE_STATE = "SHOW GLOBAL STATUS LIKE 'wsrep_local_state'";

/** Creates a probe of a host that must take writes; it connects with the first look. */
export function createHostProbe(target: DatabaseTarget, limitMs = LOOK_MS): HostProbe {
  return createProbe(target, stateOver, limitMs);
}

/**
 * Creates a probe that finds the state by statements of `stateOver`; a host on which they fail is refusing, one that does not
 * respond is away.
 */
export function createProbe(
  target: DatabaseTarget,
  stateOver: (connection: Connection) => Promise<HostState>,
  limitMs = LOOK_MS,
): HostProbe {
  let connection: Connection | undefined;
  const close = () => {
    if (connection === undefined) return;
    connection.destroy();
    // The driver only sends a quit packet, to which a hanging server never responds. With an error it also ends its timer.
    streamOf(connection).destroy(new Error('The probe is over'));
    connection = undefined;
  };
  const open = () => {
    const opened = createConnection({ ...driverOptions(target), connectTimeout: LONGEST_SILENCE * limitMs });
    // The statement that is under way reports the same error.
    opened.on('error', () => undefined);
    return opened;
  };
  const lookOnce = async (): Promise<HostState> => {
    connection ??= open();
    try {
      return await withTimeout(stateOver(connection), limitMs);
    } catch (error) {
      close();
      return stateOfError(error);
    }
  };
  return {
    async look() {
      const isKept = connection !== undefined;
      const state = await lookOnce();
      // A connection that was open may have been closed by somebody else: only a new one that fails is a proof.
      return isKept && state.kind === 'away' ? lookOnce() : state;
    },
    close,
  };
}

async function stateOver(connection: Connection): Promise<HostState> {
  const readOnly = await queryColumn(connection, READ_ONLY, 'value');
  if (!['0', 'OFF', 'undefined'].includes(readOnly)) return { kind: 'refusing', reason: 'it is read-only' };
  const node = await queryColumn(connection, NODE_STATE, 'Value');
  return node === SYNCED || node === 'undefined' ? { kind: 'serving' } : { kind: 'behind' };
}

/** Returns a column of the first row as text; `undefined` if there is no row. */
export function queryColumn(connection: Connection, sql: string, column: string): Promise<string> {
  return new Promise((resolve, reject) => {
    connection.query<RowDataPacket[]>(sql, (error, rows) =>
      error === null ? resolve(String(rows[0]?.[column])) : reject(error),
    );
  });
}

/** A server that refuses the probe (no access, too many connections, not in its cluster) runs, and serves nobody. */
function stateOfError(error: unknown): HostState {
  const { errno = 0, code } = error as NodeJS.ErrnoException;
  const reason = messageOf(error) || code || 'no response';
  return { kind: errno >= LEAST_SERVER_ERRNO ? 'refusing' : 'away', reason };
}
