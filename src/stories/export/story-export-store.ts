import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import { inSlices, mapSteps, type Steps } from '../../platform/steps.js';
import type { JsonObject } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';

/** The parts that an export is built from. */
export interface StoredStory {
  id: number;
  columns: JsonObject;
  extra: JsonObject;
  agents: { id: number; columns: JsonObject; extra: JsonObject }[];
  links: { sourceId: number; receiverId: number; linkType: string | null; extra: JsonObject }[];
}

/** The rows of a story as they are stored: `options` and `extra` are JSON texts. */
export interface StoryRows {
  story: StoryRow;
  agents: AgentRow[];
  links: LinkRow[];
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
  const rows = await readRows({ sql: 'guid = ? AND team_id = ?', values: [guid, teamId] }, session);
  return rows && storedStory(await inSlices(parsedRows(rows)));
}

/** Returns the rows of the story with this id, under the same lock. */
export function findStoryRows(id: number, session: Session): Promise<StoryRows | undefined> {
  return readRows({ sql: 'id = ?', values: [id] }, session);
}

async function readRows(
  where: { sql: string; values: SqlValue[] },
  session: Session,
): Promise<StoryRows | undefined> {
  const [story] = await session.rows<StoryRow>(
    'SELECT id, name, description, guid, schema_version, keep_events_for, disabled, priority,' +
      ` synchronous_webhooks_enabled, extra FROM stories WHERE ${where.sql} LOCK IN SHARE MODE`,
    where.values,
  );
  if (story === undefined) return undefined;
  const agents = await session.rows<AgentRow>(
    'SELECT id, type, name, guid, disabled, options, keep_events_for, extra FROM agents' +
      ' WHERE story_id = ? ORDER BY position, id',
    [story.id],
  );
  const links = await session.rows<LinkRow>(
    'SELECT source_agent_id AS sourceId, receiver_agent_id AS receiverId, link_type AS linkType, extra' +
      ' FROM links WHERE story_id = ? ORDER BY position, id',
    [story.id],
  );
  return { story, agents, links };
}

/** A row whose JSON texts are parsed. */
type Parsed<Row> = Omit<Row, 'extra' | 'options'> & {
  [Key in keyof Row & ('extra' | 'options')]: JsonObject;
};

/** The rows of a story with their JSON parsed. */
export interface ParsedStoryRows {
  story: Parsed<StoryRow>;
  agents: Parsed<AgentRow>[];
  links: Parsed<LinkRow>[];
}

function* parsedRows({ story, agents, links }: StoryRows): Steps<ParsedStoryRows> {
  return {
    story: { ...story, extra: parse(story.extra) },
    agents: yield* mapSteps(agents, (row) => ({
      ...row,
      extra: parse(row.extra),
      options: parse(row.options),
    })),
    links: yield* mapSteps(links, (row) => ({ ...row, extra: parse(row.extra) })),
  };
}

/** Returns the parts of an export that these rows hold. */
export function storedStory({ story, agents, links }: ParsedStoryRows): StoredStory {
  return {
    id: story.id,
    columns: storyColumns(story),
    extra: story.extra,
    agents: agents.map((agent) => ({ id: agent.id, columns: agentColumns(agent), extra: agent.extra })),
    links,
  };
}

function storyColumns({ id: _id, extra: _extra, ...row }: Parsed<StoryRow>): JsonObject {
  return {
    ...row,
    disabled: row.disabled === 1,
    priority: row.priority === 1,
    synchronous_webhooks_enabled: row.synchronous_webhooks_enabled === 1,
  };
}

function agentColumns({ id: _id, extra: _extra, ...row }: Parsed<AgentRow>): JsonObject {
  return { ...row, disabled: row.disabled === 1 };
}

function parse(text: string): JsonObject {
  return parseJson(text) as JsonObject;
}
