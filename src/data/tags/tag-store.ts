import {
  assignments,
  idsOrNone,
  type Page,
  readPage,
  type Window,
} from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';

/** A word that stories and cases of a team are marked with. */
export interface TagRecord {
  id: number;
  teamId: number;
  teamName: string;
  name: string;
  /** `#RRGGBB`. */
  color: string;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS =
  'g.id, g.team_id AS teamId, t.name AS teamName, g.name, g.color, g.created_at AS createdAt,' +
  ' COALESCE(g.updated_at, g.created_at) AS updatedAt';
const FROM = 'tags g STRAIGHT_JOIN teams t ON t.id = g.team_id';
const CASES_AT_ONCE = 10_000;

/** Returns a page of the tags of these teams, by team and name. */
export function listTags(teamIds: number[], window: Window, session: Session): Promise<Page<TagRecord>> {
  const query = {
    columns: COLUMNS,
    from: FROM,
    where: 'g.team_id IN (?)',
    values: [idsOrNone(teamIds)],
    // The order of an unique index: with the id behind it, rows would be sorted.
    order: 'g.team_id, g.name',
  };
  return readPage<TagRecord>(session, query, window);
}

export async function findTag(id: number, session: Session): Promise<TagRecord | undefined> {
  const [tag] = await session.rows<TagRecord>(`SELECT ${COLUMNS} FROM ${FROM} WHERE g.id = ?`, [id]);
  return tag;
}

/** Returns the new tag's id. A name that the team has already gives a duplicate-key error. */
export async function insertTag(
  tag: Pick<TagRecord, 'teamId' | 'name' | 'color'>,
  session: Session,
): Promise<number> {
  const { insertId } = await session.run('INSERT INTO tags (team_id, name, color) VALUES (?)', [
    [tag.teamId, tag.name, tag.color],
  ]);
  return insertId;
}

/** Sets the given columns. A name that the team has already gives a duplicate-key error. */
export async function updateTag(
  id: number,
  change: { name?: string | undefined; color?: string | undefined },
  session: Session,
): Promise<void> {
  const set = assignments({ name: change.name, color: change.color });
  if (set === undefined) return;
  await session.run(`UPDATE tags SET ${set.sql}, updated_at = NOW(3) WHERE id = ?`, [...set.values, id]);
}

/** Deletes the tag, and takes it from the cases that are left. */
export async function deleteTag(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM case_tags WHERE tag_id = ?', [id]);
  await session.run('DELETE FROM tags WHERE id = ?', [id]);
}

/** Takes the tag from some cases. Returns whether there may be more. */
export async function takeFromCases(id: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run('DELETE FROM case_tags WHERE tag_id = ? LIMIT ?', [
    id,
    CASES_AT_ONCE,
  ]);
  return affectedRows === CASES_AT_ONCE;
}

/** Makes those of these tags that the team lacks. */
export async function ensureTags(teamId: number, names: readonly string[], session: Session): Promise<void> {
  // Insert in one fixed order, so that two that make the same tags do not deadlock.
  const rows = names.toSorted().map((name) => [teamId, name]);
  if (rows.length === 0) return;
  await session.run('INSERT INTO tags (team_id, name) VALUES ? ON DUPLICATE KEY UPDATE name = VALUES(name)', [
    rows,
  ]);
}

/** Makes the tags of these stories that their teams lack. */
export async function ensureTagsOfStories(ids: readonly number[], session: Session): Promise<void> {
  await session.run(
    `INSERT IGNORE INTO tags (team_id, name)
     SELECT DISTINCT s.team_id, v.name COLLATE utf8mb4_bin FROM stories s
     JOIN JSON_TABLE(COALESCE(s.settings, '{}'), '$.tags[*]' COLUMNS (name VARCHAR(255) PATH '$')) v
     WHERE s.id IN (?) AND v.name <> '' AND NOT EXISTS
       (SELECT 1 FROM tags g WHERE g.team_id = s.team_id AND g.name = v.name COLLATE utf8mb4_bin)
     ORDER BY 1, 2`,
    [idsOrNone(ids)],
  );
}

/** Returns the team's stories and drafts that have the tag, at most `limit`, locked until the transaction ends. */
export async function lockTaggedStories(
  { teamId, name }: Pick<TagRecord, 'teamId' | 'name'>,
  limit: number,
  session: Session,
): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    `SELECT id FROM stories WHERE team_id = ? AND JSON_CONTAINS(settings, ?, '$.tags')
     ORDER BY id LIMIT ? FOR UPDATE`,
    [teamId, JSON.stringify(name), limit],
  );
  return rows.map(({ id }) => id);
}
