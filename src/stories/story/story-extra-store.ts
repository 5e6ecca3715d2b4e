import type { JsonObject } from '../../platform/json.js';
import type { Session } from '../../platform/mysql/session.js';
import type { StoryGraph } from '../graph/story-graph.js';
import { parseWithoutTests } from '../tests/without-tests.js';

/** Returns the export's keys without a column of these stories, by id; without their tests. */
export async function findStoryExtras(
  ids: readonly number[],
  session: Session,
): Promise<Map<number, JsonObject>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows<{ id: number; extra: string }>(
    'SELECT id, extra FROM stories WHERE id IN (?)',
    [[...ids]],
  );
  return new Map(rows.map(({ id, extra }) => [id, parseWithoutTests(extra)]));
}

/** Returns the language of a story's templates; undefined without the story. */
export async function findLanguage(
  storyId: number,
  session: Session,
): Promise<StoryGraph['language'] | undefined> {
  const [row] = await session.rows<Pick<StoryGraph, 'language'>>(
    'SELECT language FROM stories WHERE id = ?',
    [storyId],
  );
  return row?.language;
}
