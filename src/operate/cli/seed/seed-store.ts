import type { Database } from '../../../platform/mysql/database.js';

const MARK = 'seed';

/** `seeding`: started, but perhaps not finished; `done`: finished; undefined: never started in this database. */
export type SeedState = 'seeding' | 'done' | undefined;

/** Reads and writes the seed state of this database, and finds the webhook of the demo story. */
export function createSeedStore(database: Pick<Database, 'read'>) {
  return {
    async state(): Promise<SeedState> {
      const [row] = await database.read((session) =>
        session.rows<{ value: SeedState }>('SELECT value FROM settings WHERE name = ?', [MARK]),
      );
      return row?.value;
    },

    async mark(state: 'seeding' | 'done'): Promise<void> {
      await database.read((session) =>
        session.run(
          'INSERT INTO settings (name, value) VALUES (?, ?) ON DUPLICATE KEY UPDATE value = VALUES(value)',
          [MARK, state],
        ),
      );
    },

    /** Returns path and secret of the first webhook in the team's newest story with this name. */
    async findWebhook(
      teamId: number,
      storyName: string,
    ): Promise<{ path: string; secret: string } | undefined> {
      const [row] = await database.read((session) =>
        session.rows<{ path: string; options: string }>(
          'SELECT a.webhook_path AS path, a.options FROM stories s JOIN agents a ON a.story_id = s.id' +
            ' WHERE s.team_id = ? AND s.name = ? AND a.webhook_path IS NOT NULL' +
            ' ORDER BY s.id DESC, a.position LIMIT 1',
          [teamId, storyName],
        ),
      );
      if (row === undefined) return undefined;
      const { secret } = JSON.parse(row.options) as { secret: string };
      return { path: row.path, secret };
    },
  };
}
