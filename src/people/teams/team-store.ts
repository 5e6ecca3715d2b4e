import { randomInt } from 'node:crypto';
import { idsOrNone, type Page, readPage, type Window } from '../../platform/mysql/statements/page-query.js';
import { CLAIM, claimRow } from '../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../platform/mysql/session.js';
import type { Team } from '../tenants/tenancy.js';

/** A team as the API shows it. */
export interface TeamRecord extends Team {
  updatedAt: Date;
}

const COLUMNS = 'id, tenant_id AS tenantId, name, created_at AS createdAt, updated_at AS updatedAt';

/** Tables whose rows prevent the deletion of a team, with the plural for messages. */
const CONTENTS: readonly [table: string, plural: string][] = [
  ['stories', 'stories'],
  ['record_types', 'record types'],
  ['cases', 'cases'],
  ['credentials', 'credentials'],
  ['resources', 'resources'],
  ['steps', 'steps'],
];

/** Returns a page of these teams, by id. */
export function listTeams(ids: number[], window: Window, session: Session): Promise<Page<TeamRecord>> {
  const query = {
    columns: COLUMNS,
    from: 'teams',
    where: 'id IN (?)',
    values: [idsOrNone(ids)],
    order: 'id',
  };
  return readPage<TeamRecord>(session, query, window);
}

export async function findTeam(id: number, session: Session): Promise<TeamRecord | undefined> {
  const [team] = await session.rows<TeamRecord>(`SELECT ${COLUMNS} FROM teams WHERE id = ?`, [id]);
  return team;
}

/** Returns the ids of all teams of a tenant. */
export async function findTeamIdsOf(tenantId: number, session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>('SELECT id FROM teams WHERE tenant_id = ?', [tenantId]);
  return rows.map(({ id }) => id);
}

/** Returns the new team's id. */
export async function insertTeam(team: Pick<Team, 'tenantId' | 'name'>, session: Session): Promise<number> {
  const { insertId } = await session.run('INSERT INTO teams (tenant_id, name) VALUES (?, ?)', [
    team.tenantId,
    team.name,
  ]);
  return insertId;
}

export async function renameTeam(id: number, name: string, session: Session): Promise<void> {
  await session.run('UPDATE teams SET name = ?, updated_at = NOW(3) WHERE id = ?', [name, id]);
}

/** Rows by which a team is held, so that those who add to it at the same time rarely wait for each other. */
const SHARDS = 16;

/**
 * Locks the team until the transaction ends: imports, its deletion and `holdTeamRow` wait. Returns false if it is missing. A
 * deletion calls `claimHolds` too.
 */
export function lockTeamRow(id: number, session: Session): Promise<boolean> {
  return claimRow(session, 'teams', id);
}

/**
 * Keeps the team from being deleted until the transaction ends: by a lock on this node, by a row of `team_holds` on others.
 * Several transactions can hold it. Returns false if it is missing.
 */
export async function holdTeamRow(id: number, session: Session): Promise<boolean> {
  const rows = await session.rows('SELECT id FROM teams WHERE id = ? LOCK IN SHARE MODE', [id]);
  if (rows.length === 0) return false;
  await writeHolds([[id, randomInt(SHARDS)]], session);
  return true;
}

/** Excludes all that hold the locked team on other nodes. */
export function claimHolds(id: number, session: Session): Promise<void> {
  return writeHolds(
    Array.from({ length: SHARDS }, (_, shard) => [id, shard]),
    session,
  );
}

async function writeHolds(rows: [teamId: number, shard: number][], session: Session): Promise<void> {
  await session.run(`INSERT INTO team_holds (team_id, shard) VALUES ? ON DUPLICATE KEY UPDATE ${CLAIM}`, [
    rows,
  ]);
}

/** Returns what the team still has, as text: `3 stories`. Empty for a team that can be deleted. */
export async function contentsOf(id: number, session: Session): Promise<string[]> {
  const counts = CONTENTS.map(([table]) => `SELECT COUNT(*) AS n FROM ${table} WHERE team_id = ?`);
  const rows = await session.rows<{ n: number }>(
    counts.join(' UNION ALL '),
    CONTENTS.map(() => id),
  );
  return CONTENTS.flatMap(([, plural], index) => {
    const n = rows[index]?.n ?? 0;
    return n === 0 ? [] : [`${n} ${plural}`];
  });
}

/** Deletes an empty team, with its folders, tags and memberships. Its keys must already be revoked. */
export async function deleteTeam(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM folders WHERE team_id = ?', [id]);
  await session.run('DELETE FROM tags WHERE team_id = ?', [id]);
  await session.run('DELETE FROM memberships WHERE team_id = ?', [id]);
  await session.run('DELETE FROM team_holds WHERE team_id = ?', [id]);
  await session.run('DELETE FROM teams WHERE id = ?', [id]);
}
