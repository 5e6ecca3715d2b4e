import { idsOrNone } from '../../platform/mysql/page-query.js';
import type { Session } from '../../platform/mysql/session.js';

/** An action whose options hold a word; `options` is the beginning of their JSON text. */
export interface WordyAction {
  id: number;
  storyId: number;
  options: string;
}

/** Only so many characters of an action's options are searched. */
const MOST_CHARACTERS = 256 * 1024;

/** Returns at most `limit` stories of these teams, by id. */
export function listStoriesOfTeams(
  teamIds: readonly number[],
  limit: number,
  session: Session,
): Promise<{ id: number; teamId: number }[]> {
  return session.rows('SELECT id, team_id AS teamId FROM stories WHERE team_id IN (?) ORDER BY id LIMIT ?', [
    idsOrNone(teamIds),
    limit,
  ]);
}

/** Returns the actions of these stories whose options hold one of two words. */
export function listActionsWith(
  [first, second]: readonly [string, string],
  storyIds: readonly number[],
  session: Session,
): Promise<WordyAction[]> {
  return session.rows(
    `SELECT id, story_id AS storyId, LEFT(options, ${MOST_CHARACTERS}) AS options FROM agents` +
      ' WHERE story_id IN (?) AND (INSTR(options, ?) > 0 OR INSTR(options, ?) > 0) ORDER BY id',
    [idsOrNone(storyIds), first, second],
  );
}
