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
}

const MAX_MESSAGE_CHARS = 8000;

/** Inserts the lines; over-long messages are cut. */
export async function insertLogLines(session: Session, lines: NewLogLine[]): Promise<void> {
  await insertRows(session, {
    table: 'agent_logs',
    columns: ['agent_id', 'story_run_guid', 'inbound_event_id', 'level', 'message', 'request'],
    rows: lines.map((line) => [
      line.agentId,
      line.storyRunGuid,
      line.inboundEventId,
      LOG_LEVELS[line.level],
      line.message.slice(0, MAX_MESSAGE_CHARS),
      line.request ?? null,
    ]),
    sizeOf: (row) => textBytes(row[4], row[5]),
  });
}
