import { insertNumbered } from '../../../platform/mysql/ids/insert-numbered.js';
import { textBytes } from '../../../platform/mysql/statements/row-statements.js';
import type { Session } from '../../../platform/mysql/session.js';
import { type Lineage, parseLineage } from '../../../agents/face.js';

/** An event about to be stored; payload and lineage are JSON text, stored unchanged (rule 5). */
export interface NewEvent {
  storyRunGuid: string;
  storyId: number;
  agentId: number;
  payload: string;
  lineage: string;
  /** How long its action worked, in ms; absent: no action did, as for the input of a run. */
  workMs?: number | undefined;
  /** The request that it came of, as JSON (notes/runs.md, Sent requests); absent: none was kept. */
  request?: string | undefined;
}

/** A stored event. `payload` is JSON text. */
export interface StoredEvent {
  id: number;
  agentId: number;
  payload: string;
  lineage: Lineage;
}

const COLUMNS = ['story_run_guid', 'story_id', 'agent_id', 'payload', 'lineage', 'work_ms', 'request'];

/** Inserts the events. Returns their ids, in the given order. */
export function insertEvents(session: Session, events: NewEvent[]): Promise<number[]> {
  return insertNumbered(session, {
    table: 'events',
    columns: COLUMNS,
    rows: events.map((event) => [
      event.storyRunGuid,
      event.storyId,
      event.agentId,
      event.payload,
      event.lineage,
      event.workMs ?? null,
      event.request ?? null,
    ]),
    sizeOf: (row) => textBytes(row[3], row[4], row[6]),
  });
}

/** Returns the events that (still) exist of these ids, unordered. */
export async function findEvents(session: Session, ids: number[]): Promise<StoredEvent[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<{ id: number; agentId: number; payload: string; lineage: string }>(
    'SELECT id, agent_id AS agentId, payload, lineage FROM events WHERE id IN (?)',
    [ids],
  );
  return rows.map((row) => ({ ...row, lineage: parseLineage(row.lineage) }));
}
