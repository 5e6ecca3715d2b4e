import type { Knex } from 'knex';
import { idsOrNone } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';

/** The kinds of things that a team shares with others. */
export type ShareKind = 'resource' | 'credential';

/** A team's id and name. */
export interface NamedTeam {
  id: number;
  name: string;
}

/** Returns the tenant's teams, by id: the first one keeps a slug that several have. */
export function listTeamsOfTenant(tenantId: number, session: Session): Promise<NamedTeam[]> {
  return session.rows<NamedTeam>('SELECT id, name FROM teams WHERE tenant_id = ? ORDER BY id', [tenantId]);
}

/** Returns the teams that each of these things is shared with, by the thing's id. */
export async function sharesOf(
  kind: ShareKind,
  itemIds: readonly number[],
  session: Session,
): Promise<Map<number, NamedTeam[]>> {
  const shares = new Map<number, NamedTeam[]>();
  if (itemIds.length === 0) return shares;
  const rows = await session.rows<NamedTeam & { itemId: number }>(
    'SELECT s.item_id AS itemId, t.id, t.name FROM team_shares s JOIN teams t ON t.id = s.team_id' +
      ' WHERE s.kind = ? AND s.item_id IN (?) ORDER BY s.item_id, t.id',
    [kind, idsOrNone(itemIds)],
  );
  for (const { itemId, ...team } of rows) shares.set(itemId, [...(shares.get(itemId) ?? []), team]);
  return shares;
}

/** Sets the teams that a thing is shared with. */
export async function replaceShares(
  kind: ShareKind,
  itemId: number,
  teamIds: readonly number[],
  session: Session,
): Promise<void> {
  await session.run('DELETE FROM team_shares WHERE kind = ? AND item_id = ?', [kind, itemId]);
  if (teamIds.length === 0) return;
  const rows = teamIds.map((teamId) => [kind, itemId, teamId]);
  await session.run('INSERT INTO team_shares (kind, item_id, team_id) VALUES ?', [rows]);
}

/** Shares a new thing with teams; with knex, as a part of its transaction. */
export async function insertShares(
  kind: ShareKind,
  itemId: number,
  teamIds: readonly number[],
  trx: Knex,
): Promise<void> {
  if (teamIds.length === 0) return;
  await trx('team_shares').insert(teamIds.map((teamId) => ({ kind, item_id: itemId, team_id: teamId })));
}
