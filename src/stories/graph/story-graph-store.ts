import { parseWithoutTests } from '../tests/without-tests.js';
import type { Session } from '../../platform/mysql/session.js';
import type { JsonObject } from '../../platform/json.js';
import { graphSteps } from './assemble-graph.js';
import { inSlices, mapSteps, type Steps } from '../../platform/steps.js';
import { RECORD_TYPE } from '../settings/record-settings.js';
import type { StoryGraph } from './story-graph.js';
import { parseJson } from '../../platform/json/parse-json.js';

/** A graph, and the agent id of each webhook path, which only the cache needs. */
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
  frozen: number;
  priority: number;
  schemaVersion: number;
  language: StoryGraph['language'];
  synchronousWebhooksEnabled: number;
  extra: string;
  version: number;
  draftOf: number | null;
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
  /** Null if the agent does not need it. */
  extra: string | null;
  pastIds: string | null;
}

interface LinkRow {
  storyId: number;
  source: number;
  receiver: number;
  linkType: string | null;
}

/** Freezing a tenant changes no version: a frozen story has the negative one instead. */
const VERSION = 'IF(n.frozen_at IS NULL, 1, -1) * CAST(s.version AS SIGNED)';
const TENANT = 'LEFT JOIN tenants n ON n.id = s.tenant_id';

/** Returns the version of a loaded story that `findStoryVersions` and `listWebhooks` return as long as it is current. */
export function loadedVersion({ version, frozen }: Pick<StoryGraph, 'version' | 'frozen'>): number {
  return frozen === true ? -version : version;
}

/**
 * Returns the existing stories with these ids, with agents and links, by id. One snapshot reads each story in one
 * version: an import committed between these statements would otherwise give links to missing agents.
 */
export function findStoryGraphs(session: Session, ids: number[]): Promise<Map<number, LoadedGraph>> {
  return session.snapshot(async () => {
    const stories = await findStories(session, ids);
    const agents = await session.rows<AgentRow>(
      `SELECT id, story_id AS storyId, guid, type, name, disabled, options, webhook_path AS webhookPath,
              IF(type = ?, extra, NULL) AS extra, past_ids AS pastIds
       FROM agents WHERE story_id IN (?) ORDER BY story_id, position`,
      [RECORD_TYPE, ids],
    );
    const links = await session.rows<LinkRow>(
      `SELECT story_id AS storyId, source_agent_id AS source, receiver_agent_id AS receiver, link_type AS linkType
       FROM links WHERE story_id IN (?) ORDER BY story_id, position`,
      [ids],
    );
    return inSlices(assembled(stories, agents, links));
  });
}

/**
 * Returns the parts of these stories that a webhook request needs, by id: the webhooks with their links, and the linked
 * agents without options. A story without webhooks has no agents. One snapshot reads each story in one version.
 */
export function findWebhookGraphs(session: Session, ids: number[]): Promise<Map<number, LoadedGraph>> {
  return session.snapshot(async () => {
    const stories = await findStories(session, ids);
    const links = await session.rows<LinkRow>(
      `SELECT l.story_id AS storyId, l.source_agent_id AS source, l.receiver_agent_id AS receiver,
              l.link_type AS linkType
       FROM links l JOIN agents a ON a.id = l.source_agent_id
       WHERE l.story_id IN (?) AND a.webhook_path IS NOT NULL ORDER BY l.story_id, l.position`,
      [ids],
    );
    const agents = await session.rows<AgentRow>(
      `SELECT id, story_id AS storyId, guid, type, name, disabled, IF(webhook_path IS NULL, '{}', options) AS options,
              webhook_path AS webhookPath, NULL AS extra, NULL AS pastIds
       FROM agents WHERE story_id IN (?) AND (webhook_path IS NOT NULL OR id IN (?)) ORDER BY story_id, position`,
      [ids, [0, ...links.map(({ receiver }) => receiver)]],
    );
    return inSlices(assembled(stories, agents, links));
  });
}

/** Returns a page of all webhooks in the order of their paths, each with its story's id and version. */
export function listWebhooks(
  session: Session,
  { after, limit }: { after: string; limit: number },
): Promise<{ path: string; storyId: number; version: number }[]> {
  return session.rows(
    `SELECT a.webhook_path AS path, a.story_id AS storyId, ${VERSION} AS version
     FROM agents a JOIN stories s ON s.id = a.story_id ${TENANT}
     WHERE a.webhook_path > ? ORDER BY a.webhook_path LIMIT ?`,
    [after, limit],
  );
}

/** Returns the loaded version of each existing story (`loadedVersion`), by id. */
export async function findStoryVersions(session: Session, ids: number[]): Promise<Map<number, number>> {
  const rows = await session.rows<{ id: number; version: number }>(
    `SELECT s.id, ${VERSION} AS version FROM stories s ${TENANT} WHERE s.id IN (?)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.version]));
}

/** Returns the id of the story that has each of these webhook paths, by path. */
export async function findWebhookStories(session: Session, paths: string[]): Promise<Map<string, number>> {
  const rows = await session.rows<{ path: string; storyId: number }>(
    'SELECT webhook_path AS path, story_id AS storyId FROM agents WHERE webhook_path IN (?)',
    [paths],
  );
  return new Map(rows.map((row) => [row.path, row.storyId]));
}

/** Returns id and name of every story of the team, without drafts. */
export function findStoryNamesOfTeam(
  session: Session,
  teamId: number,
): Promise<{ id: number; name: string }[]> {
  return session.rows('SELECT id, name FROM stories WHERE team_id = ? AND draft_of IS NULL ORDER BY id', [
    teamId,
  ]);
}

function findStories(session: Session, ids: number[]): Promise<StoryRow[]> {
  return session.rows(
    `SELECT s.id, s.tenant_id AS tenantId, s.team_id AS teamId, s.name, s.guid, s.disabled, s.priority,
            s.schema_version AS schemaVersion, s.language,
            s.synchronous_webhooks_enabled AS synchronousWebhooksEnabled, s.extra, s.version,
            s.draft_of AS draftOf, n.frozen_at IS NOT NULL AS frozen
     FROM stories s ${TENANT} WHERE s.id IN (?)`,
    [ids],
  );
}

function* assembled(
  stories: StoryRow[],
  agents: AgentRow[],
  links: LinkRow[],
): Steps<Map<number, LoadedGraph>> {
  const agentsOf = yield* byStory(agents);
  const linksOf = yield* byStory(links);
  const graphs = new Map<number, LoadedGraph>();
  for (const story of stories) {
    const { id } = story;
    graphs.set(id, yield* assemble(story, agentsOf.get(id) ?? [], linksOf.get(id) ?? []));
  }
  return graphs;
}

function* byStory<Row extends { storyId: number }>(rows: Row[]): Steps<Map<number, Row[]>> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.storyId) ?? [];
    group.push(row);
    groups.set(row.storyId, group);
    yield;
  }
  return groups;
}

function* assemble(row: StoryRow, agents: AgentRow[], links: LinkRow[]): Steps<LoadedGraph> {
  const paths = agents.flatMap(({ webhookPath, id }) =>
    webhookPath === null ? [] : [[webhookPath, id] as const],
  );
  const { extra, ...story } = row;
  return {
    graph: yield* graphSteps({
      story: {
        ...story,
        draftOf: story.draftOf ?? undefined,
        disabled: story.disabled !== 0,
        frozen: story.frozen !== 0,
        priority: story.priority !== 0,
        synchronousWebhooksEnabled: story.synchronousWebhooksEnabled !== 0,
      },
      extra: parseWithoutTests(extra),
      agents: yield* mapSteps(agents, toAgent),
      links,
    }),
    webhookPaths: new Map(paths),
  };
}

function toAgent({ id, guid, type, name, disabled, options, extra, pastIds }: AgentRow) {
  return {
    id,
    guid,
    type,
    name,
    disabled: disabled !== 0,
    options: parseJson(options) as JsonObject,
    extra: extra === null ? undefined : (parseJson(extra) as JsonObject),
    ...(pastIds !== null && { pastIds }),
  };
}
