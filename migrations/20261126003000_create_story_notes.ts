import type { Knex } from 'knex';

/** Stories that are read at once. */
const BATCH = 20;

/**
 * An id for each note on the board of a story, with a copy of the note for lists; `diagram_notes` in the story's `extra`
 * stays what exports give. Notes of stories that exist get their ids here.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS story_notes (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_id BIGINT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    note LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY story_notes_story (story_id, position)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  for (let after = 0; ; ) {
    const stories = await unnumbered(knex, after);
    for (const story of stories) await number(knex, story);
    if (stories.length < BATCH) return;
    after = stories.at(-1)?.id ?? after;
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS story_notes');
}

interface Story {
  id: number;
  extra: string;
}

async function unnumbered(knex: Knex, after: number): Promise<Story[]> {
  const [rows] = (await knex.raw(
    `SELECT s.id, s.extra FROM stories s WHERE s.id > ? AND s.extra LIKE '%"diagram_notes":[{%'
       AND NOT EXISTS (SELECT 1 FROM story_notes n WHERE n.story_id = s.id) ORDER BY s.id LIMIT ?`,
    [after, BATCH],
  )) as [Story[]];
  return rows;
}

async function number(knex: Knex, { id, extra }: Story): Promise<void> {
  const { diagram_notes: notes } = JSON.parse(extra) as { diagram_notes?: unknown };
  const rows = (Array.isArray(notes) ? (notes as unknown[]) : []).flatMap((note, position) =>
    typeof note === 'object' && note !== null && !Array.isArray(note)
      ? [{ story_id: id, position, note: JSON.stringify(note) }]
      : [],
  );
  await knex.batchInsert('story_notes', rows, 100);
}
