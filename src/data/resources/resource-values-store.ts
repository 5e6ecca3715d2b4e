import type { Database } from '../../platform/mysql/database.js';
import type { JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';

/** A value that stories use by its name. */
export interface Resource {
  name: string;
  /** Alternative name for templates. */
  slug: string;
  value: JsonValue;
  /** True for a resource of another team. */
  isForeign?: boolean;
}

interface ValueRow {
  teamId: number;
  name: string;
  slug: string;
  value: string;
}

/** Which of its two values a resource has: drafts of stories see the test value where it is enabled. */
const LIVE = 'r.value';
const TEST = 'IF(r.test_enabled, COALESCE(r.test_value, r.value), r.value)';

export type ResourceValuesStore = ReturnType<typeof createResourceValuesStore>;

/** Values are stored as JSON text, which keeps the order of keys (spec §5.1). */
export function createResourceValuesStore(database: Pick<Database, 'read'>) {
  return {
    /** Returns the resources that stories of the team may use, its own first, each group oldest first. */
    async list(teamId: number, isTest = false): Promise<Resource[]> {
      const rows = await database.read((session) =>
        session.rows<ValueRow>(usableSql(isTest ? TEST : LIVE), [teamId, teamId, teamId]),
      );
      return rows.map((row) => ({
        name: row.name,
        slug: row.slug,
        value: parseJson(row.value),
        ...(row.teamId !== teamId && { isForeign: true }),
      }));
    },

    /** Inserts the resource, or replaces the value of the one with this name. */
    async save(teamId: number, { name, slug, value }: Resource): Promise<void> {
      await database.read((session) =>
        session.run(
          'INSERT INTO resources (team_id, name, slug, value) VALUES (?, ?, ?, ?)' +
            ' ON DUPLICATE KEY UPDATE value = VALUES(value), updated_at = NOW(3)',
          [teamId, name, slug, stringifyJson(value)],
        ),
      );
    },
  };
}

/** Own resources, those of all teams of the tenant, and those shared with this team; each part by an index. */
function usableSql(value: string): string {
  const columns = `r.id, r.team_id AS teamId, r.name, r.slug, ${value} AS value`;
  return (
    `SELECT ${columns}, 0 AS rank_ FROM resources r WHERE r.team_id = ?` +
    ` UNION ALL SELECT ${columns}, 1 FROM teams own` +
    ' JOIN teams t ON t.tenant_id = own.tenant_id AND t.id <> own.id' +
    " JOIN resources r ON r.team_id = t.id AND r.read_access = 'GLOBAL' WHERE own.id = ?" +
    ` UNION ALL SELECT ${columns}, 1 FROM team_shares s JOIN teams own ON own.id = s.team_id` +
    " JOIN resources r ON r.id = s.item_id AND r.read_access = 'SPECIFIC_TEAMS' AND r.team_id <> s.team_id" +
    ' JOIN teams t ON t.id = r.team_id AND t.tenant_id = own.tenant_id' +
    " WHERE s.team_id = ? AND s.kind = 'resource' ORDER BY rank_, id"
  );
}
