import type { Session } from '../../../platform/mysql/session.js';

const COUNTED = 'expires_at <= NOW(3)';

/** Deletes by the index of expiry. A session that is idle for too long ends before that, and goes with it. */
function endedIn(
  table:
    | 'console_sessions'
    | 'login_links'
    | 'idempotency_keys'
    | 'inbox_marks'
    | 'inbox_history'
    | 'canaries'
    | 'shadows',
) {
  return {
    /** Returns the number of rows that expired. */
    async count(session: Session): Promise<number> {
      const [row] = await session.rows<{ count: number }>(
        `SELECT COUNT(*) AS count FROM ${table} WHERE ${COUNTED}`,
      );
      return row?.count ?? 0;
    },
    /** Deletes up to `limit` rows that expired. Returns the number deleted. */
    async clear(session: Session, limit: number): Promise<number> {
      const { affectedRows } = await session.run(
        `DELETE FROM ${table} WHERE ${COUNTED} ORDER BY expires_at LIMIT ?`,
        [limit],
      );
      return affectedRows;
    },
  };
}

/** Sessions of people that are over. */
export const ENDED_SESSIONS = endedIn('console_sessions');
/** Links that are too old. */
export const ENDED_LINKS = endedIn('login_links');
/** Keys of requests that are forgotten (spec §1.10). */
export const OLD_IDEMPOTENCY_KEYS = endedIn('idempotency_keys');
/** Notes of people about entries of the inbox that nobody changed for long. */
export const OLD_INBOX_MARKS = endedIn('inbox_marks');
/** Entries of the inbox that ended long ago, or that nobody has seen since. */
export const OLD_INBOX_HISTORY = endedIn('inbox_history');
/** Results of retries of dead letters that are forgotten: a retry ends long before. */
export const OLD_CANARIES = withParts('canaries', 'canary_letters', 'canary_id');
/** Results of shadows of drafts that are forgotten, with what they found. */
const SHADOWS = withParts('shadows', 'shadow_differences', 'shadow_id');
/** The same; their listed runs, which are many, go first. */
export const OLD_SHADOWS = {
  ...SHADOWS,
  /** Deletes up to `limit` listed runs of shadows that expired, or once there are none, shadows. Returns the number. */
  async clear(session: Session, limit: number): Promise<number> {
    const rows = await session.rows<{ id: number }>(
      `SELECT id FROM shadows WHERE ${COUNTED} ORDER BY expires_at LIMIT ?`,
      [limit],
    );
    if (rows.length === 0) return 0;
    const { affectedRows } = await session.run('DELETE FROM shadow_runs WHERE shadow_id IN (?) LIMIT ?', [
      rows.map(({ id }) => id),
      limit,
    ]);
    return affectedRows > 0 ? affectedRows : SHADOWS.clear(session, limit);
  },
};

/** The same for rows with parts, which go with them. A part that stayed could be claimed for ever. */
function withParts(
  table: 'canaries' | 'shadows',
  parts: 'canary_letters' | 'shadow_differences',
  key: 'canary_id' | 'shadow_id',
) {
  return {
    ...endedIn(table),
    /** Deletes up to `limit` rows that expired, with their parts. Returns the number of rows. */
    async clear(session: Session, limit: number): Promise<number> {
      const rows = await session.rows<{ id: number }>(
        `SELECT id FROM ${table} WHERE ${COUNTED} ORDER BY expires_at LIMIT ?`,
        [limit],
      );
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      await session.run(`DELETE FROM ${parts} WHERE ${key} IN (?)`, [ids]);
      const { affectedRows } = await session.run(`DELETE FROM ${table} WHERE id IN (?)`, [ids]);
      return affectedRows;
    },
  };
}
