import { assignments } from '../../platform/mysql/statements/page-query.js';
import { inSlices, mapSteps } from '../../platform/steps.js';
import { givenAddress } from '../import/import-address.js';
import type { Session } from '../../platform/mysql/session.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { actionInputsIn } from './mentions/action-inputs.js';
import { type Position, layoutPositions } from './write/layout.js';
import { type LinkType, linkTypeOf } from './write/link-types.js';
import { markColumns } from '../steps/step-mark.js';
import { findStoryExtras } from '../story/story-extra-store.js';

/** A link, as the agent at one of its ends sees it. */
export interface AgentLink {
  /** The agent at the other end. */
  agentId: number;
  type: LinkType;
}

/** An agent with its links and its place on the board, as the API returns it. */
export interface AgentRecord {
  id: number;
  storyId: number;
  teamId: number;
  /** The owner of the story. */
  userId: number;
  /** The story whose draft its story is; null: none. */
  draftOf: number | null;
  type: string;
  name: string;
  guid: string;
  disabled: boolean;
  options: JsonObject;
  keepEventsForSeconds: number;
  /** For webhooks only. */
  webhookPath: string | null;
  /** The export's keys without a column, such as `schedule`. */
  extra: JsonObject;
  position: Position | undefined;
  /** Its template inputs, as exports keep them. */
  inputs: readonly JsonValue[];
  /** Its links from and to other agents, in the order of the story. */
  sources: AgentLink[];
  receivers: AgentLink[];
  createdAt: Date;
  updatedAt: Date;
}

/** The columns that an update may change; undefined ones stay. */
export interface AgentColumns {
  name?: string | undefined;
  disabled?: boolean | undefined;
  options?: JsonObject | undefined;
  keepEventsForSeconds?: number | undefined;
  webhookPath?: string | undefined;
  extra?: JsonObject | undefined;
}

type Parsed = 'disabled' | 'options' | 'extra' | 'position' | 'inputs' | 'sources' | 'receivers';
type AgentRow = Omit<AgentRecord, Parsed> & { disabled: number; options: string; extra: string };

const COLUMNS =
  'a.id, a.story_id AS storyId, s.team_id AS teamId, s.user_id AS userId, s.draft_of AS draftOf, a.type, a.name, a.guid, a.disabled,' +
  ' a.options, a.keep_events_for AS keepEventsForSeconds, a.webhook_path AS webhookPath, a.extra,' +
  ' a.created_at AS createdAt, a.updated_at AS updatedAt';
const FROM = 'agents a JOIN stories s ON s.id = a.story_id';

/** Returns the agents with these ids that exist, in the order of the ids. */
export async function findAgents(ids: readonly number[], session: Session): Promise<AgentRecord[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<AgentRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE a.id IN (?)`, [[...ids]]);
  const agents = new Map((await whole(rows, session)).map((agent) => [agent.id, agent]));
  return ids.flatMap((id) => agents.get(id) ?? []);
}

/** Returns the agent with this id, if its story belongs to this tenant. */
export async function findAgent(
  id: number,
  tenantId: number,
  session: Session,
): Promise<AgentRecord | undefined> {
  const rows = await session.rows<AgentRow>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE a.id = ? AND s.tenant_id = ?`,
    [id, tenantId],
  );
  const [agent] = await whole(rows, session);
  return agent;
}

/** Sets the given columns. A webhook path in use gives a duplicate-key error. */
export async function updateAgent(id: number, change: AgentColumns, session: Session): Promise<void> {
  const set = assignments({
    name: change.name,
    disabled: change.disabled,
    options: change.options === undefined ? undefined : stringifyJson(change.options),
    keep_events_for: change.keepEventsForSeconds,
    webhook_path: change.webhookPath,
    ...(change.extra !== undefined && extraColumns(change.extra)),
  });
  if (set === undefined) return;
  await session.run(`UPDATE agents SET ${set.sql}, updated_at = NOW(3) WHERE id = ?`, [...set.values, id]);
}

function extraColumns(extra: JsonObject) {
  const step = markColumns(extra);
  return { extra: stringifyJson(extra), step_guid: step?.guid ?? null, step_version: step?.version ?? null };
}

/** Deletes an agent with its memory. Links and schedules have stores of their own. */
export async function deleteAgent(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM agent_memory WHERE agent_id = ?', [id]);
  await session.run('DELETE FROM agents WHERE id = ?', [id]);
}

/** Returns type and name of each agent of the story, by id, and the position of the next agent. */
export async function findAgentTypes(
  storyId: number,
  session: Session,
): Promise<{ types: Map<number, string>; names: Map<number, string>; next: number }> {
  const rows = await session.rows<{ id: number; type: string; name: string; position: number }>(
    'SELECT id, type, name, position FROM agents WHERE story_id = ?',
    [storyId],
  );
  const last = rows.reduce((most, { position }) => Math.max(most, position), -1);
  return {
    types: new Map(rows.map(({ id, type }) => [id, type])),
    names: new Map(rows.map(({ id, name }) => [id, name])),
    next: last + 1,
  };
}

/** Returns the ids of the story's agents that are disabled. */
export async function findDisabledAgents(storyId: number, session: Session): Promise<Set<number>> {
  const rows = await session.rows<{ id: number }>(
    'SELECT id FROM agents WHERE story_id = ? AND disabled = TRUE',
    [storyId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the id of the story's agent that was copied from this one, or that came from the same action of an export. */
export async function findCopiedAgent(
  storyId: number,
  { guid, extra: origin }: Pick<AgentRecord, 'guid' | 'extra'>,
  session: Session,
): Promise<number | undefined> {
  const rows = await session.rows<{ id: number; extra: string }>(
    'SELECT id, extra FROM agents WHERE story_id = ? ORDER BY position, id',
    [storyId],
  );
  const agents = rows.map(({ id, extra }) => ({ id, from: (parseJson(extra) as JsonObject).guid }));
  const copy = agents.find(({ from }) => from === guid);
  const sibling = agents.find(({ from }) => from !== undefined && from === origin.guid);
  return (copy ?? sibling)?.id;
}

/** Returns the ids of the live actions that these actions of drafts are copies of, by the id of the copy. */
export async function findLiveAgents(
  copies: readonly Pick<AgentRecord, 'id' | 'draftOf' | 'extra'>[],
  session: Session,
): Promise<Map<number, number>> {
  const storyIds = [...new Set(copies.flatMap(({ draftOf }) => draftOf ?? []))];
  if (storyIds.length === 0) return new Map();
  const rows = await session.rows<{ id: number; storyId: number; guid: string; extra: string }>(
    'SELECT id, story_id AS storyId, guid, extra FROM agents WHERE story_id IN (?) ORDER BY position, id',
    [storyIds],
  );
  const live = rows.map((row) => ({ ...row, from: (parseJson(row.extra) as JsonObject).guid }));
  return new Map(
    copies.flatMap(({ id, draftOf, extra: { guid } }): [number, number][] => {
      const ofStory = live.filter(({ storyId }) => storyId === draftOf && guid !== undefined);
      const original = ofStory.find((one) => one.guid === guid) ?? ofStory.find(({ from }) => from === guid);
      return original === undefined ? [] : [[id, original.id]];
    }),
  );
}

/** Adds links and positions. */
async function whole(rows: AgentRow[], session: Session): Promise<AgentRecord[]> {
  if (rows.length === 0) return [];
  const storyIds = [...new Set(rows.map(({ storyId }) => storyId))];
  const links = await session.rows<{ source: number; receiver: number; linkType: string | null }>(
    `SELECT source_agent_id AS source, receiver_agent_id AS receiver, link_type AS linkType
     FROM links WHERE story_id IN (?) ORDER BY story_id, position, id`,
    [storyIds],
  );
  const sources = gather(links.map((link) => [link.receiver, { agentId: link.source, ...typed(link) }]));
  const receivers = gather(links.map((link) => [link.source, { agentId: link.receiver, ...typed(link) }]));
  const extras = await findStoryExtras(storyIds, session);
  const layouts = new Map([...extras].map(([id, extra]) => [id, layoutPositions(extra.diagram_layout)]));
  const inputs = new Map([...extras].map(([id, extra]) => [id, actionInputsIn(extra)]));
  return rows.map((row) => ({
    ...row,
    disabled: row.disabled === 1,
    options: parseJson(row.options) as JsonObject,
    extra: parseJson(row.extra) as JsonObject,
    position: layouts.get(row.storyId)?.get(row.guid),
    inputs: inputs.get(row.storyId)?.get(row.guid) ?? [],
    sources: sources.get(row.id) ?? [],
    receivers: receivers.get(row.id) ?? [],
  }));
}

function typed({ linkType }: { linkType: string | null }) {
  return { type: linkTypeOf(linkType) };
}

function gather(pairs: [number, AgentLink][]): Map<number, AgentLink[]> {
  const gathered = new Map<number, AgentLink[]>();
  for (const [of, link] of pairs) {
    const known = gathered.get(of);
    if (known === undefined) gathered.set(of, [link]);
    else known.push(link);
  }
  return gathered;
}

function secretOf({ options }: { options: string }): string | undefined {
  return givenAddress(parseJson(options) as JsonObject).secret;
}

/** Returns the secrets of the webhooks of these stories, by story. */
export async function findWebhookSecrets(
  storyIds: readonly number[],
  session: Session,
): Promise<Map<number, string[]>> {
  const rows = await session.rows<{ storyId: number; options: string }>(
    'SELECT story_id AS storyId, options FROM agents WHERE story_id IN (?) AND webhook_path IS NOT NULL',
    [[...storyIds]],
  );
  const secrets = await inSlices(mapSteps(rows, secretOf));
  const found = new Map<number, string[]>(storyIds.map((id) => [id, []]));
  for (const [index, { storyId }] of rows.entries()) {
    const secret = secrets[index];
    if (secret !== undefined) found.get(storyId)?.push(secret);
  }
  return found;
}
