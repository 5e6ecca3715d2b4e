import type { Session } from '../platform/mysql/session.js';
import type { JsonObject } from '../platform/json.js';
import { parseJson } from '../platform/json/parse-json.js';

/** The parts that an export is built from. */
export interface StoredStory {
  id: number;
  columns: JsonObject;
  extra: JsonObject;
  agents: { id: number; columns: JsonObject; extra: JsonObject }[];
  links: { sourceId: number; receiverId: number; linkType: string | null; extra: JsonObject }[];
}

interface StoryRow {
  id: number;
  name: string;
  description: string | null;
  guid: string;
  schema_version: number;
  keep_events_for: number;
  disabled: number;
  priority: number;
  synchronous_webhooks_enabled: number;
  extra: string;
}

interface AgentRow {
  id: number;
  type: string;
  name: string;
  guid: string;
  disabled: number;
  options: string;
  keep_events_for: number;
  extra: string;
}

interface LinkRow {
  sourceId: number;
  receiverId: number;
  linkType: string | null;
  extra: string;
}

/**
 * Returns the team's story with this guid, complete. Call it inside a transaction: the lock on the story's row prevents
 * a new version between reading its agents and its links.
 */
export async function findStoredStory(
  guid: string,
  teamId: number,
  session: Session,
): Promise<StoredStory | undefined> {
  const [row] = await session.rows<StoryRow>(
    'SELECT id, name, description, guid, schema_version, keep_events_for, disabled, priority,' +
      ' synchronous_webhooks_enabled, extra FROM stories WHERE guid = ? AND team_id = ? LOCK IN SHARE MODE',
    [guid, teamId],
  );
  if (row === undefined) return undefined;
  const agents = await session.rows<AgentRow>(
    'SELECT id, type, name, guid, disabled, options, keep_events_for, extra FROM agents' +
      ' WHERE story_id = ? ORDER BY position, id',
    [row.id],
  );
  const links = await session.rows<LinkRow>(
    'SELECT source_agent_id AS sourceId, receiver_agent_id AS receiverId, link_type AS linkType, extra' +
      ' FROM links WHERE story_id = ? ORDER BY position, id',
    [row.id],
  );
  return {
    id: row.id,
    columns: storyColumns(row),
    extra: parse(row.extra),
    agents: agents.map((agent) => ({
      id: agent.id,
      columns: agentColumns(agent),
      extra: parse(agent.extra),
    })),
    links: links.map((link) => ({ ...link, extra: parse(link.extra) })),
  };
}

function storyColumns({ id: _id, extra: _extra, ...row }: StoryRow): JsonObject {
  return {
    ...row,
    disabled: row.disabled === 1,
    priority: row.priority === 1,
    synchronous_webhooks_enabled: row.synchronous_webhooks_enabled === 1,
  };
}

function agentColumns({ id: _id, extra: _extra, ...row }: AgentRow): JsonObject {
  return { ...row, disabled: row.disabled === 1, options: parse(row.options) };
}

function parse(text: string): JsonObject {
  return parseJson(text) as JsonObject;
}
