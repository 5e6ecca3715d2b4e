import { idsOrNone, type Page, readPage, type Window } from '../../platform/mysql/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { Team } from './tenancy.js';

/** A team as the API shows it. */
export interface TeamRecord extends Team {
  updatedAt: Date;
}

const COLUMNS = 'id, tenant_id AS tenantId, name, created_at AS createdAt, updated_at AS updatedAt';

/** What keeps a team from being deleted, and how it is called. */
const CONTENTS: readonly [table: string, plural: string][] = [
  ['stories', 'stories'],
  ['record_types', 'record types'],
  ['cases', 'cases'],
  ['credentials', 'credentials'],
  ['resources', 'resources'],
];

/** A page of these teams, by id. */
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

/** Gives the new team's id. */
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

/** Keeps imports and other writes that take the team's lock out until the transaction ends. */
export async function lockTeamRow(id: number, session: Session): Promise<boolean> {
  const rows = await session.rows('SELECT id FROM teams WHERE id = ? FOR UPDATE', [id]);
  return rows.length > 0;
}

/** Keeps the team from being changed or deleted until the transaction ends; false when there is none. */
export async function holdTeamRow(id: number, session: Session): Promise<boolean> {
  const rows = await session.rows('SELECT id FROM teams WHERE id = ? LOCK IN SHARE MODE', [id]);
  return rows.length > 0;
}

/** What the team still has, in words: `3 stories`. Empty for a team that may go. */
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

/** Deletes an empty team, whose keys are revoked, with its folders and memberships. */
export async function deleteTeam(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM folders WHERE team_id = ?', [id]);
  await session.run('DELETE FROM memberships WHERE team_id = ?', [id]);
  await session.run('DELETE FROM teams WHERE id = ?', [id]);
}
