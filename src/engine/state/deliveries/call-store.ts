import { MAX_OUTPUT_CHARACTERS } from '../../../language/face.js';
import { PermanentJobError } from '../../../platform/errors.js';
import { insertRows } from '../../../platform/mysql/statements/insert-rows.js';
import type { Session } from '../../../platform/mysql/session.js';
import { findDeliveries, type DeliveryRow } from './delivery-store.js';

/** A run that a send-to-story agent called, with what is needed to emit its events there. */
export interface StoryCall {
  /** The called run. */
  storyRunGuid: string;
  caller: Caller;
  /** Ids of the calling stories above the called one, outermost first. */
  path: number[];
}

/** The delivery of the calling agent, as it was at the call. */
export type Caller = Pick<
  DeliveryRow,
  'id' | 'storyRunGuid' | 'storyId' | 'agentId' | 'eventId' | 'depth' | 'awaited' | 'called'
>;

const COLUMNS = [
  'story_run_guid',
  'caller_delivery_id',
  'caller_run_guid',
  'caller_story_id',
  'caller_agent_id',
  'caller_event_id',
  'caller_depth',
  'caller_awaited',
  'caller_called',
  'path',
];

/** Stores the caller of each of these runs, in the transaction that stores the run. */
export async function insertCalls(session: Session, calls: StoryCall[]): Promise<void> {
  await insertRows(session, {
    table: 'story_calls',
    columns: COLUMNS,
    rows: calls.map(({ storyRunGuid, caller, path }) => [
      storyRunGuid,
      caller.id,
      caller.storyRunGuid,
      caller.storyId,
      caller.agentId,
      caller.eventId,
      caller.depth,
      caller.awaited,
      caller.called,
      path.join(','),
    ]),
    sizeOf: () => 300,
  });
}

interface CallRow {
  storyRunGuid: string;
  id: number;
  runGuid: string;
  storyId: number;
  agentId: number;
  eventId: number;
  depth: number;
  awaited: number;
  called: number;
  path: string;
}

/** Returns the calls of these runs, by guid of the called run. */
export async function findCalls(session: Session, guids: string[]): Promise<Map<string, StoryCall>> {
  const rows = await session.rows<CallRow>(
    `SELECT story_run_guid AS storyRunGuid, caller_delivery_id AS id, caller_run_guid AS runGuid,
            caller_story_id AS storyId, caller_agent_id AS agentId, caller_event_id AS eventId,
            caller_depth AS depth, caller_awaited AS awaited, caller_called AS called, path
     FROM story_calls WHERE story_run_guid IN (?)`,
    [guids],
  );
  return new Map(rows.map((row) => [row.storyRunGuid, toCall(row)]));
}

/** Returns the run that called this one; undefined: none did, or its call is over. */
export async function findCallingRun(session: Session, guid: string): Promise<string | undefined> {
  const [row] = await session.rows<{ runGuid: string }>(
    'SELECT caller_run_guid AS runGuid FROM story_calls WHERE story_run_guid = ?',
    [guid],
  );
  return row?.runGuid;
}

function toCall({ storyRunGuid, runGuid, path, awaited, called, ...caller }: CallRow): StoryCall {
  return {
    storyRunGuid,
    caller: { ...caller, storyRunGuid: runGuid, awaited: awaited !== 0, called: called !== 0 },
    path: path.split(',').map(Number),
  };
}

/** Returns the parked deliveries that called one of these runs, if none of their runs has work left. */
export async function findEndedCalls(session: Session, guids: string[]): Promise<DeliveryRow[]> {
  return findParked(session, 'c.story_run_guid', guids);
}

/** Returns the parked deliveries among these whose called runs have no work left. */
export async function findCallersAtEnd(session: Session, deliveryIds: number[]): Promise<DeliveryRow[]> {
  return findParked(session, 'c.caller_delivery_id', deliveryIds);
}

/** `column` is a constant of this file, never input. */
async function findParked(
  session: Session,
  column: string,
  values: (string | number)[],
): Promise<DeliveryRow[]> {
  const rows = await session.rows<{ id: number }>(
    `SELECT c.caller_delivery_id AS id FROM story_calls c
     WHERE ${column} IN (?)
       AND NOT EXISTS (SELECT 1 FROM deliveries d
                       WHERE d.story_run_guid = c.story_run_guid AND d.state <> 'failed')
       AND NOT EXISTS (SELECT 1 FROM story_calls o STRAIGHT_JOIN deliveries d ON d.story_run_guid = o.story_run_guid
                       WHERE o.caller_delivery_id = c.caller_delivery_id AND d.state <> 'failed')`,
    [values],
  );
  if (rows.length === 0) return [];
  const parked = await findDeliveries(
    session,
    rows.map(({ id }) => id),
  );
  return parked.filter(({ state }) => state === 'parked');
}

/** A run that a delivery called. */
export interface CalledRun {
  guid: string;
  storyId: number;
}

/** Returns the runs that a delivery has called, in the order of the calls. */
export function findCalledRuns(session: Session, deliveryId: number): Promise<CalledRun[]> {
  return session.rows<CalledRun>(
    `SELECT r.guid, r.story_id AS storyId
     FROM story_calls c STRAIGHT_JOIN story_runs r ON r.guid = c.story_run_guid
     WHERE c.caller_delivery_id = ? ORDER BY r.id`,
    [deliveryId],
  );
}

/** The event of an exit of a called run; `payload` is JSON text. */
export interface ExitEvent {
  guid: string;
  payload: string;
}

const EXIT_EVENTS = `FROM events e
  WHERE e.story_run_guid IN (?) AND e.agent_id IN (?)
    AND NOT EXISTS (SELECT 1 FROM event_marks m WHERE m.event_id = e.id AND m.failure)`;

/**
 * Returns the events that these agents emitted in these runs, oldest first, without those of failures.
 * @throws PermanentJobError if they are larger than the result of a loop may be; then none is read.
 */
export async function findExitEvents(
  session: Session,
  guids: string[],
  agentIds: number[],
): Promise<ExitEvent[]> {
  if (guids.length === 0 || agentIds.length === 0) return [];
  const [size] = await session.rows<{ characters: number }>(
    `SELECT CAST(COALESCE(SUM(CHAR_LENGTH(e.payload)), 0) AS UNSIGNED) AS characters ${EXIT_EVENTS}`,
    [guids, agentIds],
  );
  if ((size?.characters ?? 0) > MAX_OUTPUT_CHARACTERS) {
    throw new PermanentJobError(
      `the result of the loop is too large: the maximum is ${MAX_OUTPUT_CHARACTERS} characters`,
    );
  }
  return session.rows<ExitEvent>(`SELECT e.story_run_guid AS guid, e.payload ${EXIT_EVENTS} ORDER BY e.id`, [
    guids,
    agentIds,
  ]);
}
