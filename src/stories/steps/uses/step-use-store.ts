import { parseJson } from '../../../platform/json/parse-json.js';
import type { JsonObject } from '../../../platform/json.js';
import {
  idsOrNone,
  type Page,
  readPage,
  type Window,
} from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { StoredStory } from '../../export/story-export-store.js';
import type { StoryGraph } from '../../graph/story-graph.js';
import type { StepReader } from '../step-store.js';

/** A live story that has actions of a step. */
export interface UsingStory {
  id: number;
  name: string;
  teamId: number;
  language: StoryGraph['language'];
  changeControlEnabled: number;
  locked: number;
}

/** Returns a page of the live stories with actions of a step that the reader may see, by name. */
export function listUsingStories(
  stepGuid: string,
  { tenantId, teamIds }: StepReader,
  window: Window,
  session: Session,
): Promise<Page<UsingStory>> {
  const query = {
    columns:
      's.id, s.name, s.team_id AS teamId, s.language, s.change_control_enabled AS changeControlEnabled, s.locked',
    from: 'stories s',
    where:
      's.id IN (SELECT a.story_id FROM agents a WHERE a.step_guid = ?)' +
      ' AND s.tenant_id = ? AND s.team_id IN (?) AND s.draft_of IS NULL',
    values: [stepGuid, tenantId, idsOrNone(teamIds)],
    order: 's.name, s.id',
  };
  return readPage<UsingStory>(session, query, window);
}

interface AgentRow {
  id: number;
  storyId: number;
  type: string;
  name: string;
  guid: string;
  disabled: number;
  options: string;
  keep_events_for: number;
  extra: string;
}

/** Returns the part of each story that came from a step: its actions, and the links between them. At most `most` actions. */
export async function findUsedParts(
  stepGuid: string,
  { storyIds, most }: { storyIds: readonly number[]; most: number },
  session: Session,
): Promise<Map<number, StoredStory>> {
  const ids = idsOrNone(storyIds);
  const agents = await session.rows<AgentRow>(
    `SELECT id, story_id AS storyId, type, name, guid, disabled, options, keep_events_for, extra FROM agents
     WHERE step_guid = ? AND story_id IN (?) ORDER BY story_id, position, id LIMIT ?`,
    [stepGuid, ids, most],
  );
  const links = await session.rows<Omit<StoredStory['links'][number], 'extra'> & { storyId: number }>(
    `SELECT l.story_id AS storyId, l.source_agent_id AS sourceId, l.receiver_agent_id AS receiverId, l.link_type AS linkType
     FROM links l JOIN agents a ON a.id = l.source_agent_id JOIN agents b ON b.id = l.receiver_agent_id
     WHERE l.story_id IN (?) AND a.step_guid = ? AND b.step_guid = ? ORDER BY l.story_id, l.position, l.id`,
    [ids, stepGuid, stepGuid],
  );
  const parts = new Map<number, StoredStory>();
  for (const { id, storyId, disabled, options, extra, ...columns } of agents) {
    const part = parts.get(storyId) ?? { id: storyId, columns: {}, extra: {}, agents: [], links: [] };
    part.agents.push({
      id,
      columns: { ...columns, disabled: disabled === 1, options: parseJson(options) },
      extra: parseJson(extra) as JsonObject,
    });
    parts.set(storyId, part);
  }
  for (const { storyId, ...link } of links) parts.get(storyId)?.links.push({ ...link, extra: {} });
  return parts;
}

/** Returns the versions of a step that the actions of a story have. */
export async function findUsedVersions(
  { storyId, stepGuid }: { storyId: number; stepGuid: string },
  session: Session,
): Promise<number[]> {
  const rows = await session.rows<{ version: number }>(
    'SELECT DISTINCT step_version AS version FROM agents WHERE story_id = ? AND step_guid = ?',
    [storyId, stepGuid],
  );
  return rows.map(({ version }) => version);
}
