import { raw } from 'mysql2';
import type { RowId, Script } from '../../platform/mysql/statement-batch.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/sql.js';

/** A link that gives an event of an action once more, with the reader's answer. */
export interface StoredPrompt {
  /** Whoever knows it may use it. */
  id: string;
  storyRunGuid: string;
  storyId: number;
  agentId: number;
  eventId: number;
  /** As the event's deliveries had them. */
  awaited: boolean;
  called: boolean;
  depth: number;
  /** The answer: `prompt.status` of the event. */
  status: string;
}

/** A prompt about to be stored. */
export interface NewPrompt extends Omit<StoredPrompt, 'eventId'> {
  eventId: RowId;
  expiresInSeconds: number;
}

/** A prompt as it is now. */
export interface Prompt extends StoredPrompt {
  expired: boolean;
  /** Its run was cancelled. */
  cancelled: boolean;
  /** The click that used it; null: it is unused. */
  usedBy: string | null;
}

const COLUMNS = [
  'id',
  'story_run_guid',
  'story_id',
  'agent_id',
  'event_id',
  'awaited',
  'called',
  'depth',
  'status',
  'expires_at',
];

/** Stores prompts, in the transaction that stores the events they belong to. */
export function insertPrompts(script: Script, prompts: NewPrompt[]): void {
  script.insert({
    table: 'prompts',
    columns: COLUMNS,
    rows: prompts.map((prompt): SqlValue[] => [
      prompt.id,
      prompt.storyRunGuid,
      prompt.storyId,
      prompt.agentId,
      prompt.eventId,
      prompt.awaited,
      prompt.called,
      prompt.depth,
      prompt.status,
      raw(`NOW(3) + INTERVAL ${Math.trunc(prompt.expiresInSeconds)} SECOND`),
    ]),
    sizeOf: () => 1_000,
  });
}

type Flags = 'awaited' | 'called' | 'expired' | 'cancelled';

/** The prompts with these ids that are there, by id. */
export async function findPrompts(session: Session, ids: string[]): Promise<Map<string, Prompt>> {
  const rows = await session.rows<Omit<Prompt, Flags> & Record<Flags, number>>(
    `SELECT p.id, p.story_run_guid AS storyRunGuid, p.story_id AS storyId, p.agent_id AS agentId,
            p.event_id AS eventId, p.awaited, p.called, p.depth, p.status, p.used_by AS usedBy,
            p.expires_at <= NOW(3) AS expired, r.cancelled_at IS NOT NULL AS cancelled
     FROM prompts p LEFT JOIN story_runs r ON r.guid = p.story_run_guid WHERE p.id IN (?)`,
    [ids],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        awaited: row.awaited !== 0,
        called: row.called !== 0,
        expired: row.expired !== 0,
        cancelled: row.cancelled !== 0,
      },
    ]),
  );
}

/**
 * Uses the prompt up; false when it is used, expired or gone. `clickGuid` tells this click from others: whose answer to
 * COMMIT was lost finds it in the row.
 */
export async function usePrompt(session: Session, id: string, clickGuid: string): Promise<boolean> {
  const { affectedRows } = await session.run(
    'UPDATE prompts SET used_at = NOW(3), used_by = ? WHERE id = ? AND used_at IS NULL AND expires_at > NOW(3)',
    [clickGuid, id],
  );
  return affectedRows === 1;
}
