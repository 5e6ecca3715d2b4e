import type { Session } from '../../platform/mysql/session.js';
import { idsOrNone } from '../../platform/mysql/statements/page-query.js';
import type { FilesForm } from '../files/story-files.js';

/** Which side takes over changes of the other. */
export type SyncDirection = 'pull' | 'push' | 'both';
/** How changes of stories reach the branch. */
export type SyncWay = 'direct' | 'pull_request';

/** What a manager sets. */
export interface RepositorySettings {
  url: string;
  branch: string;
  /** The folder of the stories; empty: the root. */
  folder: string;
  direction: SyncDirection;
  way: SyncWay;
  layout: FilesForm['layout'];
  format: FilesForm['format'];
  credentialId: number | null;
  /** Public keys of an ssh host, one a line. */
  hostKeys: string;
}

/** The git repository of a team. */
export interface TeamRepository extends RepositorySettings {
  id: number;
  tenantId: number;
  teamId: number;
  /** The person who has set it: background syncs act with this person's rights. */
  userId: number;
  /** The commit of the branch that was synced last. */
  commitId: string | null;
  /** Failed syncs in a row. */
  failures: number;
  lastError: string | null;
  /** JSON: the changes of the last sync. */
  lastReport: string | null;
  /** Stories that the last sync did not come to. */
  left: number;
  /** The commit of the branch at which it left them; null: it left none. */
  roundCommit: string | null;
  /** Stories that wait for a person. */
  conflicts: number;
  /** Since when syncs fail or find conflicts; null: all is well. */
  troubledAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
  nextAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** A sync that has ended. */
export interface RepositorySync {
  id: number;
  /** The person who asked for it; null: it was due. */
  userId: number | null;
  commitId: string | null;
  pulled: number;
  pushed: number;
  conflicts: number;
  error: string | null;
  startedAt: Date;
  endedAt: Date;
}

/** A process that was killed blocks the next sync for so long; each write of a sync begins it anew. */
const LEASE_SECONDS = 180;
/** Syncs that are kept of each repository. */
const KEPT = 50;
const LONGEST_ERROR = 2_000;

const COLUMNS =
  'r.id, r.tenant_id AS tenantId, r.team_id AS teamId, r.user_id AS userId, r.credential_id AS credentialId, r.url, r.branch,' +
  ' r.folder, r.direction, r.way, r.layout, r.format, r.host_keys AS hostKeys, r.commit_id AS commitId, r.failures,' +
  ' r.last_error AS lastError, r.last_report AS lastReport, r.left_count AS `left`, r.round_commit AS roundCommit, r.conflicts,' +
  ' r.troubled_at AS troubledAt, r.started_at AS startedAt, r.ended_at AS endedAt, r.next_at AS nextAt, r.created_at AS createdAt, r.updated_at AS updatedAt';
const IS_FREE = '(r.lease_until IS NULL OR r.lease_until < NOW(3))';

/** Returns the repository of a team. */
export async function findRepository(teamId: number, session: Session): Promise<TeamRepository | undefined> {
  const [found] = await session.rows<TeamRepository>(
    `SELECT ${COLUMNS} FROM team_repositories r WHERE r.team_id = ?`,
    [teamId],
  );
  return found;
}

/** Returns the repository with this id. */
export async function findRepositoryById(id: number, session: Session): Promise<TeamRepository | undefined> {
  const [found] = await session.rows<TeamRepository>(
    `SELECT ${COLUMNS} FROM team_repositories r WHERE r.id = ?`,
    [id],
  );
  return found;
}

/** Writes the repository of a team; the next sync is due at once. */
export async function saveRepository(
  settings: RepositorySettings & Pick<TeamRepository, 'tenantId' | 'teamId' | 'userId'>,
  session: Session,
): Promise<void> {
  const values = {
    tenant_id: settings.tenantId,
    team_id: settings.teamId,
    user_id: settings.userId,
    credential_id: settings.credentialId,
    url: settings.url,
    branch: settings.branch,
    folder: settings.folder,
    direction: settings.direction,
    way: settings.way,
    layout: settings.layout,
    format: settings.format,
    host_keys: settings.hostKeys,
  };
  const columns = Object.keys(values);
  const changed = columns.map((column) => `${column} = VALUES(${column})`);
  await session.run(
    `INSERT INTO team_repositories (${columns.join(', ')}) VALUES (?)
     ON DUPLICATE KEY UPDATE ${changed.join(', ')}, failures = 0, left_count = 0, round_commit = NULL, next_at = NOW(3), updated_at = NOW(3)`,
    [Object.values(values)],
  );
}

/** Deletes the repository with all that is known of its stories: its own row first, which a sync locks first too. */
export async function deleteRepository(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM team_repositories WHERE id = ?', [id]);
  for (const table of ['repository_bases', 'repository_stories', 'repository_syncs'])
    await session.run(`DELETE FROM ${table} WHERE repository_id = ?`, [id]);
}

/** Returns repositories whose team was deleted. */
export async function findOrphans(limit: number, session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    'SELECT r.id FROM team_repositories r LEFT JOIN teams t ON t.id = r.team_id WHERE t.id IS NULL LIMIT ?',
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Older changes are found when the time of a repository comes. */
const NEWS_MINUTES = 15;

/**
 * Returns repositories that are due: their time has come, or a story was changed since the last sync of one that is pushed to.
 * One of each tenant, so that none waits for the many of another. Those of tenants that are being moved rest. Two ranges of
 * indexes are read: without work they are empty.
 */
export async function findDueRepositories(limit: number, session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    `SELECT d.id FROM (
       SELECT r.id, r.next_at, ROW_NUMBER() OVER (PARTITION BY r.tenant_id ORDER BY r.next_at, r.id) AS place
       FROM (
         SELECT id FROM team_repositories WHERE next_at <= NOW(3)
         UNION
         SELECT c.id FROM stories s FORCE INDEX (stories_updated) JOIN team_repositories c ON c.team_id = s.team_id
         WHERE s.updated_at > NOW(3) - INTERVAL ${NEWS_MINUTES} MINUTE AND s.draft_of IS NULL
           AND s.updated_at > c.started_at AND c.direction <> 'pull' AND c.failures = 0) w
       JOIN team_repositories r ON r.id = w.id
       JOIN teams t ON t.id = r.team_id
       JOIN tenants n ON n.id = r.tenant_id AND n.frozen_at IS NULL
       WHERE ${IS_FREE}) d
     WHERE d.place = 1 ORDER BY d.next_at LIMIT ?`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** A repository whose syncs fail or find conflicts. */
export interface TroubledRepository {
  id: number;
  teamId: number;
  teamName: string;
  failures: number;
  conflicts: number;
  since: Date;
}

/** So many failures in a row are more than a network that was away for a moment. */
const TELLING_FAILURES = 2;

/** Returns up to `limit` repositories of these teams that fail again and again, or have conflicts. */
export async function findTroubledRepositories(
  session: Session,
  { tenantId, teamIds }: { tenantId: number; teamIds: readonly number[] },
  limit: number,
): Promise<TroubledRepository[]> {
  const rows = await session.rows<TroubledRepository>(
    `SELECT r.id, r.team_id AS teamId, t.name AS teamName, r.failures, r.conflicts, r.troubled_at AS since
     FROM team_repositories r FORCE INDEX (team_repositories_tenant) JOIN teams t ON t.id = r.team_id
     WHERE r.tenant_id = ? AND r.team_id IN (?) AND r.troubled_at IS NOT NULL
       AND (r.failures >= ${TELLING_FAILURES} OR r.conflicts > 0)
     ORDER BY r.id LIMIT ?`,
    [tenantId, idsOrNone([...teamIds]), limit],
  );
  return rows.map((row) => ({ ...row, failures: row.failures < TELLING_FAILURES ? 0 : row.failures }));
}

/** Takes the repository for a sync. A dry run takes no notice of changed stories: they stay due. Returns false if another process has it. */
export async function takeRepository(
  { id, holder, isTrial }: { id: number; holder: string; isTrial: boolean },
  session: Session,
): Promise<boolean> {
  const started = isTrial ? '' : ', r.started_at = NOW(3)';
  const { affectedRows } = await session.run(
    `UPDATE team_repositories r SET r.lease_holder = ?, r.lease_until = NOW(3) + INTERVAL ? SECOND${started}
     WHERE r.id = ? AND ${IS_FREE}`,
    [holder, LEASE_SECONDS, id],
  );
  return affectedRows === 1;
}

/**
 * Whether this process still has the repository; it has it for longer then. The row is written, so that of two nodes of a
 * cluster one is refused at COMMIT (decision 0075).
 */
export async function holdsRepository(
  { id, holder }: { id: number; holder: string },
  session: Session,
): Promise<boolean> {
  const { affectedRows } = await session.run(
    `UPDATE team_repositories SET lease_until = NOW(3) + INTERVAL ? SECOND
     WHERE id = ? AND lease_holder = ? AND lease_until > NOW(3)`,
    [LEASE_SECONDS, id, holder],
  );
  return affectedRows === 1;
}

/** How a sync ended. */
export interface SyncEnd {
  id: number;
  holder: string;
  commitId: string | null;
  /** Undefined: the last one stays. */
  report: string | undefined;
  error: string | null;
  left: number;
  roundCommit: string | null;
  /** Those of the report. */
  conflicts: number;
  /** Seconds until the next one. */
  nextSeconds: number;
}

/** Gives the repository back. @param isTrial it was a dry run: nothing else is kept. */
export async function endSync(end: SyncEnd, isTrial: boolean, session: Session): Promise<void> {
  const given = 'lease_holder = NULL, lease_until = NULL';
  if (isTrial) {
    await session.run(`UPDATE team_repositories SET ${given} WHERE id = ? AND lease_holder = ?`, [
      end.id,
      end.holder,
    ]);
    return;
  }
  const error = end.error?.slice(0, LONGEST_ERROR) ?? null;
  await session.run(
    `UPDATE team_repositories SET ${given}, ended_at = NOW(3), commit_id = COALESCE(?, commit_id), last_error = ?,
       last_report = COALESCE(?, last_report), failures = IF(? IS NULL, 0, failures + 1), left_count = ?,
       round_commit = ?, conflicts = IF(?, conflicts, ?),
       troubled_at = IF(?, COALESCE(troubled_at, NOW(3)), NULL), next_at = NOW(3) + INTERVAL ? SECOND
     WHERE id = ? AND lease_holder = ?`,
    [
      end.commitId,
      error,
      end.report ?? null,
      error,
      end.left,
      end.roundCommit,
      end.report === undefined,
      end.conflicts,
      error !== null || end.conflicts > 0,
      end.nextSeconds,
      end.id,
      end.holder,
    ],
  );
}

/** Keeps a sync; old ones go. */
export async function insertSync(
  repositoryId: number,
  sync: Omit<RepositorySync, 'id' | 'endedAt'>,
  session: Session,
): Promise<void> {
  const { userId, commitId, pulled, pushed, conflicts, startedAt } = sync;
  await session.run(
    'INSERT INTO repository_syncs (repository_id, user_id, commit_id, pulled, pushed, conflicts, error, started_at)' +
      ' VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    [
      repositoryId,
      userId,
      commitId,
      pulled,
      pushed,
      conflicts,
      sync.error?.slice(0, LONGEST_ERROR) ?? null,
      startedAt,
    ],
  );
  const [oldest] = await session.rows<{ id: number }>(
    `SELECT id FROM repository_syncs WHERE repository_id = ? ORDER BY id DESC LIMIT 1 OFFSET ${KEPT}`,
    [repositoryId],
  );
  if (oldest !== undefined)
    await session.run('DELETE FROM repository_syncs WHERE repository_id = ? AND id <= ?', [
      repositoryId,
      oldest.id,
    ]);
}

/** Returns the kept syncs, newest first. */
export function listSyncs(repositoryId: number, session: Session): Promise<RepositorySync[]> {
  return session.rows<RepositorySync>(
    'SELECT id, user_id AS userId, commit_id AS commitId, pulled, pushed, conflicts, error, started_at AS startedAt,' +
      ` ended_at AS endedAt FROM repository_syncs WHERE repository_id = ? ORDER BY id DESC LIMIT ${KEPT}`,
    [repositoryId],
  );
}
