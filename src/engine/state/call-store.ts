import type { Script } from '../../platform/mysql/statement-batch.js';
import type { Session } from '../../platform/mysql/session.js';
import { findDeliveries, type DeliveryRow } from './delivery-store.js';

/** The action that called a run, and all that is needed to give it its events. */
export interface StoryCall {
  /** Of the run that was called. */
  storyRunGuid: string;
  caller: Caller;
  /** Ids of the stories above the called one, outermost first. */
  path: number[];
}

/** The delivery of the calling action, as it was when it called. */
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

/** Notes who called each of these runs; in the transaction that stores the run. */
export function insertCalls(script: Script, calls: StoryCall[]): void {
  script.insert({
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

/** Who called these runs, by guid. */
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

function toCall({ storyRunGuid, runGuid, path, awaited, called, ...caller }: CallRow): StoryCall {
  return {
    storyRunGuid,
    caller: { ...caller, storyRunGuid: runGuid, awaited: awaited !== 0, called: called !== 0 },
    path: path.split(',').map(Number),
  };
}

/** The parked deliveries whose called run is one of these and has no work left. */
export async function findEndedCalls(session: Session, guids: string[]): Promise<DeliveryRow[]> {
  return findParked(session, 'c.story_run_guid', guids);
}

/** Those of these parked deliveries that called a run which has no work left. */
export async function findCallersAtEnd(session: Session, deliveryIds: number[]): Promise<DeliveryRow[]> {
  return findParked(session, 'c.caller_delivery_id', deliveryIds);
}

/** `column` is ours, never input. */
async function findParked(
  session: Session,
  column: string,
  values: (string | number)[],
): Promise<DeliveryRow[]> {
  const rows = await session.rows<{ id: number }>(
    `SELECT c.caller_delivery_id AS id FROM story_calls c
     WHERE ${column} IN (?)
       AND NOT EXISTS (SELECT 1 FROM deliveries d
                       WHERE d.story_run_guid = c.story_run_guid AND d.state <> 'failed')`,
    [values],
  );
  if (rows.length === 0) return [];
  const parked = await findDeliveries(
    session,
    rows.map(({ id }) => id),
  );
  return parked.filter(({ state }) => state === 'parked');
}
