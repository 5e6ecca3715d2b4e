import type { Connection } from 'mysql2';
import { queryColumn } from '../../../platform/mysql/hosts/host-probe.js';
import { HEARTBEAT_ROW } from '../../../platform/mysql/reader/replication-heartbeat.js';
import type { Session } from '../../../platform/mysql/session.js';

/** Facts that the main database and its replicas must have in common. */
export interface ReplicatedContent {
  /** The installation, and its last migration. */
  identity: string;
  /** The number that web processes write once a second; 0 before the first one. */
  beat: number;
}

const IDENTITY = `SELECT CONCAT_WS(' ', (SELECT value FROM settings WHERE name = 'installation'),
  (SELECT MAX(name) FROM migrations)) AS value`;
const BEAT_VALUE = `SELECT COALESCE(MAX(value), '0') AS value FROM settings WHERE name = '${HEARTBEAT_ROW}'`;

/** Reads it in the main database. */
export async function findContent(session: Session): Promise<ReplicatedContent> {
  const [identity] = await session.rows<{ value: string }>(IDENTITY);
  const [beat] = await session.rows<{ value: string }>(BEAT_VALUE);
  return { identity: identity?.value ?? '', beat: Number(beat?.value) };
}

/** Reads it in a replica, over a connection of a probe. */
export async function findContentOver(connection: Connection): Promise<ReplicatedContent> {
  const identity = await queryColumn(connection, IDENTITY, 'value');
  return { identity, beat: Number(await queryColumn(connection, BEAT_VALUE, 'value')) };
}
