import type { Knex } from 'knex';

const PAGE = 500;

/** The tags of stories stand in `tags` too, as those of cases do. */
export async function up(knex: Knex): Promise<void> {
  for (let last = 0; ; ) {
    const rows = (await knex('stories').select('id').where('id', '>', last).orderBy('id').limit(PAGE)) as {
      id: number;
    }[];
    const end = rows.at(-1)?.id;
    if (end === undefined) return;
    await knex.raw(
      `INSERT IGNORE INTO tags (team_id, name)
       SELECT DISTINCT s.team_id, v.name COLLATE utf8mb4_bin FROM stories s
       JOIN JSON_TABLE(COALESCE(s.settings, '{}'), '$.tags[*]' COLUMNS (name VARCHAR(255) PATH '$')) v
       WHERE s.id > ? AND s.id <= ? AND v.name <> '' AND NOT EXISTS
         (SELECT 1 FROM tags g WHERE g.team_id = s.team_id AND g.name = v.name COLLATE utf8mb4_bin)`,
      [last, end],
    );
    last = end;
  }
}

/** Which of them cases have is not known: they stay. */
export async function down(): Promise<void> {}
