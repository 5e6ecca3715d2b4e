import { raw } from 'mysql2';
import { insertRows } from '../../../platform/mysql/statements/insert-rows.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { SqlValue } from '../../../platform/mysql/statements/sql.js';

/** A link that emits an agent's event again, with the reader's choice. */
export interface StoredPrompt {
  /** A bearer id: knowing it is enough to use the link. */
  id: string;
  storyRunGuid: string;
  storyId: number;
  agentId: number;
  eventId: number;
  /** Same value as in the event's deliveries. */
  awaited: boolean;
  called: boolean;
  depth: number;
  /** The reader's choice: `prompt.status` of the event. */
  status: string;
}

/** A prompt about to be stored. */
export interface NewPrompt extends StoredPrompt {
  expiresInSeconds: number;
}

/** A stored prompt with its current state. */
export interface Prompt extends StoredPrompt {
  expired: boolean;
  /** Its run was cancelled. */
  cancelled: boolean;
  /** The click that used it; null if unused. */
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

/** Stores prompts in the transaction that stores their events. */
export async function insertPrompts(session: Session, prompts: NewPrompt[]): Promise<void> {
  await insertRows(session, {
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

/** Returns the prompts that exist of these ids, by id. */
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
 * IdempotencyKeys the prompt as used. Returns false if it is used, expired or missing. `clickGuid` identifies this click: if the
 * response to COMMIT was lost, the caller finds it in the row.
 */
export async function usePrompt(session: Session, id: string, clickGuid: string): Promise<boolean> {
  const { affectedRows } = await session.run(
    'UPDATE prompts SET used_at = NOW(3), used_by = ? WHERE id = ? AND used_at IS NULL AND expires_at > NOW(3)',
    [clickGuid, id],
  );
  return affectedRows === 1;
}
