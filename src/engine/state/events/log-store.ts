import { LOG_LEVELS, type AgentLogLevel } from '../../../agents/face.js';
import { insertRows } from '../../../platform/mysql/statements/insert-rows.js';
import { textBytes } from '../../../platform/mysql/statements/row-statements.js';
import type { Session } from '../../../platform/mysql/session.js';

/** A line of an agent's log. */
export interface NewLogLine {
  agentId: number;
  storyRunGuid: string;
  inboundEventId: number;
  level: AgentLogLevel;
  message: string;
  /** The request that the failed attempt sent last, as JSON (notes/runs.md, Sent requests). */
  request?: string | undefined;
  /** Its response, as JSON (notes/runs.md, Failed attempts). */
  response?: string | undefined;
  status?: number | undefined;
  cause?: string | undefined;
  /** The delivery that failed, or that logged an error; absent on other lines. */
  deliveryId?: number | undefined;
  /** The number of the attempt that failed; absent: none did. */
  attempt?: number | undefined;
  workMs?: number | undefined;
}

const MAX_MESSAGE_CHARS = 8000;
const COLUMNS = [
  'agent_id',
  'story_run_guid',
  'inbound_event_id',
  'level',
  'message',
  'request',
  'response',
  'status',
  'cause',
  'delivery_id',
  'attempt',
  'work_ms',
];

/** Inserts the lines; over-long messages are cut. */
export async function insertLogLines(session: Session, lines: NewLogLine[]): Promise<void> {
  await insertRows(session, {
    table: 'agent_logs',
    columns: COLUMNS,
    rows: lines.map((line) => [
      line.agentId,
      line.storyRunGuid,
      line.inboundEventId,
      LOG_LEVELS[line.level],
      line.message.slice(0, MAX_MESSAGE_CHARS),
      line.request ?? null,
      line.response ?? null,
      line.status ?? null,
      line.cause ?? null,
      line.deliveryId ?? null,
      line.attempt ?? null,
      line.workMs ?? null,
    ]),
    sizeOf: (row) => textBytes(row[4], row[5], row[6]),
  });
}

/** Failed attempts of a delivery whose request and response are kept: the first, and the last ones. */
export const MOST_EXCHANGES = 10;

/** Forgets the requests and responses of these deliveries that are more than are to be kept; their lines stay. */
export async function forgetExchanges(session: Session, deliveryIds: number[]): Promise<void> {
  if (deliveryIds.length === 0) return;
  const rows = await session.rows<{ id: number }>(
    `SELECT n.id FROM (
       SELECT l.id, l.request IS NOT NULL OR l.response IS NOT NULL AS kept,
              ROW_NUMBER() OVER (PARTITION BY l.delivery_id ORDER BY l.id) AS place,
              ROW_NUMBER() OVER (PARTITION BY l.delivery_id ORDER BY l.id DESC) AS placeFromEnd
       FROM agent_logs l FORCE INDEX (agent_logs_delivery)
       WHERE l.delivery_id IN (?) AND l.attempt IS NOT NULL) n
     WHERE n.kept AND n.place > 1 AND n.placeFromEnd >= ? ORDER BY n.id`,
    [deliveryIds, MOST_EXCHANGES],
  );
  if (rows.length === 0) return;
  await session.run(
    `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
     STRAIGHT_JOIN agent_logs l FORCE INDEX (PRIMARY) ON l.id = v.id SET l.request = NULL, l.response = NULL`,
    [JSON.stringify(rows.map(({ id }) => id))],
  );
}
