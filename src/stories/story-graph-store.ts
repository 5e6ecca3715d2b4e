import type { Session } from '../db/session.js';
import type { JsonObject, JsonValue } from '../json.js';
import { type AgentNode, slugOf, type StoryGraph } from './story-graph.js';

/** A graph with what only the cache needs: which of its agents has which webhook path. */
export interface LoadedGraph {
  graph: StoryGraph;
  webhookPaths: ReadonlyMap<string, number>;
}

interface StoryRow {
  id: number;
  tenantId: number;
  teamId: number;
  name: string;
  guid: string;
  disabled: number;
  priority: number;
  schemaVersion: number;
  language: StoryGraph['language'];
  synchronousWebhooksEnabled: number;
  extra: string;
  version: number;
}

interface AgentRow {
  id: number;
  storyId: number;
  guid: string;
  type: string;
  name: string;
  disabled: number;
  options: string;
  webhookPath: string | null;
}

interface LinkRow {
  storyId: number;
  source: number;
  receiver: number;
  linkType: string | null;
}

/** The stories with these ids that are there, with agents and links, by id. */
export async function findStoryGraphs(session: Session, ids: number[]): Promise<Map<number, LoadedGraph>> {
  const stories = await session.rows<StoryRow>(
    `SELECT id, tenant_id AS tenantId, team_id AS teamId, name, guid, disabled, priority,
            schema_version AS schemaVersion, language,
            synchronous_webhooks_enabled AS synchronousWebhooksEnabled, extra, version
     FROM stories WHERE id IN (?)`,
    [ids],
  );
  const agents = await session.rows<AgentRow>(
    `SELECT id, story_id AS storyId, guid, type, name, disabled, options, webhook_path AS webhookPath
     FROM agents WHERE story_id IN (?) ORDER BY story_id, position`,
    [ids],
  );
  const links = await session.rows<LinkRow>(
    `SELECT story_id AS storyId, source_agent_id AS source, receiver_agent_id AS receiver, link_type AS linkType
     FROM links WHERE story_id IN (?) ORDER BY story_id, position`,
    [ids],
  );
  return new Map(stories.map((story) => [story.id, assemble(story, agents, links)]));
}

/** The version of each of these stories that is there, by id. */
export async function findStoryVersions(session: Session, ids: number[]): Promise<Map<number, number>> {
  const rows = await session.rows<{ id: number; version: number }>(
    'SELECT id, version FROM stories WHERE id IN (?)',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.version]));
}

/** The story whose webhook has each of these paths, by path. */
export async function findWebhookStories(session: Session, paths: string[]): Promise<Map<string, number>> {
  const rows = await session.rows<{ path: string; storyId: number }>(
    'SELECT webhook_path AS path, story_id AS storyId FROM agents WHERE webhook_path IN (?)',
    [paths],
  );
  return new Map(rows.map((row) => [row.path, row.storyId]));
}

/** Id and name of every story of the team. */
export function findStoryNamesOfTeam(
  session: Session,
  teamId: number,
): Promise<{ id: number; name: string }[]> {
  return session.rows('SELECT id, name FROM stories WHERE team_id = ? ORDER BY id', [teamId]);
}

function assemble(story: StoryRow, allAgents: AgentRow[], allLinks: LinkRow[]): LoadedGraph {
  const agents = allAgents.filter((agent) => agent.storyId === story.id);
  const links = allLinks.filter((link) => link.storyId === story.id);
  const paths = agents.flatMap(({ webhookPath, id }) =>
    webhookPath === null ? [] : [[webhookPath, id] as const],
  );
  return {
    graph: {
      ...story,
      disabled: story.disabled !== 0,
      priority: story.priority !== 0,
      synchronousWebhooksEnabled: story.synchronousWebhooksEnabled !== 0,
      ...responseGuids(JSON.parse(story.extra) as JsonObject),
      agents: new Map(agents.map((agent) => [agent.id, toNode(agent, links)])),
    },
    webhookPaths: new Map(paths),
  };
}

function toNode(agent: AgentRow, links: LinkRow[]): AgentNode {
  return {
    id: agent.id,
    guid: agent.guid,
    type: agent.type,
    name: agent.name,
    slug: slugOf(agent.name),
    disabled: agent.disabled !== 0,
    options: JSON.parse(agent.options) as JsonObject,
    receivers: links
      .filter((link) => link.source === agent.id)
      .map((link) => ({ agentId: link.receiver, secondary: link.linkType === 'secondary' })),
  };
}

/** Entry and exit actions of response-enabled webhooks (decisions §4, Response-enabled). */
function responseGuids(story: JsonObject): Pick<StoryGraph, 'responseEntryGuids' | 'responseExitGuids'> {
  const entries = texts(story.api_entry_action_guids);
  const exits = [story.api_exit_action_guids, story.exit_agent_guids, story.exit_agent_guid];
  return {
    responseEntryGuids: entries.length > 0 ? new Set(entries) : undefined,
    responseExitGuids: new Set(exits.map(texts).find((guids) => guids.length > 0)),
  };
}

function texts(value: JsonValue | undefined): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === 'string' && item !== '');
}
