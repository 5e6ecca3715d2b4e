import { parseJson } from '../../../../platform/json/parse-json.js';
import type { JsonObject } from '../../../../platform/json.js';
import type { Session } from '../../../../platform/mysql/session.js';
import { monitoringIn } from '../../../../stories/face.js';
import { type NotifiedStoryRow, toNotifiedStory } from '../notified-story.js';
import type { NotifiedStory } from '../notify-story.js';

/** The story of a watched action, with its recipients. */
export type WatchedStory = NotifiedStory;

/** An action with monitored events, or with a monitored silence. */
export interface WatchedAction {
  agentId: number;
  name: string;
  story: WatchedStory;
  /** Each of its events is reported. */
  allEvents: boolean;
  /** Silence is reported after this time without an event; undefined: never. */
  silentSeconds: number | undefined;
}

/** A page of actions by id: those after `afterId`, up to `lastId`. */
export interface AgentPage {
  afterId: number;
  lastId: number;
}

interface AgentRow extends NotifiedStoryRow {
  agentId: number;
  name: string;
  extra: string;
}

/** Finds most actions that are not watched without parsing; JSON functions refuse deep values (rule 5). */
const MAY_BE_WATCHED =
  '"monitoring":[[:space:]]*[{][^{}]*' +
  '("monitor_all_events":[[:space:]]*true|"monitor_no_events_emitted":[[:space:]]*[1-9])';

/** Returns the next page of actions; undefined after the last one. */
export async function nextAgentPage(
  session: Session,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<AgentPage | undefined> {
  const [row] = await session.rows<{ lastId: number | null }>(
    'SELECT MAX(p.id) AS lastId FROM (SELECT id FROM agents WHERE id > ? ORDER BY id LIMIT ?) p',
    [afterId, limit],
  );
  const lastId = row?.lastId ?? null;
  return lastId === null ? undefined : { afterId, lastId };
}

/** Returns the actions of the page that are watched: enabled ones, of stories with recipients that are no drafts. */
export async function findWatchedActions(
  session: Session,
  { afterId, lastId }: AgentPage,
): Promise<WatchedAction[]> {
  const rows = await session.rows<AgentRow>(
    `SELECT a.id AS agentId, a.name, a.extra, s.id AS storyId, s.tenant_id AS tenantId, s.team_id AS teamId,
            s.name AS storyName, s.settings
     FROM agents a FORCE INDEX (PRIMARY) STRAIGHT_JOIN stories s ON s.id = a.story_id
     WHERE a.id > ? AND a.id <= ? AND a.extra REGEXP ? AND NOT a.disabled AND NOT s.disabled
       AND s.draft_of IS NULL AND JSON_LENGTH(s.settings, '$.recipients') > 0
     ORDER BY a.id`,
    [afterId, lastId, MAY_BE_WATCHED],
  );
  return rows.map(toAction).filter((action) => action.allEvents || action.silentSeconds !== undefined);
}

function toAction({ agentId, name, extra, ...story }: AgentRow): WatchedAction {
  const monitoring = monitoringIn(parseJson(extra) as JsonObject);
  const seconds = monitoring.monitor_no_events_emitted ?? 0;
  return {
    agentId,
    name,
    story: toNotifiedStory(story),
    allEvents: monitoring.monitor_all_events,
    silentSeconds: seconds > 0 ? seconds : undefined,
  };
}
