import type { Database } from '../db/database.js';
import type { JsonValue } from '../json.js';

/** A value that a team's stories share. */
export interface Resource {
  name: string;
  /** What templates call it besides its name. */
  slug: string;
  /** Text, a list or an object. */
  value: JsonValue;
}

export type ResourceStore = ReturnType<typeof createResourceStore>;

/** Values are stored as JSON text, which keeps the order of keys (decisions §5). */
export function createResourceStore(database: Pick<Database, 'read'>) {
  return {
    /** Resources of the team, oldest first. */
    async list(teamId: number): Promise<Resource[]> {
      const rows = await database.read((session) =>
        session.rows<{ name: string; slug: string; value: string }>(
          'SELECT name, slug, value FROM resources WHERE team_id = ? ORDER BY id',
          [teamId],
        ),
      );
      return rows.map((row) => ({ ...row, value: JSON.parse(row.value) as JsonValue }));
    },

    /** Inserts the resource, or replaces the value of the one of this name. */
    async save(teamId: number, { name, slug, value }: Resource): Promise<void> {
      await database.read((session) =>
        session.run(
          'INSERT INTO resources (team_id, name, slug, value) VALUES (?, ?, ?, ?)' +
            ' ON DUPLICATE KEY UPDATE value = VALUES(value), updated_at = NOW(3)',
          [teamId, name, slug, JSON.stringify(value)],
        ),
      );
    },
  };
}
