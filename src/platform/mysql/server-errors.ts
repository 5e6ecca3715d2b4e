/*
 * Error numbers of MySQL and MariaDB, by the state of the server they indicate (docs/operate/store-errors.md). Any other
 * number counts as an error of the data.
 */

/** A conflict with another transaction. This one was rolled back: it is repeated at once (rule 2). */
export const IN_THE_WAY: ReadonlySet<number> = new Set([
  1020, // the row changed after the snapshot was taken (MariaDB 11.6+)
  1205, // lock wait timeout
  1213, // deadlock; on Galera also a conflict with another node
  1614, // XA deadlock
  3101, // group replication: the group refused the transaction at COMMIT
  3572, // a lock that must not be waited for
]);

/** The server runs, but accepts no (more) work now. */
const BUSY = [
  1021, // disk full
  1026, // error writing a file
  1030, // error of the storage engine
  1037, // out of memory
  1040, // too many connections
  1041, // out of resources
  1114, // table (or disk) full
  1129, // host blocked after too many errors
  1135, // cannot create a thread
  1203, // too many connections of this user
  1206, // too many locks
  1226, // the user's resources are used up
  1637, // too many transactions
  3168, // the server is not available
];

/** The server is stopping, starting, changing its role in a cluster, or read-only. */
const NOT_SERVING = [
  1047, // Galera: the node is not (yet) part of the cluster
  1053, // shutdown
  1077, // shutdown
  1079, // shutdown complete
  1080, // forced to close
  1223, // held by FLUSH TABLES WITH READ LOCK, as for a back-up
  1290, // an option (read-only) forbids it
  1792, // the session may only read
  1836, // read-only
  3032, // offline
  3796, // group replication: the node may not begin transactions of this consistency
  3797, // group replication: waiting for what the group has committed took too long
  3798, // the same, at the beginning of a transaction
  3799, // group replication: the node is not online
];

/** The COMMIT failed for a reason outside the data. Its outcome is unknown (rule 3). */
const COMMIT_FAILED = [
  1180, // an error during COMMIT: a disk, the binary log; with 149 in its text it is a conflict, see db-errors.ts
  1181, // an error during the rollback after such a COMMIT
  1598, // the binary log cannot be written
  3100, // a hook of replication failed
];

/** The statement, or its session, was killed, or ended by a time limit of the server. */
const ENDED = [
  1317, // interrupted
  1927, // killed (MariaDB, and MaxScale for a server that went)
  1969, // took longer than max_statement_time (MariaDB)
  3024, // took longer than max_execution_time (MySQL)
  3169, // killed (MySQL)
  4031, // idle for too long, which MySQL says to the next statement of a process that was frozen
];

/** The connection was interrupted; a proxy reports that with a number of its own, or of the client library. */
const WAY_LOST = [
  1152, // aborted connection
  1158, // reading a packet
  1159, // reading took too long
  1160, // writing a packet
  1161, // writing took too long
  1184, // aborted connection
  2002, // cannot connect (socket)
  2003, // cannot connect
  2006, // has gone away
  2013, // lost during a query
  2055, // lost, with a system error
  9001, // ProxySQL: no server in time
];

/** The account or the schema has changed: an administrator may be working on the server. The data is still valid. */
export const NOT_LET_IN = [
  1044, // no access to the database
  1045, // wrong password
  1049, // no such database
  1142, // no right to the table
  1143, // no right to the column
  1146, // no such table
  1227, // no such privilege
  1698, // no access without a password
  1820, // the password must be changed
  1862, // the password has expired
  3118, // the account is locked
];

/** Each class, as the table in docs/operate/store-errors.md names it. A number is in one class. */
export const ERROR_CLASSES = {
  conflict: [...IN_THE_WAY],
  busy: BUSY,
  'not serving': NOT_SERVING,
  'commit failed': COMMIT_FAILED,
  ended: ENDED,
  'connection lost': WAY_LOST,
  'not let in': NOT_LET_IN,
} as const;

/** States of the server: the connection is closed, and the work waits, or is spooled. */
export const SERVER_STATES: ReadonlySet<number> = new Set([
  ...BUSY,
  ...NOT_SERVING,
  ...COMMIT_FAILED,
  ...ENDED,
  ...WAY_LOST,
  ...NOT_LET_IN,
]);
