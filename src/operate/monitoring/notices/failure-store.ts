import { MAX_COUNT } from '../../../platform/mysql/statements/id-page.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import type { JsonObject } from '../../../platform/json.js';
import type { Session } from '../../../platform/mysql/session.js';
import { readStorySettings } from '../../../stories/face.js';
import { PAUSE } from './claim-store.js';
import type { NotifiedStory } from './notify-story.js';

/** An action with such failures. */
export interface FailedAction {
  /** Null: it was deleted. */
  id: number | null;
  name: string;
  failures: number;
  /** The error of the last of them. */
  error: string;
  /** Why it failed, if the response tells more than the error. */
  cause: string | null;
  firstAt: Date;
  lastAt: Date;
}

/** Older failures are not reported. */
const WINDOW = 'NOW(3) - INTERVAL 30 MINUTE';
const LONG_AGO = "'2000-01-01'";
/** A dead letter is due when it failed, so the index by state gives the new ones. */
const newLetters = (columns: string) =>
  `(SELECT ${columns} FROM deliveries FORCE INDEX (deliveries_due)` +
  ` WHERE state = 'failed' AND due_at > ${WINDOW} ORDER BY due_at DESC LIMIT ${MAX_COUNT}) d`;
/** True if failures of story `s` are reported, or those of agent `a`. A pattern, as JSON functions refuse deep values (rule 5). */
export const MONITORED =
  "(JSON_CONTAINS(s.settings, 'true', '$.monitor_failures')" +
  ` OR a.extra REGEXP '"monitoring":[[:space:]]*[{][^{}]*"monitor_failures":[[:space:]]*true')`;
const UNTOLD = `d.due_at > COALESCE(n.told_up_to, ${LONG_AGO})`;

/** Returns up to `limit` stories, no drafts, with failures to report now: of the story, or of a monitored action. */
export async function findUnnotifiedStories(limit: number, session: Session): Promise<NotifiedStory[]> {
  const rows = await session.rows<Omit<NotifiedStory, 'recipients' | 'runbook'> & { settings: string }>(
    `SELECT s.id, s.tenant_id AS tenantId, s.team_id AS teamId, s.name, s.settings
     FROM ${newLetters('story_id, agent_id, due_at')}
     STRAIGHT_JOIN stories s ON s.id = d.story_id LEFT JOIN agents a ON a.id = d.agent_id
     LEFT JOIN story_failure_notices n ON n.story_id = s.id
     WHERE s.draft_of IS NULL AND JSON_LENGTH(s.settings, '$.recipients') > 0 AND ${MONITORED}
       AND ${UNTOLD} AND COALESCE(n.tried_at, ${LONG_AGO}) < ${PAUSE}
     GROUP BY s.id, s.tenant_id, s.team_id, s.name, s.settings ORDER BY s.id LIMIT ?`,
    [limit],
  );
  return rows.map(({ settings, ...story }) => {
    const { recipients, runbook } = readStorySettings(parseJson(settings) as JsonObject);
    return { ...story, recipients, runbook };
  });
}

/** Returns up to `limit` actions with failures to report, those with the most first. */
export async function findFailedActions(
  storyId: number,
  limit: number,
  session: Session,
): Promise<FailedAction[]> {
  const rows = await session.rows<Omit<FailedAction, 'error' | 'cause'> & { lastId: number }>(
    `SELECT a.id, COALESCE(a.name, '') AS name, COUNT(*) AS failures, MIN(d.due_at) AS firstAt, MAX(d.due_at) AS lastAt,
            CAST(SUBSTRING_INDEX(MAX(CONCAT(d.due_at, ' ', d.id)), ' ', -1) AS UNSIGNED) AS lastId
     FROM ${newLetters('id, story_id, agent_id, due_at')}
     STRAIGHT_JOIN story_failure_notices n ON n.story_id = d.story_id
     STRAIGHT_JOIN stories s ON s.id = d.story_id LEFT JOIN agents a ON a.id = d.agent_id
     WHERE d.story_id = ? AND ${MONITORED} AND ${UNTOLD} AND d.due_at <= n.tried_at
     GROUP BY d.agent_id, a.id, a.name ORDER BY failures DESC, d.agent_id LIMIT ?`,
    [storyId, limit],
  );
  const told = await session.rows<{ id: number; error: string | null; cause: string | null }>(
    'SELECT id, error, cause FROM deliveries FORCE INDEX (PRIMARY) WHERE id IN (?)',
    [idsOrNone(rows.map(({ lastId }) => lastId))],
  );
  const byId = new Map(told.map((letter) => [letter.id, letter]));
  return rows.map(({ lastId, ...action }) => ({
    ...action,
    error: byId.get(lastId)?.error ?? '',
    cause: byId.get(lastId)?.cause ?? null,
  }));
}

/** The recipients know of all failures until the claim. */
export async function markNotified(storyId: number, session: Session): Promise<void> {
  await session.run('UPDATE story_failure_notices SET told_up_to = tried_at WHERE story_id = ?', [storyId]);
}
