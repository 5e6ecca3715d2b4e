import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { JsonObject } from '../../../platform/json.js';
import type { Session } from '../../../platform/mysql/session.js';
import { actionInputsIn, inputOptions } from './action-inputs.js';

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

/** Returns the actions of these stories with the JSON of their template inputs, if their story holds one of two words. */
export async function listInputsWith(
  [first, second]: readonly [string, string],
  storyIds: readonly number[],
  session: Session,
): Promise<WordyAction[]> {
  const stories = await session.rows<{ id: number; extra: string }>(
    `SELECT id, extra FROM stories WHERE id IN (?) AND INSTR(extra, '"action_inputs"') > 0` +
      ' AND (INSTR(extra, ?) > 0 OR INSTR(extra, ?) > 0) ORDER BY id',
    [idsOrNone(storyIds), first, second],
  );
  if (stories.length === 0) return [];
  const inputs = new Map(
    stories.map(({ id, extra }) => [id, actionInputsIn(parseJson(extra) as JsonObject)]),
  );
  const agents = await session.rows<{ id: number; storyId: number; guid: string }>(
    'SELECT id, story_id AS storyId, guid FROM agents WHERE story_id IN (?) ORDER BY id',
    [stories.map(({ id }) => id)],
  );
  return agents.flatMap(({ id, storyId, guid }) => {
    const options = inputOptions(inputs.get(storyId)?.get(guid));
    return options === undefined ? [] : [{ id, storyId, options: stringifyJson(options) }];
  });
}
