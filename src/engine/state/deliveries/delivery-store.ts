import { raw } from 'mysql2';
import { RowsMissed } from '../../../platform/mysql/db-errors.js';
import { insertNumbered } from '../../../platform/mysql/ids/insert-numbered.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { SqlValue } from '../../../platform/mysql/statements/sql.js';
import { type DeliveryQueue, parseLineage } from '../../../agents/face.js';
import { DELETE_DELIVERIES } from '../../../stories/face.js';
import type { StoredEvent } from '../events/event-store.js';
import type { StoredWaitReason } from './wait-reason.js';

/**
 * `pending`: a job was added for it, or is being added. `waiting`: it sleeps until `due_at`.
 * `held`: its story has its share of jobs, so it gets one later. `parked`: a group or a called run will end it.
 * `failed`: a dead letter.
 */
export type DeliveryState = 'pending' | 'waiting' | 'held' | 'parked' | 'failed';

/** A delivery about to be stored. */
export interface NewDelivery {
  storyRunGuid: string;
  storyId: number;
  agentId: number;
  eventId: number;
  queue: DeliveryQueue;
  /** A webhook request waits for the run's response. */
  awaited: boolean;
  /** An agent of another story waits for this run's events. */
  called: boolean;
  depth: number;
}

/** The row behind a job (rule 8). */
export interface DeliveryRow extends NewDelivery {
  id: number;
  state: DeliveryState;
  generation: number;
  attempts: number;
  /** Number of manual retries. */
  retries: number;
  /** End of the sleep that its agent asked for, as the database writes times; null without a sleep. */
  resumeAt: string | null;
  /** The results of its mails at earlier attempts (`StoredMailProgress`); null without any. */
  mailProgress: string | null;
  /** The sleep is over: the agent continues where it stopped. */
  resumed: boolean;
  /** Its run was cancelled. */
  cancelled: boolean;
  /** The relay checks for its job within `GRACE_SECONDS`, and less than twice that after the row was created. */
  dueSoon: boolean;
  /** By the database's clock. */
  createdAt: Date;
}

/** The new state of a delivery whose work was not done. */
export interface DeliveryUpdate {
  id: number;
  /** The update applies only to a row of this generation (rule 9). */
  generation: number;
  state: 'waiting' | 'parked' | 'failed';
  /** 1 if this job counts as an attempt. */
  attempt: 0 | 1;
  /** Delay from now, by the database's clock; ignored if `dueAt` is given. */
  delayMs: number;
  /** UTC, as the database writes times: `2026-11-21 23:00:00.000`. */
  dueAt?: string | undefined;
  /** The agent continues at that time where it stopped. */
  resumes?: boolean | undefined;
  /** Why it waits; undefined: the reason before still holds. */
  reason?: StoredWaitReason | undefined;
  error: string | null;
  /** Why it failed, if the response tells more than `error`; replaces the cause together with the error. */
  cause?: string | undefined;
  /** Replaces the stored progress of its mails. */
  mailProgress?: string | undefined;
}

/** Seconds before the relay checks for a delivery's job (rule 11): half of the minute that promise 4 allows. */
export const GRACE_SECONDS = 30;

const COLUMNS = [
  'story_run_guid',
  'story_id',
  'agent_id',
  'event_id',
  'queue',
  'awaited',
  'called',
  'depth',
  'due_at',
];
/** The database's clock, never this process's (rule 9). */
const AFTER_GRACE = raw(`NOW(3) + INTERVAL ${GRACE_SECONDS} SECOND`);

/** Inserts the deliveries. Returns their ids, in the given order. */
export function insertDeliveries(session: Session, deliveries: NewDelivery[]): Promise<number[]> {
  return insertNumbered(session, {
    table: 'deliveries',
    columns: COLUMNS,
    rows: deliveries.map((row): SqlValue[] => [
      row.storyRunGuid,
      row.storyId,
      row.agentId,
      row.eventId,
      row.queue,
      row.awaited,
      row.called,
      row.depth,
      AFTER_GRACE,
    ]),
    sizeOf: () => 200,
  });
}

type Flags = 'awaited' | 'called' | 'resumed' | 'cancelled' | 'dueSoon';
type RawRow = Omit<DeliveryRow, Flags> & Record<Flags, number>;

/** All null except for a run's first deliveries. */
interface RawInput {
  input: number | null;
  inputAgentId: number;
  payload: string;
  lineage: string;
}

const ROW = `d.id, d.story_run_guid AS storyRunGuid, d.story_id AS storyId, d.agent_id AS agentId,
            d.event_id AS eventId, d.queue, d.awaited, d.called, d.depth, d.state, d.generation, d.attempts,
            d.retries, CAST(d.resume_at AS CHAR) AS resumeAt, d.mail_progress AS mailProgress, COALESCE(d.resume_at <= NOW(3), 0) AS resumed,
            r.cancelled_at IS NOT NULL AS cancelled,
            d.due_at <= NOW(3) + INTERVAL ${GRACE_SECONDS} SECOND
              AND d.created_at > NOW(3) - INTERVAL ${GRACE_SECONDS} SECOND AS dueSoon,
            d.created_at AS createdAt`;
const ROWS = 'deliveries d LEFT JOIN story_runs r ON r.guid = d.story_run_guid';

/** Returns the rows that exist of these ids. */
export async function findDeliveries(session: Session, ids: number[]): Promise<DeliveryRow[]> {
  const rows = await session.rows<RawRow>(`SELECT ${ROW} FROM ${ROWS} WHERE d.id IN (?)`, [ids]);
  for (const row of rows) noteIds(session, row);
  return rows.map(toRow);
}

/** Longer inputs are loaded once per event, not with each delivery. */
const MAX_INPUT_BYTES = 4 * 1024;

/** Like `findDeliveries`, with the input events of new runs: web processes stored them, so no worker has them cached. */
export async function findDeliveriesWithInputs(
  session: Session,
  ids: number[],
): Promise<{ deliveries: DeliveryRow[]; inputs: StoredEvent[] }> {
  const rows = await session.rows<RawRow & RawInput>(
    `SELECT ${ROW}, e.id AS input, e.agent_id AS inputAgentId, e.payload, e.lineage
     FROM ${ROWS} LEFT JOIN events e ON e.id = d.event_id AND d.depth = 1 AND LENGTH(e.payload) <= ?
     WHERE d.id IN (?)`,
    [MAX_INPUT_BYTES, ids],
  );
  const deliveries: DeliveryRow[] = [];
  const inputs: StoredEvent[] = [];
  for (const row of rows) {
    noteIds(session, row);
    deliveries.push(toRow(row));
    if (row.input === null) continue;
    const { input, inputAgentId, payload, lineage } = row;
    inputs.push({ id: input, agentId: inputAgentId, payload, lineage: parseLineage(lineage) });
  }
  return { deliveries, inputs };
}

/** The outputs of a delivery get larger ids than it and its event, so that a run's rows are in order by id. */
function noteIds({ ids }: Session, { id, eventId }: RawRow): void {
  ids.observe('deliveries', id);
  ids.observe('events', eventId);
}

/** Copies key by key: this runs for each job, and a spread would cost more than the rest. */
function toRow(row: RawRow): DeliveryRow {
  return {
    id: row.id,
    storyRunGuid: row.storyRunGuid,
    storyId: row.storyId,
    agentId: row.agentId,
    eventId: row.eventId,
    queue: row.queue,
    depth: row.depth,
    state: row.state,
    generation: row.generation,
    attempts: row.attempts,
    retries: row.retries,
    resumeAt: row.resumeAt,
    mailProgress: row.mailProgress,
    createdAt: row.createdAt,
    awaited: row.awaited !== 0,
    called: row.called !== 0,
    resumed: row.resumed !== 0,
    cancelled: row.cancelled !== 0,
    dueSoon: row.dueSoon !== 0,
  };
}

/** Deletes the tokens that exist of these ids. */
export async function deleteDeliveries(session: Session, ids: number[]): Promise<void> {
  await session.run(DELETE_DELIVERIES, [JSON.stringify(ascending(ids))]);
}

/**
 * Deletes the tokens (rule 1).
 * @throws RowsMissed if one is missing (another worker was faster) or given twice; the transaction must end then.
 */
export async function consumeTokens(session: Session, ids: number[]): Promise<void> {
  await runExact(session, ids.length, { sql: DELETE_DELIVERIES, values: [JSON.stringify(ascending(ids))] });
}

/**
 * Deletes the tokens of deliveries that failed for good and whose error goes to failure links.
 * @throws RowsMissed if one has another generation by now, or is a dead letter; the transaction must end then.
 */
export async function consumeFailed(
  session: Session,
  deliveries: Pick<DeliveryRow, 'id' | 'generation'>[],
): Promise<void> {
  const rows = deliveries.map(({ id, generation }) => ({ id, generation })).toSorted((a, b) => a.id - b.id);
  await runExact(session, rows.length, { sql: DELETE_FAILED, values: [JSON.stringify(rows)] });
}

const DELETE_FAILED = `DELETE d FROM JSON_TABLE(?, '$[*]' COLUMNS (
         id BIGINT PATH '$.id', generation INT PATH '$.generation')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     WHERE d.generation = v.generation AND d.state <> 'failed'`;

/** @throws RowsMissed unless the statement affects exactly so many rows. */
async function runExact(
  session: Session,
  rows: number,
  { sql, values }: { sql: string; values: SqlValue[] },
): Promise<void> {
  const { affectedRows } = await session.run(sql, values);
  if (affectedRows !== rows) throw new RowsMissed();
}

function ascending(ids: number[]): number[] {
  return ids.toSorted((a, b) => a - b);
}

/**
 * Sets deliveries to `waiting`, `parked` or `failed`.
 * @throws RowsMissed if one has another generation by now; the transaction must end then.
 */
export async function updateDeliveries(session: Session, updates: DeliveryUpdate[]): Promise<void> {
  const inOrder = updates.toSorted((a, b) => a.id - b.id);
  const parked = inOrder.filter(({ state }) => state === 'parked');
  const others = inOrder.filter(({ state }) => state !== 'parked');
  if (others.length > 0) {
    const values = [JSON.stringify(others.map(toUpdateRow))];
    await runExact(session, others.length, { sql: UPDATE, values });
  }
  if (parked.length === 0) return;
  const rows = parked.map(({ id, generation, delayMs }) => [id, generation, delayMs]);
  await runExact(session, parked.length, { sql: PARK, values: [JSON.stringify(rows)] });
}

const DUE = 'COALESCE(v.due_at, NOW(3) + INTERVAL v.delay_ms * 1000 MICROSECOND)';
const UPDATE = `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
         id BIGINT PATH '$.id', generation INT PATH '$.generation', state VARCHAR(8) PATH '$.state',
         attempt INT PATH '$.attempt', delay_ms BIGINT PATH '$.delayMs', due_at DATETIME(3) PATH '$.dueAt',
         resumes INT PATH '$.resumes', reason VARCHAR(32) PATH '$.reason', error TEXT PATH '$.error', cause VARCHAR(250) PATH '$.cause', mails LONGTEXT PATH '$.mails')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     SET d.state = v.state, d.generation = d.generation + 1, d.attempts = d.attempts + v.attempt, d.losses = 0,
         d.due_at = ${DUE}, d.resume_at = IF(v.resumes = 1, ${DUE}, d.resume_at),
         d.wait_reason = COALESCE(v.reason, IF(d.wait_reason IN ('disabled', 'frozen'), NULL, d.wait_reason)),
         d.mail_progress = COALESCE(v.mails, d.mail_progress), d.error = COALESCE(v.error, d.error),
         d.cause = IF(v.error IS NULL, d.cause, v.cause), d.failed_at = IF(v.state = 'failed', NOW(3), NULL)
     WHERE d.generation = v.generation AND d.state <> 'failed'`;
/** Parking needs few of the columns of `UPDATE`; the server would need longer to parse the rest than to update. */
const PARK = `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
         id BIGINT PATH '$[0]', generation INT PATH '$[1]', delay_ms BIGINT PATH '$[2]')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id
     SET d.state = 'parked', d.generation = d.generation + 1, d.losses = 0,
         d.due_at = NOW(3) + INTERVAL v.delay_ms * 1000 MICROSECOND, d.failed_at = NULL
     WHERE d.generation = v.generation AND d.state <> 'failed'`;

function toUpdateRow({ dueAt, resumes, mailProgress, cause, reason, ...update }: DeliveryUpdate) {
  return {
    ...update,
    dueAt: dueAt ?? null,
    resumes: resumes === true ? 1 : 0,
    mails: mailProgress ?? null,
    reason: reason ?? null,
    error: update.error === null ? null : wellFormed(update.error),
    cause: cause === undefined ? null : wellFormed(cause),
  };
}

/** Replaces half of a surrogate pair: the server would reject it as JSON, and with it the whole batch. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
