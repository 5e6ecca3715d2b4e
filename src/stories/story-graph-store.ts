import type { Session } from '../db/session.js';
import type { JsonObject } from '../json.js';
import { assembleGraph } from './assemble-graph.js';
import { RECORD_TYPE } from './record-settings.js';
import type { StoryGraph } from './story-graph.js';

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
  /** Null where it does not matter. */
  extra: string | null;
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
    `SELECT id, story_id AS storyId, guid, type, name, disabled, options, webhook_path AS webhookPath,
            IF(type = ?, extra, NULL) AS extra
     FROM agents WHERE story_id IN (?) ORDER BY story_id, position`,
    [RECORD_TYPE, ids],
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

function assemble(row: StoryRow, allAgents: AgentRow[], allLinks: LinkRow[]): LoadedGraph {
  const agents = allAgents.filter((agent) => agent.storyId === row.id);
  const links = allLinks.filter((link) => link.storyId === row.id);
  const paths = agents.flatMap(({ webhookPath, id }) =>
    webhookPath === null ? [] : [[webhookPath, id] as const],
  );
  const { extra, ...story } = row;
  return {
    graph: assembleGraph({
      story: {
        ...story,
        disabled: story.disabled !== 0,
        priority: story.priority !== 0,
        synchronousWebhooksEnabled: story.synchronousWebhooksEnabled !== 0,
      },
      extra: JSON.parse(extra) as JsonObject,
      agents: agents.map(toAgent),
      links,
    }),
    webhookPaths: new Map(paths),
  };
}

function toAgent({ id, guid, type, name, disabled, options, extra }: AgentRow) {
  return {
    id,
    guid,
    type,
    name,
    disabled: disabled !== 0,
    options: JSON.parse(options) as JsonObject,
    extra: extra === null ? undefined : (JSON.parse(extra) as JsonObject),
  };
}
