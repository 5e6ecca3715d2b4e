import type { Database } from '../../src/platform/mysql/database.js';

const MINUTE_MS = 60_000;
/** A start may come a little after its minute has begun. */
const LATE_MS = 10_000;

const minuteOf = (time: Date) => Math.floor(time.getTime() / MINUTE_MS);

/** Disables a story, and with it the schedules that it has. */
export async function endTicks(db: Database, storyId: number): Promise<void> {
  await db.read((session) =>
    session.run('UPDATE stories SET disabled = 1, updated_at = NOW(3), version = version + 1 WHERE id = ?', [
      storyId,
    ]),
  );
}

/** Whether a story that is scheduled for every minute had one start in each since it was made, until `endTicks`. */
export async function checkTicks(db: Database, storyId: number): Promise<string[]> {
  const [story] = await db.read((session) =>
    session.rows<{ from: Date; until: Date }>(
      'SELECT created_at AS `from`, updated_at AS `until` FROM stories WHERE id = ?',
      [storyId],
    ),
  );
  const runs = await db.read((session) =>
    session.rows<{ at: Date }>(
      "SELECT created_at AS at FROM story_runs WHERE story_id = ? AND source = 'schedule'",
      [storyId],
    ),
  );
  if (story === undefined) return ['the story is gone'];
  const minutes = runs.map(({ at }) => minuteOf(at));
  const first = minuteOf(story.from) + 1;
  const last = minuteOf(new Date(story.until.getTime() - LATE_MS));
  const wanted = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const missed = wanted.filter((minute) => !minutes.includes(minute));
  const doubled = minutes.length - new Set(minutes).size;
  return [
    ...(wanted.length >= 2 ? [] : ['no minute passed: nothing was tried']),
    ...(missed.length === 0 ? [] : [`${missed.length} of ${wanted.length} ticks of a schedule were missed`]),
    ...(doubled === 0 ? [] : [`${doubled} ticks of a schedule started two runs`]),
  ];
}
