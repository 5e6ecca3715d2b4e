import { LINK_PATTERN } from '../text/hidden-secrets.js';
import { idsOrNone, partOf } from './page-query.js';
import type { SqlValue } from './sql.js';

/** The teams that a search goes through. */
export interface SearchedTeams {
  teamIds: readonly number[];
  /** Those of whose things every text is searched; of the others only texts that hide nothing from who only reads. */
  openTeamIds: readonly number[];
}

/**
 * The condition that a column's text has this part, in any letter case, with its values. `teamColumn` is the row's team.
 * A search must not find out letter by letter what it does not show: where a text may hold a hidden link, it is not found.
 */
export function hasPart(
  { column, teamColumn }: { column: string; teamColumn: string },
  part: string,
  { teamIds, openTeamIds }: SearchedTeams,
): [sql: string, values: SqlValue[]] {
  const like = `${column} LIKE ? ESCAPE '!'`;
  if (teamIds.every((id) => openTeamIds.includes(id))) return [like, [partOf(part)]];
  return [
    `(${like} AND (${teamColumn} IN (?) OR ${column} NOT REGEXP ?))`,
    [partOf(part), idsOrNone(openTeamIds), LINK_PATTERN],
  ];
}
