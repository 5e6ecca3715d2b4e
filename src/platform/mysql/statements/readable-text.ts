import { LINK_PATTERN } from '../../secrets/hidden-secrets.js';
import { idsOrNone, containsPattern } from './page-query.js';
import type { SqlValue } from './sql.js';

/** The teams to search. */
export interface SearchedTeams {
  teamIds: readonly number[];
  /** Teams in which every text is searched; in the others, only texts that hide nothing from a reader. */
  openTeamIds: readonly number[];
}

/**
 * Returns a condition with its values: the column's text contains `part`, in any letter case. `teamColumn` is the row's
 * team. Texts that may contain a hidden link are never found: otherwise a search could reveal it letter by letter.
 */
export function readableTextContains(
  { column, teamColumn }: { column: string; teamColumn: string },
  part: string,
  { teamIds, openTeamIds }: SearchedTeams,
): [sql: string, values: SqlValue[]] {
  const like = `${column} LIKE ? ESCAPE '!'`;
  if (teamIds.every((id) => openTeamIds.includes(id))) return [like, [containsPattern(part)]];
  return [
    `(${like} AND (${teamColumn} IN (?) OR ${column} NOT REGEXP ?))`,
    [containsPattern(part), idsOrNone(openTeamIds), LINK_PATTERN],
  ];
}
