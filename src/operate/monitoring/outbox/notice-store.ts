import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { Notice } from './notice.js';

/** Mails have all addresses of mailboxes in one notice; each other address has one of its own. */
export type NoticeChannel = 'mail' | 'web';

/** A notice about to be queued. */
export interface NewNotice {
  tenantId: number;
  teamId: number;
  /** null for a digest. */
  storyId: number | null;
  channel: NoticeChannel;
  recipients: readonly string[];
  notice: Notice;
}

/** A notice of the outbox. */
export interface StoredNotice extends NewNotice {
  id: number;
  /** Failed attempts so far. */
  attempts: number;
  createdAt: Date;
}

type NoticeRow = Omit<StoredNotice, 'recipients' | 'notice'> & { recipients: string; content: string };

/** Lease of one process on a notice: longer than a batch can take. */
const LEASE_SECONDS = 900;
const KEPT_DAYS = 3;

/** Adds notices to the outbox. Call it in the transaction that marks their causes as notified. */
export async function queueNotices(notices: readonly NewNotice[], session: Session): Promise<void> {
  if (notices.length === 0) return;
  await session.run(
    'INSERT INTO notices (tenant_id, team_id, story_id, kind, channel, recipients, content) VALUES ?',
    [
      notices.map(({ tenantId, teamId, storyId, channel, recipients, notice }) => [
        tenantId,
        teamId,
        storyId,
        notice.kind,
        channel,
        stringifyJson(recipients),
        stringifyJson(notice),
      ]),
    ],
  );
}

const OLD = `NOW(3) - INTERVAL ${KEPT_DAYS} DAY`;

/** Returns SQL for whether a notice of this state was due by a time. Both are SQL of this file, never input. */
function exists(state: StoredState, time: string): string {
  return `EXISTS (SELECT 1 FROM notices WHERE state = '${state}' AND due_at <= ${time})`;
}

/** Holds if a notice is due. */
export const ANY_NOTICE_DUE = exists('due', 'NOW(3)');
/** Holds if `forgetOldNotices` would find a notice. */
export const ANY_OLD_NOTICE = `${exists('sent', OLD)} OR ${exists('failed', OLD)}`;

type StoredState = 'due' | 'sent' | 'failed';

/**
 * Leases up to `limit` due notices of tenants that are not frozen under `lease`, which is unique. One statement, so no
 * other process gets the same.
 */
export async function leaseNotices(
  { lease, limit }: { lease: string; limit: number },
  session: Session,
): Promise<StoredNotice[]> {
  const { affectedRows } = await session.run(
    `UPDATE notices SET lease = ?, due_at = NOW(3) + INTERVAL ${LEASE_SECONDS} SECOND
     WHERE state = 'due' AND due_at <= NOW(3)
       AND tenant_id NOT IN (SELECT t.id FROM tenants t WHERE t.frozen_at IS NOT NULL)
     ORDER BY due_at, id LIMIT ?`,
    [lease, limit],
  );
  if (affectedRows === 0) return [];
  const rows = await session.rows<NoticeRow>(
    `SELECT id, tenant_id AS tenantId, team_id AS teamId, story_id AS storyId, channel, recipients, content, attempts,
            created_at AS createdAt FROM notices FORCE INDEX (notices_lease) WHERE lease = ? ORDER BY id`,
    [lease],
  );
  return rows.map(({ recipients, content, ...row }) => ({
    ...row,
    recipients: parseJson(recipients) as string[],
    notice: parseJson(content) as unknown as Notice,
  }));
}

/** The end of an attempt. `delaySeconds`: the next one follows then; undefined: none follows. */
export interface NoticeEnd {
  id: number;
  lease: string;
  /** Undefined: it was sent. */
  error?: string;
  delaySeconds?: number | undefined;
}

/** Stores the end of an attempt, and ends the lease. Returns false if the lease has ended before. */
export async function settleNotice(end: NoticeEnd, session: Session): Promise<boolean> {
  const { id, lease, error, delaySeconds } = end;
  const again = delaySeconds === undefined ? 'failed' : 'due';
  const { affectedRows } = await session.run(
    `UPDATE notices SET state = ?, error = LEFT(?, 512), attempts = attempts + 1, lease = NULL,
            due_at = NOW(3) + INTERVAL ? SECOND WHERE id = ? AND lease = ?`,
    [error === undefined ? 'sent' : again, error ?? null, delaySeconds ?? 0, id, lease],
  );
  return affectedRows > 0;
}

/** Deletes up to `limit` notices of each end that ended three days ago. */
export async function forgetOldNotices(limit: number, session: Session): Promise<void> {
  for (const state of ['sent', 'failed']) {
    await session.run(
      `DELETE FROM notices WHERE state = ? AND due_at < NOW(3) - INTERVAL ${KEPT_DAYS} DAY ORDER BY due_at, id LIMIT ?`,
      [state, limit],
    );
  }
}
