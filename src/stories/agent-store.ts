import { assignments, type Page, readPage, type Window } from '../platform/mysql/page-query.js';
import type { Session } from '../platform/mysql/session.js';
import type { JsonObject } from '../platform/json.js';
import { parseJson } from '../platform/json/parse-json.js';
import { stringifyJson } from '../platform/json/exact-number.js';

/** An agent with the ids of its neighbours, as the API returns it. */
export interface AgentRecord {
  id: number;
  storyId: number;
  teamId: number;
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
  /** Ids of the agents that it receives from and sends to, without duplicates, ascending. */
  sourceIds: number[];
  receiverIds: number[];
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

type AgentRow = Omit<AgentRecord, 'disabled' | 'options' | 'extra' | 'sourceIds' | 'receiverIds'> & {
  disabled: number;
  options: string;
  extra: string;
};

const COLUMNS =
  'a.id, a.story_id AS storyId, s.team_id AS teamId, a.type, a.name, a.guid, a.disabled, a.options,' +
  ' a.keep_events_for AS keepEventsForSeconds, a.webhook_path AS webhookPath, a.extra,' +
  ' a.created_at AS createdAt, a.updated_at AS updatedAt';
const FROM = 'agents a JOIN stories s ON s.id = a.story_id';

/** A page of the story's agents, in the order of the story. */
export async function listAgents(
  storyId: number,
  window: Window,
  session: Session,
): Promise<Page<AgentRecord>> {
  const query = {
    columns: COLUMNS,
    from: FROM,
    where: 'a.story_id = ?',
    values: [storyId],
    order: 'a.position, a.id',
  };
  const { items, total } = await readPage<AgentRow>(session, query, window);
  return { items: await withLinks(items, storyId, session), total };
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
  const storyId = rows[0]?.storyId ?? 0;
  const [agent] = await withLinks(rows, storyId, session);
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
    extra: change.extra === undefined ? undefined : stringifyJson(change.extra),
  });
  if (set === undefined) return;
  await session.run(`UPDATE agents SET ${set.sql}, updated_at = NOW(3) WHERE id = ?`, [...set.values, id]);
}

async function withLinks(rows: AgentRow[], storyId: number, session: Session): Promise<AgentRecord[]> {
  if (rows.length === 0) return [];
  const links = await session.rows<{ source: number; receiver: number }>(
    'SELECT source_agent_id AS source, receiver_agent_id AS receiver FROM links WHERE story_id = ?',
    [storyId],
  );
  const sources = gather(links.map(({ source, receiver }) => [receiver, source]));
  const receivers = gather(links.map(({ source, receiver }) => [source, receiver]));
  return rows.map((row) => ({
    ...row,
    disabled: row.disabled === 1,
    options: parseJson(row.options) as JsonObject,
    extra: parseJson(row.extra) as JsonObject,
    sourceIds: ascending(sources.get(row.id)),
    receiverIds: ascending(receivers.get(row.id)),
  }));
}

function gather(pairs: [number, number][]): Map<number, Set<number>> {
  const gathered = new Map<number, Set<number>>();
  for (const [of, id] of pairs) gathered.set(of, (gathered.get(of) ?? new Set()).add(id));
  return gathered;
}

function ascending(ids: ReadonlySet<number> = new Set()): number[] {
  return [...ids].toSorted((a, b) => a - b);
}

/** Returns the options of the story's webhooks. */
export async function findWebhookOptions(storyId: number, session: Session): Promise<JsonObject[]> {
  const rows = await session.rows<{ options: string }>(
    'SELECT options FROM agents WHERE story_id = ? AND webhook_path IS NOT NULL',
    [storyId],
  );
  return rows.map(({ options }) => parseJson(options) as JsonObject);
}
